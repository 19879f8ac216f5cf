/**
 * Names of places for readPlaces(): places in Canada and the United States, and large cities
 * elsewhere that are often named without a country.
 */
import type { Country } from "../../contract/vocabulary.ts";
import { TERRITORIES } from "./territories.ts";

/**
 * States and provinces by ISO 3166-2 code: English name, French name, further names. A name with a
 * `*` before it is also that of a country or a city. It counts only next to a consistent name, such
 * as that of a city in the region.
 */
export const REGION_NAMES: Readonly<Record<Country, Readonly<Record<string, string>>>> = {
  US: {
    AL: "Alabama",
    AK: "Alaska",
    AZ: "Arizona",
    AR: "Arkansas",
    CA: "California|Californie|Southern California|Northern California",
    CO: "Colorado",
    CT: "Connecticut",
    DE: "Delaware",
    DC: "District of Columbia|District de Columbia",
    FL: "Florida|Floride|South Florida",
    GA: "*Georgia|*Géorgie",
    HI: "Hawaii|Hawaï",
    ID: "Idaho",
    IL: "Illinois",
    IN: "Indiana",
    IA: "Iowa",
    KS: "Kansas",
    KY: "Kentucky",
    LA: "Louisiana|Louisiane",
    ME: "Maine",
    MD: "Maryland",
    MA: "Massachusetts",
    MI: "Michigan",
    MN: "Minnesota",
    MS: "Mississippi",
    MO: "Missouri",
    MT: "Montana",
    NE: "Nebraska",
    NV: "Nevada",
    NH: "New Hampshire",
    NJ: "New Jersey",
    NM: "New Mexico|Nouveau-Mexique",
    NY: "New York State|State of New York|État de New York|Upstate New York",
    NC: "North Carolina|Caroline du Nord",
    ND: "North Dakota|Dakota du Nord",
    OH: "Ohio",
    OK: "Oklahoma",
    OR: "Oregon",
    PA: "Pennsylvania|Pennsylvanie",
    RI: "Rhode Island",
    SC: "South Carolina|Caroline du Sud",
    SD: "South Dakota|Dakota du Sud",
    TN: "Tennessee",
    TX: "Texas",
    UT: "Utah",
    VT: "Vermont",
    VA: "Virginia|Virginie|Northern Virginia|NoVA",
    WA: "Washington State|State of Washington|État de Washington",
    WV: "West Virginia|Virginie-Occidentale",
    WI: "Wisconsin",
    WY: "Wyoming",
    ...Object.fromEntries(Object.entries(TERRITORIES).map(([code, { names }]) => [code, names])),
  },
  CA: {
    AB: "Alberta",
    BC: "British Columbia|Colombie-Britannique",
    MB: "Manitoba",
    NB: "New Brunswick|Nouveau-Brunswick",
    NL: "Newfoundland and Labrador|Terre-Neuve-et-Labrador|Newfoundland|Labrador|Terre-Neuve",
    NS: "Nova Scotia|Nouvelle-Écosse",
    NT: "Northwest Territories|Territoires du Nord-Ouest",
    NU: "Nunavut",
    ON: "Ontario",
    PE: "Prince Edward Island|Île-du-Prince-Édouard",
    QC: "Province of Quebec|Province de Québec|Quebec Province",
    SK: "Saskatchewan",
    YT: "Yukon|Yukon Territory",
  },
};

/** Parts of one country that are not states or provinces. */
export const PARTS_OF_COUNTRIES: Readonly<Record<Country, string>> = {
  US: "New England|Tri-State Area|Nouvelle-Angleterre|Continental US|Lower 48|Midwest",
  CA: "Maritimes|Atlantic Canada|Western Canada|Eastern Canada|Canadian Prairies",
};

/**
 * State and province codes that employers write after a city in two senses: for the region, and for
 * a country with that code.
 */
export const AMBIGUOUS_CODES: ReadonlySet<string> = new Set(
  ["AR CA CO DE ID IL IN NL PE SK".split(" "), Object.keys(TERRITORIES)].flat(),
);

/**
 * Cities by state or province, separated by `|`. Further names of a city follow after `=`. A name
 * with a `*` is also that of a place elsewhere, so it counts only next to its region or country.
 * Abbreviations such as "SF" count only in capitals.
 */
export const CITY_NAMES: Readonly<Record<Country, Readonly<Record<string, string>>>> = {
  US: {
    PR: "San Juan*|Bayamón*|Guaynabo*|Caguas*|Ponce*|Mayagüez*",
    VI: "Charlotte Amalie|Christiansted",
    GU: "Hagåtña|Tamuning|Dededo",
    AS: "Pago Pago",
    MP: "Saipan",
    AL: "Birmingham*|Huntsville|Montgomery*|Mobile*",
    AK: "Anchorage",
    AZ: "Phoenix=PHX|Scottsdale|Tempe|Tucson|Mesa*|Chandler*|Gilbert*|Glendale*",
    AR: "Little Rock|Bentonville|Fayetteville*|Rogers*",
    CA: "San Francisco=SF=SF Bay Area=San Francisco Bay Area=Bay Area=SFO=San Fran|" +
      "South San Francisco|East Palo Alto|Palo Alto|Mountain View|Menlo Park|Sunnyvale|" +
      "Redwood City|San Mateo|Santa Clara|San Jose*|Cupertino|Oakland|Berkeley|Emeryville|" +
      "Fremont|Burlingame|Pleasanton|Foster City|Los Gatos|San Bruno|San Carlos*|Milpitas|" +
      "Los Altos|Hayward|Walnut Creek|San Ramon|Dublin*|Silicon Valley|" +
      "Los Angeles=LA=Greater Los Angeles|Santa Monica|Culver City|El Segundo|Pasadena|Burbank|" +
      "Irvine|Newport Beach|Long Beach|Costa Mesa|Torrance|Hawthorne*|Glendale*|Playa Vista|" +
      "Anaheim|San Diego|Carlsbad|La Jolla|Sacramento|Santa Barbara|Fresno|Goleta|Ontario*|" +
      "West Hollywood|Hollywood*|Orange County|Richmond*|Santa Cruz*|Concord*|Newark*|Riverside*",
    CO: "Denver=DEN|Boulder|Colorado Springs|Fort Collins|Broomfield|Aurora*|Lakewood*|Longmont|" +
      "Louisville*|Golden*|Englewood*|Littleton*|Greenwood Village",
    CT: "Hartford|Stamford*|New Haven|Greenwich*|Norwalk*",
    DC: "Washington, DC=Washington DC=Washington, D.C.=Washington D.C.=D.C.=DC=" +
      "Washington DC Metro=DC Metro",
    DE: "Wilmington*|Newark*|Dover*",
    FL: "Miami|Miami Beach|Tampa|Tampa Bay|Orlando|Fort Lauderdale|Jacksonville|Boca Raton|" +
      "St. Petersburg*|West Palm Beach|Tallahassee|Naples*|Melbourne*|Sarasota|Gainesville*",
    GA: "Atlanta=ATL|Savannah*|Alpharetta|Augusta*|Athens*|Columbus*",
    HI: "Honolulu",
    ID: "Boise|Meridian*",
    IL: "Chicago=CHI=Chicagoland|Evanston|Naperville|Schaumburg|Aurora*|Deerfield*|Rosemont*|" +
      "Springfield*|Champaign|Urbana|Oak Brook|Lake Forest*|Northbrook|Itasca*|Peoria*",
    IN:
      "Indianapolis|Fort Wayne|Carmel*|Fishers*|Bloomington*|South Bend|Evansville|West Lafayette",
    IA: "Des Moines|Cedar Rapids|Iowa City|Davenport*",
    KS: "Kansas City*|Overland Park|Wichita|Lenexa|Topeka",
    KY: "Louisville*|Lexington*",
    LA: "New Orleans|Baton Rouge|Shreveport|Lafayette*",
    ME: "Portland*|Bangor*",
    MD: "Baltimore|Bethesda|Rockville|Silver Spring|Columbia*|Annapolis|Gaithersburg|Frederick*",
    MA: "Boston=BOS=Greater Boston|Cambridge*|Somerville|Waltham|Burlington*|Lexington*|Woburn|" +
      "Newton*|Worcester*|Bedford*|Watertown*|Needham|Quincy*|Framingham|Andover*|Lowell*",
    MI: "Detroit|Ann Arbor|Grand Rapids|Lansing|Dearborn|Troy*|Southfield",
    MN:
      "Minneapolis|Saint Paul*=St. Paul*|Twin Cities*|Rochester*|Bloomington*|Eden Prairie|Duluth*",
    MS: "Jackson*",
    MO: "Kansas City|Saint Louis=St. Louis|Springfield*|Columbia*",
    MT: "Bozeman|Missoula|Billings*",
    NE: "Omaha|Lincoln*",
    NV: "Las Vegas|Reno|Henderson*",
    NH: "Manchester*|Nashua|Portsmouth*",
    NJ: "Jersey City|Hoboken|Newark*|Princeton|Trenton*|Parsippany|Edison*|Secaucus|Camden*",
    NM: "Albuquerque|Santa Fe*|Los Alamos",
    NY: "New York=New York City=NYC=New York Metro=Greater New York=Manhattan|Brooklyn|" +
      "Long Island City|Long Island|Buffalo|Rochester*|Syracuse*|Albany*|White Plains|Yonkers|Ithaca*",
    NC:
      "Charlotte|Raleigh|Durham*|Chapel Hill|Research Triangle Park|Research Triangle|Greensboro|" +
      "Winston-Salem|Cary*|Wilmington*|Asheville",
    OH: "Columbus|Cleveland|Cincinnati|Toledo*|Dayton|Akron|Dublin*",
    OK: "Oklahoma City|Tulsa",
    OR: "Portland=PDX|Beaverton|Hillsboro|Eugene*|Bend*|Salem*",
    PA: "Philadelphia|Pittsburgh|King of Prussia|Harrisburg|Conshohocken|Malvern*|Lancaster*",
    RI: "Providence*",
    SC: "Charleston|Greenville*|Columbia*",
    SD: "Sioux Falls",
    TN: "Nashville|Memphis|Knoxville|Chattanooga|Franklin*|Brentwood*",
    TX: "Austin=ATX|Dallas=DFW=Dallas-Fort Worth=Dallas/Fort Worth=Dallas/Ft. Worth|Houston|" +
      "San Antonio*|Fort Worth|Plano|Irving*|Frisco*|El Paso*|Arlington*|Richardson*|Round Rock|" +
      "The Woodlands|Paris*|Corpus Christi|McKinney*|Addison*",
    UT: "Salt Lake City=SLC|Lehi|Provo|Draper*|Park City|Ogden|Sandy*|St. George*",
    VT: "Burlington*",
    VA: "Richmond*|Arlington*|Alexandria*|Reston|McLean|Herndon|Tysons|Tysons Corner|Fairfax*|" +
      "Chantilly*|Norfolk*|Virginia Beach|Charlottesville|Vienna*|Ashburn",
    WA:
      "Seattle=Greater Seattle|Bellevue*|Redmond|Kirkland|Spokane|Tacoma|Bothell|Vancouver*|Renton",
    WI: "Milwaukee|Madison*|Green Bay",
    WV: "Charleston*",
    WY: "Cheyenne",
  },
  CA: {
    AB: "Calgary=YYC|Edmonton=YEG|Red Deer|Lethbridge|Banff",
    BC: "Vancouver=YVR=Greater Vancouver=Metro Vancouver=Grand Vancouver|North Vancouver|" +
      "West Vancouver|Victoria*|Burnaby|Richmond*|Surrey*|Kelowna|Nanaimo|Kamloops|" +
      "Lower Mainland|Coquitlam|Abbotsford*|New Westminster|Langley*|Prince George",
    MB: "Winnipeg=YWG|Brandon*",
    NB: "Fredericton|Moncton|Saint John*|Dieppe*",
    NL: "St. John's*=St John's*",
    NS: "Halifax*|Sydney*|Dartmouth*",
    NT: "Yellowknife",
    ON:
      "Toronto=YYZ=GTA=Greater Toronto Area=Greater Toronto=Grand Toronto|Ottawa=YOW|Mississauga|" +
      "Brampton|Markham*|Kitchener|Waterloo*|Kitchener-Waterloo|London*|Hamilton*|Windsor*|" +
      "Kingston*|Guelph|Cambridge*|Oakville*|Burlington*|Vaughan|Richmond Hill*|Barrie|Oshawa|" +
      "Whitby*|Ajax*|Pickering*|Sudbury*|Thunder Bay|Kanata|Etobicoke|Scarborough*|North York|" +
      "Niagara Falls*|St. Catharines|Peterborough*|Milton*|Paris*|Newmarket*|Concord*",
    PE: "Charlottetown",
    QC: "Montréal=Montreal=MTL=YUL=Greater Montreal=Grand Montréal=Greater Montreal Area|" +
      "Québec City=Ville de Québec=Quebec City|Laval*|Gatineau|Longueuil|Sherbrooke|Trois-Rivières|" +
      "Lévis|Brossard|Saguenay|Dorval|Pointe-Claire|Saint-Laurent*|Drummondville|Granby*|Boucherville|" +
      "Terrebonne*|Blainville*",
    SK: "Saskatoon|Regina*",
    YT: "Whitehorse*",
  },
};

/**
 * Large cities in other countries. A name with a `*` is also that of a place in Canada or the
 * United States, so it needs a region or country.
 */
export const CITIES_ELSEWHERE =
  "London*|Cambridge*|Oxford*|Manchester*|Birmingham*|Bristol*|Leeds|" +
  "Edinburgh|Glasgow|Belfast|Dublin*|Cork|Paris*|Lyon|Toulouse|Berlin|Munich|München|Hamburg|Köln|" +
  "Cologne|Frankfurt|Stuttgart|Vienna*|Zurich|Zürich|Geneva*|Lausanne|Amsterdam|Rotterdam|Utrecht|" +
  "Eindhoven|Brussels|Antwerp|Madrid|Barcelona|Lisbon|Porto|Milan*|Rome*|Athens*|Stockholm|Oslo|" +
  "Copenhagen|Helsinki|Warsaw*|Krakow|Prague|Budapest|Bucharest|Sofia|Belgrade*|Kyiv|Tallinn|Vilnius|" +
  "Riga|Istanbul|Tel Aviv|Jerusalem|Haifa|Dubai|Abu Dhabi|Riyadh|Doha|Cairo*|Lagos|Nairobi|Cape Town|" +
  "Johannesburg|Bengaluru|Bangalore|Hyderabad|Mumbai|Pune|Delhi*|New Delhi|Gurgaon|Gurugram|Noida|" +
  "Chennai|Kolkata|Tokyo|Osaka|Kyoto|Seoul|Beijing|Shanghai|Shenzhen|Guangzhou|Taipei|Bangkok|Manila*|" +
  "Jakarta|Kuala Lumpur|Ho Chi Minh City|Hanoi|Sydney*|Melbourne*|Brisbane*|Perth*|Auckland|" +
  "Mexico City|Guadalajara|Monterrey|São Paulo|Rio de Janeiro|Buenos Aires|Bogotá|Medellín|Lima*|" +
  "Santiago*|Montevideo*";

/**
 * Names of regions that span several countries, and names of countries that the Unicode CLDR does
 * not contain.
 */
export const ELSEWHERE = "Europe|Asia|Africa|Oceania|Latin America|South America|Central America|" +
  "Middle East|England|Scotland|Wales|Northern Ireland|Turkey|Korea|Czech Republic|Holland|Hong Kong|" +
  "Macau|Bosnia|Congo|Palestine|Asia Pacific|Asie|Afrique|Amérique latine|Amérique du Sud|" +
  "Angleterre|Écosse";

/** Words for "anywhere". A text with such a word is unclear, whatever places it names. */
export const WORLDWIDE =
  "Worldwide|Global|Globally|Americas|Amériques|Monde entier|Anywhere in the world";

/** Names of areas that include both Canada and the United States. */
export const BOTH_COUNTRIES = "North America|Amérique du Nord|NORAM|NAMER";
