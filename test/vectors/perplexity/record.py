"""Records perplexities of texts by NumPy: python3 record.py > numpy.json

Words and bytes are counted and pooled by the definitions of lm-evaluation-harness: a perplexity of
words (bytes) is exp(-sum of log-probabilities / number of words (bytes)) over all texts, words being
len(re.split(r"\\s+", text)). Half of the cases have a token before the text, so that every token of
the text has a probability; in the others the first token of a text has none, its characters are
counted nowhere, and white space right after it begins no word.
"""
import json
import re

import numpy as np

rng = np.random.RandomState(20261116)
pieces = ["snow", " is", " cold", "\n", "  ", "\u3000", "\x1c", "日本", "の", "😀", " naïve", ".", "\u00a0", "\ufeff", " a"]


def draw_text():
    tokens = ["It"] + [pieces[i] for i in rng.randint(len(pieces), size=rng.randint(2, 40))]
    logprobs = [round(float(x), 6) for x in -rng.exponential(1.7, size=len(tokens))]
    return {"tokens": tokens, "logprobs": logprobs}


def figures(texts, has_mark):
    rows = []
    for text in texts:
        first = 0 if has_mark else 1
        counted = "".join(text["tokens"][first:])
        logprobs = np.array(text["logprobs"][first:])
        words = re.split(r"\s+", counted)
        words = words[1:] if not has_mark and words[0] == "" else words
        rows.append([-logprobs.sum(), len(logprobs), len(words), len(counted.encode("utf-8"))])
    nats, tokens, words, size = np.array(rows).T

    def pooled(of):
        return {
            "token_perplexity": np.exp(nats[of].sum() / tokens[of].sum()),
            "word_perplexity": np.exp(nats[of].sum() / words[of].sum()),
            "byte_perplexity": np.exp(nats[of].sum() / size[of].sum()),
            "bits_per_byte": nats[of].sum() / size[of].sum() / np.log(2),
        }

    count = len(texts)
    resampled = [pooled(rng.randint(count, size=count)) for _ in range(20000)]
    values = pooled(np.arange(count))
    return {
        "rows": {
            "nll": float(np.mean(nats / tokens)),
            "row_ppl": float(np.mean(np.exp(nats / tokens))),
            "row_bits_per_byte": float(np.mean(nats / np.log(2) / size)),
        },
        "pooled": {
            name: {
                "value": float(value),
                "interval": [float(x) for x in np.percentile([one[name] for one in resampled], [2.5, 97.5])],
            }
            for name, value in values.items()
        },
    }


texts = [draw_text() for _ in range(60)]
cases = [{"hasMark": mark, **figures(texts, mark)} for mark in (True, False)]
print(json.dumps({"numpy": np.__version__, "texts": texts, "cases": cases}, ensure_ascii=True))
