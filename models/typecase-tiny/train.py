"""Trains typecase-tiny from nothing and measures it.

    python3 train.py OUTPUT

writes OUTPUT/weights.npz (fp16), OUTPUT/results.json and OUTPUT/vectors.json.
"""

import argparse
import json
import math
import os
import time
from multiprocessing import Pool
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from architecture import Architecture
from evaluate import evaluate
from generate import ANSWER_FLAG, SILENT_FLAG, TOKEN_MASK, pack
from network import Network, rounded
from reference import references

# How much a token that no answer holds counts in the loss.
QUESTION_WEIGHT = 0.2
ROWS_PER_PART = 512


def pack_part(seed):
    return pack(seed, ROWS_PER_PART)


def training_text(seed, rows, workers):
    parts = -(-rows // ROWS_PER_PART)
    with Pool(workers) as pool:
        packed = pool.map(pack_part, [seed * 1_000_000 + part for part in range(parts)])
    return torch.from_numpy(np.concatenate(packed)[:rows])


def loss_of(network, entries, dtype):
    tokens = (entries & TOKEN_MASK).long()
    flags = entries[:, 1:]
    weight = torch.where((flags & ANSWER_FLAG) > 0, 1.0, QUESTION_WEIGHT)
    weight = torch.where((flags & SILENT_FLAG) > 0, 0.0, weight)
    logits = network(tokens[:, :-1], dtype).float()
    each = functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
    return (each * weight.flatten()).sum() / weight.sum()


def rate_at(step, options):
    """Linear warm-up, then a cosine down to nothing."""
    if step < options.warm_up:
        return options.rate * (step + 1) / options.warm_up
    progress = (step - options.warm_up) / (options.steps - options.warm_up)
    return options.rate * 0.5 * (1 + math.cos(math.pi * progress))


def optimizer_of(network, device):
    matrices = [value for value in network.parameters() if value.ndim == 2]
    vectors = [value for value in network.parameters() if value.ndim == 1]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]
    faster = {"fused": True} if device == "cuda" else {}
    return torch.optim.AdamW(groups, betas=(0.9, 0.95), **faster)


def train(network, text, options, device):
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    step_loss = torch.compile(loss_of) if device == "cuda" else loss_of
    optimizer = optimizer_of(network, device)
    generator = torch.Generator().manual_seed(options.seed)
    order, start = torch.empty(0, dtype=torch.long), time.time()
    for step in range(options.steps):
        if len(order) < options.batch:
            order = torch.randperm(len(text), generator=generator)
        chosen, order = order[: options.batch], order[options.batch :]
        loss = step_loss(network, text[chosen.to(text.device)], dtype)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, options)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 250 == 0 or step == options.steps - 1:
            print(f"step {step} loss {loss.item():.4f} {time.time() - start:.0f} s", flush=True)


def lines_of(entries):
    """A JSON list with one entry on each line."""
    return "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries) + "\n]\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--rows", type=int, default=500_000, help="rows of training text")
    parser.add_argument("--batch", type=int, default=64, help="rows in a step")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--warm-up", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    options.output.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    began = time.time()
    text = training_text(options.seed, options.rows, options.workers).to(device)
    print(f"{text.numel() / 1e6:.0f} M tokens of text in {time.time() - began:.0f} s", flush=True)
    network = Network(Architecture()).to(device)
    train(network, text, options, device)
    trained = network.export()
    halves = {name: value.astype(np.float16) for name, value in trained.items() if value.ndim == 2}
    np.savez(options.output / "weights.npz", **(trained | halves))
    network.load(rounded(trained))
    began = time.time()
    table = evaluate(network, device, Architecture().context, options.workers)
    (options.output / "results.json").write_text(lines_of(table), encoding="utf-8")
    print(f"{len(table)} results in {time.time() - began:.0f} s", flush=True)
    (options.output / "vectors.json").write_text(lines_of(references(trained)), encoding="utf-8")


if __name__ == "__main__":
    main()
