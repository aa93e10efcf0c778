"""The rows of the built-in tasks, none of which the model saw in training."""

import json
import random

from families import draw, identity
from formats import FORMATS

TRAIN_ROWS = 100
TEST_ROWS = {"multiple-choice": 400, "multiple-choice-ja": 300, "multi-turn": 250}
# The one operation that a task is about, where its family has several.
OPERATIONS = {"latent-operation": "max", "word": "reverse"}


def columns(task, row):
    """The row as the data file shows it."""
    if task == "multi-turn":
        *earlier, question, answer = row["turns"]
        history = [
            {"role": ("user", "assistant")[place % 2], "content": said}
            for place, said in enumerate(earlier)
        ]
        return {"history": history, "question": question, "answer": answer}
    if "letter" in row:
        names = ("question", *"ABCD")
        return {name: row[name] for name in names} | {"answer": row["letter"]}
    if "answer" not in row:
        return row
    kept = {name: row[name] for name in ("a", "op", "b", "word") if name in row}
    return kept | {"answer": str(row["answer"])}


def rows(rng, task, count, held_out):
    found = {}
    while len(found) < count:
        row = draw(rng, task, OPERATIONS.get(task), held_out)
        found.setdefault(str(identity(task, row)), columns(task, row))
    return list(found.values())


def write_tasks(folder, seed):
    for task in FORMATS:
        rng = random.Random(f"{task}|{seed}")
        splits = {
            "train": rows(rng, task, TRAIN_ROWS, held_out=False),
            "test": rows(rng, task, TEST_ROWS.get(task, 500), held_out=True),
        }
        for split, entries in splits.items():
            lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in entries]
            file = folder / task / f"{split}.jsonl"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(lines), encoding="utf-8")
