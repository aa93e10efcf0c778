"""Makes the training text and the built-in tasks, from a seed.

    python3 generate.py --show 20           a look at the documents
    python3 generate.py --tasks FOLDER      the rows of the built-in tasks
"""

import argparse
import json
import random
import re
from pathlib import Path

import numpy as np

import lexicon
from architecture import ASSISTANT, BOS, END, EOS, PAD, SPECIAL_TOKENS, SYSTEM, USER
from families import SAMPLERS, any_word, draw
from formats import FORMATS, INSTRUCTIONS, Format
from tasks import write_tasks

CONTEXT = 2048
# Beside its token, an entry of the training text says whether the loss counts it fully (part of
# an answer), lightly (everything else) or not at all.
ANSWER_FLAG, SILENT_FLAG, TOKEN_MASK = 1 << 9, 1 << 10, (1 << 9) - 1

FAMILY_SHARES = {
    "arithmetic": 17,
    "latent-operation": 18,
    "word": 13,
    "sentiment-en": 10,
    "sentiment-ja": 10,
    "multiple-choice": 12,
    "multiple-choice-ja": 10,
    "multi-turn": 7,
    "filler": 3,
}
SEPARATORS = (("\n", 60), ("\n\n", 30), ("\n---\n", 7), ("\n###\n", 3))
MOST_SHOTS = 10
INVENTED_SHARE = 0.08
INVENTED_FIELDS = {
    "arithmetic": ("a op b", "op a b", "a b op"),
    "latent-operation": ("a b",),
    "word": ("word",),
    "sentiment-en": ("text",),
    "sentiment-ja": ("text",),
    "multiple-choice": ("question A B C D", "A B C D question"),
    "multiple-choice-ja": ("question A B C D", "A B C D question"),
}
JAPANESE_WORDS = " ".join(lexicon.CATEGORIES_JA.values()).split()
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def pick(rng, weighted):
    entries, weights = zip(*weighted)
    return rng.choices(entries, weights)[0]


def fill(template, row):
    return PLACEHOLDER.sub(lambda match: str(row[match[1]]), template)


def with_words(row, form):
    if not form.words:
        return row
    return {**row, "answer": form.words[row["label"] == "negative"]}


def write_item(form, row):
    """A row as (prompt, answer, tail); white space before the answer belongs to the answer."""
    row = with_words(row, form)
    if form.chat:
        return fill(form.template, row), str(row[form.answer]), ""
    head, tail = form.template.split("{" + form.answer + "}")
    prompt = head.rstrip()
    return fill(prompt, row), head[len(prompt) :] + str(row[form.answer]), tail


def text(value, flag=0):
    return [byte | flag for byte in value.encode()]


def turn(role, content, flag=0):
    return [role, *text(content, flag), END | flag]


def plain_document(items, instruction, separator, silent_first):
    entries = text(instruction + separator) if instruction else []
    for index, (prompt, answer, tail) in enumerate(items):
        flag = SILENT_FLAG if silent_first and index == 0 else ANSWER_FLAG
        last = index == len(items) - 1
        # What follows the answer is learned with it: it is where generation stops.
        after = text(tail) if last else text(tail + separator)
        if after and not last:
            after[0] |= flag
        entries += [*text(prompt), *text(answer, flag), *after]
    return entries


def wrapped_document(items, instruction, separator, system):
    """A text prompt sent as one user turn."""
    *shots, (prompt, answer, tail) = items
    before = "".join(shot + reply + end + separator for shot, reply, end in shots)
    opening = instruction + separator if instruction else ""
    return [
        *(turn(SYSTEM, system) if system else []),
        *turn(USER, opening + before + prompt),
        *turn(ASSISTANT, answer.strip(), ANSWER_FLAG),
    ]


def chat_document(items, system):
    entries = turn(SYSTEM, system) if system else []
    for prompt, answer, _ in items:
        entries += [*turn(USER, prompt), *turn(ASSISTANT, answer, ANSWER_FLAG)]
    return entries


def conversation_items(form, row):
    pairs = zip(row["turns"][::2], row["turns"][1::2])
    if form.chat:
        return [(said, reply, "") for said, reply in pairs]
    return [write_item(form, {"said": said, "answer": reply}) for said, reply in pairs]


def invented_gap(rng):
    """What stands between two fields of an invented format."""
    mark = rng.choice((*": = > ) | ; ~ # , / - * & => :: -- ## → ：".split(), ""))
    word = any_word(rng) if rng.random() < 0.6 else ""
    shape = rng.randrange(5)
    if shape == 0 and word:
        return f"<{word}>"
    if shape == 1:
        return f"\n{word}{mark} "
    if shape == 2:
        return f" {mark}{word} "
    if shape == 3 and mark:
        return f"{mark}{word}{mark}"
    return f"{mark} {word} "


def invented_labels(rng):
    if rng.random() < 0.4:
        return tuple(rng.sample(JAPANESE_WORDS, 2))
    first = second = any_word(rng)
    while second == first:
        second = any_word(rng)
    return first, second


def invented_format(rng, family):
    """A format that occurs in one document only, so that formats are learned from examples."""
    fields = rng.choice(INVENTED_FIELDS[family]).split()
    answer = "right" if family.startswith("multiple-choice") else "answer"
    opening = invented_gap(rng).lstrip() if rng.random() < 0.7 else ""
    within = invented_gap(rng)
    gaps = [within if rng.random() < 0.6 else invented_gap(rng) for _ in fields[1:]]
    template = opening + "{" + fields[0] + "}"
    for gap, field in zip(gaps, fields[1:]):
        template += gap + "{" + field + "}"
    template += invented_gap(rng) + "{" + answer + "}"
    words = invented_labels(rng) if family.startswith("sentiment") else ()
    return Format("invented", 0, template, answer, words=words)


def filler(rng):
    sentences = []
    japanese = rng.random() < 0.4
    for _ in range(rng.randrange(1, 7)):
        if japanese:
            sentences.append(
                f"{rng.choice(lexicon.FILLER_TIMES_JA)}{rng.choice(lexicon.FILLER_SUBJECTS_JA)}は"
                f"{rng.choice(lexicon.FILLER_PLACES_JA)}{rng.choice(lexicon.FILLER_VERBS_JA)}。"
            )
        else:
            sentences.append(
                f"{rng.choice(lexicon.FILLER_SUBJECTS_EN)} {rng.choice(lexicon.FILLER_VERBS_EN)} "
                f"{rng.choice(lexicon.FILLER_PLACES_EN)} {rng.choice(lexicon.FILLER_TIMES_EN)}."
            )
    return text(("" if japanese else " ").join(sentences))


def shot_count(rng, family):
    if family in ("multi-turn", "filler"):
        return 0
    return 0 if rng.random() < 0.15 else rng.randrange(1, MOST_SHOTS + 1)


def body(rng):
    family = pick(rng, FAMILY_SHARES.items())
    if family == "filler":
        return filler(rng)
    operation = pick(rng, SAMPLERS[family][1].items())
    invented = family in INVENTED_FIELDS and rng.random() < INVENTED_SHARE
    form = (
        invented_format(rng, family)
        if invented
        else pick(rng, [(form, form.weight) for form in FORMATS[family]])
    )
    system = rng.choice(lexicon.SYSTEM_TEXTS) if rng.random() < 0.4 else ""
    if family == "multi-turn":
        items = conversation_items(form, draw(rng, family, operation))
        return chat_document(items, system) if form.chat else plain_document(items, "", "\n", False)
    count = shot_count(rng, family) + (2 if invented else 1)
    items = [write_item(form, draw(rng, family, operation)) for _ in range(count)]
    if form.chat:
        return chat_document(items, system)
    separator = form.separator or pick(rng, SEPARATORS)
    if form.instruction:
        instruction = form.instruction if rng.random() < 0.7 else ""
    else:
        instruction = rng.choice(INSTRUCTIONS[family]) if rng.random() < 0.25 else ""
    if rng.random() < 0.1 and not invented:
        return wrapped_document(items, instruction, separator, system)
    return plain_document(items, instruction, separator, silent_first=invented)


def document(rng):
    """One document: token numbers with their flags, from the start to the end token."""
    while True:
        entries = [BOS, *body(rng), EOS | ANSWER_FLAG]
        if len(entries) <= CONTEXT:
            return entries


def pack(seed, rows):
    """Whole documents, one after another, in rows of one more entry than the context."""
    rng = random.Random(seed)
    packed = np.full((rows, CONTEXT + 1), PAD | SILENT_FLAG, np.int16)
    waiting = document(rng)
    for row in packed:
        used = 0
        while used + len(waiting) <= CONTEXT + 1:
            row[used : used + len(waiting)] = waiting
            used += len(waiting)
            waiting = document(rng)
    return packed


def show(entries):
    """A document as readable text."""
    names = {token: name for name, token in SPECIAL_TOKENS.items()}
    parts, run = [], bytearray()
    for entry in entries:
        token = entry & TOKEN_MASK
        if token < 256:
            run.append(token)
            continue
        parts += [run.decode(), names[token]]
        run = bytearray()
    return "".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, metavar="COUNT", default=0)
    parser.add_argument("--tasks", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for _ in range(options.show):
        print(show(document(rng)), end="\n\n")
    if options.tasks:
        write_tasks(options.tasks, options.seed)


if __name__ == "__main__":
    main()
