"""Measures a trained network on held-out rows, by family, format and number of examples."""

import random
from multiprocessing import Pool

import numpy as np
import torch

from architecture import ASSISTANT, BOS, END, EOS, PAD, USER, VOCAB_SIZE
from families import SAMPLERS, draw
from formats import FORMATS
from generate import conversation_items, turn, write_item

ROWS = 400
SHOTS = (0, 1, 2, 4, 8)
BATCH_TOKENS = 1 << 17


def candidate_rows(form, row):
    """The row once for each possible answer, and which of them is right."""
    if form.words:
        right = row["label"] == "negative"
        return [{**row, "label": label} for label in ("positive", "negative")], int(right)
    if "right" in row:
        rows = [
            {**row, "letter": letter, "lower": letter.lower(), "index": index}
            | {"number": index + 1, "right": row[letter]}
            for index, letter in enumerate("ABCD")
        ]
        return rows, row["index"]
    return [row], 0


def plain_prompt(form, items, prompt):
    separator = form.separator or "\n"
    before = "".join(shot + answer + tail + separator for shot, answer, tail in items)
    opening = form.instruction + separator if form.instruction else ""
    return [BOS, *(opening + before + prompt).encode()]


def chat_prompt(items, prompt):
    tokens = [BOS]
    for shot, answer, _ in items:
        tokens += [*turn(USER, shot), *turn(ASSISTANT, answer)]
    return [*tokens, *turn(USER, prompt), ASSISTANT]


def case(rng, family, form, shots, operation):
    """A prompt's tokens, its candidate answers, the right one, and what may follow it."""
    if family == "multi-turn":
        *items, (prompt, answer, tail) = conversation_items(form, draw(rng, family, None, True))
        answers, right = [answer], 0
    else:
        items = [write_item(form, draw(rng, family, operation)) for _ in range(shots)]
        rows, right = candidate_rows(form, draw(rng, family, operation, True))
        written = [write_item(form, row) for row in rows]
        prompt, _, tail = written[0]
        answers = [answer for _, answer, _ in written]
    tokens = chat_prompt(items, prompt) if form.chat else plain_prompt(form, items, prompt)
    ends = {EOS, END, ord("\n"), (tail or form.separator or "\n").encode()[0]}
    return tokens, [list(answer.encode()) for answer in answers], right, ends


def cases(job):
    family, form, shots, operation = job
    rng = random.Random(f"{family}|{form.name}|{shots}|{operation}")
    return [case(rng, family, form, shots, operation) for _ in range(ROWS)]


def jobs():
    for family, forms in FORMATS.items():
        for form in forms:
            for shots in (0,) if family == "multi-turn" else SHOTS:
                for operation in SAMPLERS[family][1]:
                    yield family, form, shots, operation


def score_batch(network, sequences, device):
    """Log-likelihoods of all tokens but the first, and the most likely tokens everywhere."""
    longest = max(len(prompt) + len(answer) for prompt, answer in sequences)
    longest = -(-longest // 64) * 64
    tokens = np.full((len(sequences), longest), PAD, np.int64)
    for row, (prompt, answer) in zip(tokens, sequences):
        row[: len(prompt) + len(answer)] = prompt + answer
    tokens = torch.from_numpy(tokens).to(device)
    logits = network(tokens)[..., :VOCAB_SIZE]
    chosen = logits[:, :-1].log_softmax(-1).gather(-1, tokens[:, 1:, None])[..., 0]
    return chosen.double().cpu().numpy(), logits.argmax(-1).cpu().numpy()


def score_all(network, sequences, device):
    order = sorted(range(len(sequences)), key=lambda index: sum(map(len, sequences[index])))
    results = [None] * len(sequences)
    batch, width = [], 0
    for place, index in enumerate(order):
        batch.append(index)
        width = -(-sum(map(len, sequences[index])) // 64) * 64
        following = order[place + 1] if place + 1 < len(order) else None
        if following is None or (len(batch) + 1) * (width + 64) > BATCH_TOKENS:
            chosen, top = score_batch(network, [sequences[entry] for entry in batch], device)
            for row, entry in enumerate(batch):
                prompt, answer = sequences[entry]
                end = len(prompt) + len(answer)
                mean = chosen[row, : end - 1].mean()
                results[entry] = (mean, top[row, len(prompt) - 1 : end].tolist())
            batch = []
    return results


def summary(job, rows, results):
    family, form, shots, operation = job
    exact = ranked = 0
    position = 0
    for _, answers, right, ends in rows:
        found = results[position : position + len(answers)]
        position += len(answers)
        *top, after = found[right][1]
        exact += top == answers[right] and after in ends
        ranked += int(np.argmax([mean for mean, _ in found])) == right
    entry = {"task": family, "template": form.name, "exposure": form.exposure, "share": form.weight}
    if operation is not None:
        entry["operation"] = operation
    entry |= {"shots": shots, "rows": len(rows), "gen": exact / len(rows)}
    if len(rows[0][1]) > 1:
        entry["ppl"] = ranked / len(rows)
    return entry


@torch.no_grad()
def evaluate(network, device, context, workers):
    """Accuracy by greedy generation, and by likelihood where the answers are given."""
    todo = list(jobs())
    with Pool(workers) as pool:
        drawn = pool.map(cases, todo, chunksize=4)
    kept = [
        [entry for entry in rows if len(entry[0]) + max(map(len, entry[1])) <= context]
        for rows in drawn
    ]
    sequences = [
        (prompt, answer) for rows in kept for prompt, answers, _, _ in rows for answer in answers
    ]
    results = score_all(network, sequences, device)
    table, position = [], 0
    for job, rows in zip(todo, kept):
        count = sum(len(answers) for _, answers, _, _ in rows)
        # Too few rows fit into the context to say anything.
        if len(rows) >= ROWS // 2:
            table.append(summary(job, rows, results[position : position + count]))
        position += count
    return table
