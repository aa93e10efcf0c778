"""Scores documents by BM25 with plain dictionaries, one document after the other. Called by the benchmark.

Reads {"documents": [[word, ...], ...], "queries": [[word, ...], ...]} from the file that is named, and
prints the seconds of each query and the scores of all documents for it.
"""

import json
import math
import sys
import time

K1, B, EPSILON = 1.5, 0.75, 0.25


def count_words(documents):
    counts = []
    for words in documents:
        count = {}
        for word in words:
            count[word] = count.get(word, 0) + 1
        counts.append(count)
    return counts


def weigh_words(counts):
    holding = {}
    for count in counts:
        for word in count:
            holding[word] = holding.get(word, 0) + 1
    weights = {
        word: math.log(len(counts) - number + 0.5) - math.log(number + 0.5)
        for word, number in holding.items()
    }
    smallest = EPSILON * sum(weights.values()) / len(weights)
    return {word: smallest if weight < 0 else weight for word, weight in weights.items()}


def score(query, counts, lengths, weights):
    mean = sum(lengths) / len(lengths)
    scores = [0.0] * len(counts)
    for word in query:
        weight = weights.get(word, 0)
        for index, count in enumerate(counts):
            frequency = count.get(word, 0)
            norm = K1 * (1 - B + B * lengths[index] / mean)
            scores[index] += weight * (frequency * (K1 + 1) / (frequency + norm))
    return scores


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        task = json.load(file)
    counts = count_words(task["documents"])
    lengths = [len(words) for words in task["documents"]]
    weights = weigh_words(counts)
    results = []
    for query in task["queries"]:
        start = time.perf_counter()
        scores = score(query, counts, lengths, weights)
        results.append({"seconds": time.perf_counter() - start, "scores": scores})
    json.dump(results, sys.stdout)


main()
