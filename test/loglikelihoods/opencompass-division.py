"""Works out anew what opencompass-division.json expects: python3 opencompass-division.py

Follows the arithmetic of a batched causal language model in OpenCompass with NumPy: token ids padded on
the right, losses of all but the first token, and `lens`, the number of ids that are no padding. The
log-probabilities are those of typecase-tiny, whose tokens are bytes after one mark that begins a text.
"""

import json
import pathlib

import numpy as np

PAD, BOS = 0, 1
path = pathlib.Path(__file__).with_suffix(".json")
fixture = json.loads(path.read_text(encoding="utf-8"))
texts = fixture["texts"]


def batch_losses(has_bos, masked):
    """Mean losses of all texts as one padded batch; of masked ones their context does not count."""
    prefix = [BOS] if has_bos else []
    rows = [prefix + [2 + ord(character) for character in entry["text"]] for entry in texts]
    width = max(map(len, rows))
    ids = np.full((len(rows), width), PAD)
    loss = np.zeros((len(rows), width - 1))
    for row, (entry, own) in enumerate(zip(texts, rows)):
        ids[row, : len(own)] = own
        # Without a mark the first token has no loss.
        values = entry["logprobs"] if has_bos else entry["logprobs"][1:]
        loss[row, : len(values)] = -np.array(values)
    lens = (ids != PAD).sum(-1)
    if masked:
        lengths = [len(prefix) + entry["context"] for entry in texts]
        mask = np.zeros_like(loss)
        for row, length in enumerate(lengths):
            for position in range(length - 1, width - 1):
                mask[row][position] = 1
        loss = loss * mask
        lens = lens - np.array(lengths)
    return loss.sum(-1) / lens


for name, has_bos, masked in [
    ("whole", True, False),
    ("part", True, True),
    ("wholeWithoutMark", False, False),
    ("partWithoutMark", False, True),
]:
    for entry, value in zip(texts, batch_losses(has_bos, masked)):
        entry[name] = float(value)

path.write_text(json.dumps(fixture, indent=1) + "\n", encoding="utf-8")
