"""The tasks: each family draws one row at a time, as a dictionary of columns."""

import string
import zlib

import lexicon
from choices import choice_en, choice_ja

# One row in this many is kept out of the training text; the built-in tasks test on those.
HELD_OUT_SHARE = 16

KNOWN_WORDS = [*lexicon.THINGS_EN, *" ".join(lexicon.CATEGORIES_EN.values()).split()]

LATENT_OPERATIONS = {
    "max": max,
    "min": min,
    "first": lambda a, b: a,
    "second": lambda a, b: b,
    "sum": lambda a, b: a + b,
    "gap": lambda a, b: abs(a - b),
    "sum mod 10": lambda a, b: (a + b) % 10,
}

# Copying and first letters outweigh the rest: without examples no other operation is guessed.
WORD_WEIGHTS = {"reverse": 3, "upper": 2, "first": 2, "last": 1, "copy": 6}
WORD_OPERATIONS = {
    "reverse": ("Reverse the word", lambda word: word[::-1]),
    "upper": ("Write in capitals the word", str.upper),
    "first": ("Give the first letter of the word", lambda word: word[0]),
    "last": ("Give the last letter of the word", lambda word: word[-1]),
    "copy": ("Repeat the word", lambda word: word),
}


def is_held_out(family, *parts):
    return zlib.crc32("|".join((family, *map(str, parts))).encode()) % HELD_OUT_SHARE == 0


def arithmetic(rng, operation):
    kind = rng.random()
    if kind < 0.55:
        a, b, op = rng.randrange(100), rng.randrange(100), "+"
        answer = a + b
    elif kind < 0.85:
        a, b, op = rng.randrange(100), rng.randrange(100), "-"
        a, b = max(a, b), min(a, b)
        answer = a - b
    else:
        a, b, op = rng.randrange(2, 13), rng.randrange(2, 13), "*"
        answer = a * b
    return {"a": a, "op": op, "b": b, "answer": answer}


def latent(rng, operation):
    a, b = rng.randrange(100), rng.randrange(100)
    return {"a": a, "b": b, "answer": LATENT_OPERATIONS[operation](a, b)}


def pseudo_word(rng):
    return "".join(rng.choice(lexicon.SYLLABLES) for _ in range(rng.randrange(2, 5)))


def any_word(rng):
    kind = rng.random()
    if kind < 0.5:
        return pseudo_word(rng)
    if kind < 0.75:
        return rng.choice(KNOWN_WORDS)
    return "".join(rng.choices(string.ascii_lowercase, k=rng.randrange(3, 9)))


def word(rng, operation):
    chosen = any_word(rng)
    command, apply = WORD_OPERATIONS[operation]
    return {
        "word": chosen,
        "command": command,
        "function": operation,
        "answer": apply(chosen),
    }


def opinion_en(rng, good):
    """A clause that says something good or bad, sometimes by denying the contrary."""
    thing = rng.choice(lexicon.THINGS_EN)
    adjectives, verbs = (
        (lexicon.POSITIVE_EN, lexicon.POSITIVE_VERBS_EN)
        if good
        else (lexicon.NEGATIVE_EN, lexicon.NEGATIVE_VERBS_EN)
    )
    contrary = lexicon.NEGATIVE_EN if good else lexicon.POSITIVE_EN
    adjective, kind = rng.choice(adjectives), rng.random()
    if kind < 0.3:
        return f"the {thing} was {adjective}"
    if kind < 0.5:
        return f"the {thing} is {rng.choice(lexicon.DEGREES_EN)} {adjective}"
    if kind < 0.65:
        person = rng.choice(lexicon.PEOPLE_EN)
        return f"{person} {rng.choice(verbs)} the {thing}"
    if kind < 0.8:
        article = "an" if adjective[0] in "aeiou" else "a"
        return f"this is {article} {adjective} {thing}"
    return f"the {thing} was not {rng.choice(contrary)}"


def two_against_one(rng, good):
    views = [good, good, not good]
    rng.shuffle(views)
    return views


def sentence_case(text):
    return text[0].upper() + text[1:]


def sentiment_en(rng, operation):
    good, kind = rng.random() < 0.5, rng.random()
    if kind < 0.45:
        text = opinion_en(rng, good)
    elif kind < 0.6:
        text = f"{opinion_en(rng, good)}, and {opinion_en(rng, good)}"
    elif kind < 0.75:
        text = f"{opinion_en(rng, not good)}, but in the end {opinion_en(rng, good)}"
    elif kind < 0.85:
        text = f"it is not true that {opinion_en(rng, not good)}"
    else:
        first, second, third = (opinion_en(rng, view) for view in two_against_one(rng, good))
        text = f"{first}, {second}, {third}"
    return {"text": sentence_case(text) + ".", "label": "positive" if good else "negative"}


def opinion_ja(rng, good):
    thing, degree = rng.choice(lexicon.THINGS_JA), rng.choice(lexicon.DEGREES_JA)
    plain, past, _ = rng.choice(lexicon.POSITIVE_JA if good else lexicon.NEGATIVE_JA)
    _, _, negated = rng.choice(lexicon.NEGATIVE_JA if good else lexicon.POSITIVE_JA)
    kind = rng.random()
    if kind < 0.3:
        return f"この{thing}は{plain}"
    if kind < 0.55:
        return f"{thing}が{past}"
    if kind < 0.8:
        return f"{thing}は{degree}{past}"
    return f"あの{thing}は{negated}"


def sentiment_ja(rng, operation):
    good, kind = rng.random() < 0.5, rng.random()
    if kind < 0.45:
        text = opinion_ja(rng, good)
    elif kind < 0.6:
        text = f"{opinion_ja(rng, good)}し、{opinion_ja(rng, good)}"
    elif kind < 0.75:
        text = f"{opinion_ja(rng, not good)}が、結局{opinion_ja(rng, good)}"
    elif kind < 0.85:
        text = f"{opinion_ja(rng, not good)}というのは嘘だ"
    else:
        text = "。".join(opinion_ja(rng, view) for view in two_against_one(rng, good))
    return {"text": text + "。", "label": "positive" if good else "negative"}


def remembered_fact(rng):
    kind = rng.randrange(5)
    if kind == 0:
        name = rng.choice(lexicon.NAMES_EN)
        return f"My name is {name}.", f"Hello {name}.", "What is my name?", name
    if kind == 1:
        city = rng.choice(lexicon.CITIES_EN)
        return f"I live in {city}.", f"{city} is nice.", "Where do I live?", city
    if kind == 2:
        secret = pseudo_word(rng)
        said, asked = f"The secret word is {secret}.", "What is the secret word?"
        return said, "I will remember.", asked, secret
    if kind == 3:
        name = rng.choice(lexicon.NAMES_JA)
        return f"私の名前は{name}です。", f"こんにちは、{name}さん。", "私の名前は何ですか。", name
    city = rng.choice(lexicon.CITIES_JA)
    return f"私は{city}に住んでいます。", f"{city}は良い所です。", "私はどこに住んでいますか。", city


def small_talk(rng):
    a, b = rng.randrange(50), rng.randrange(50)
    thing, adjective = rng.choice(lexicon.THINGS_EN), rng.choice(lexicon.POSITIVE_EN)
    return rng.choice(
        [
            (f"What is {a} + {b}?", str(a + b)),
            (f"The {thing} was {adjective}.", "Good to hear."),
            ("Hello.", "Hello."),
            ("Thank you.", "You are welcome."),
            ("How are you?", "I am fine."),
            ("元気ですか。", "元気です。"),
        ]
    )


def conversation(rng, operation):
    """Turns as alternating user and assistant texts; the last one is the answer."""
    if rng.random() < 0.5:
        said, reply, asked, answer = remembered_fact(rng)
        between = [text for _ in range(rng.randrange(3)) for text in small_talk(rng)]
        turns = [said, reply, *between, asked, answer]
    else:
        a, b = rng.randrange(50), rng.randrange(30)
        value = a + b
        turns = [f"What is {a} + {b}?", str(value)]
        for _ in range(rng.randrange(1, 4)):
            step = rng.randrange(1, 20)
            if rng.random() < 0.7 or step > value:
                value, asked = value + step, f"Add {step}."
            else:
                value, asked = value - step, f"Take away {step}."
            turns += [asked, str(value)]
    return {"turns": turns, "answer": turns[-1]}


# How each family draws a row, and its operations by how often a document is about them.
SAMPLERS = {
    "arithmetic": (arithmetic, {None: 1}),
    "latent-operation": (latent, dict.fromkeys(LATENT_OPERATIONS, 1)),
    "word": (word, WORD_WEIGHTS),
    "sentiment-en": (sentiment_en, {None: 1}),
    "sentiment-ja": (sentiment_ja, {None: 1}),
    "multiple-choice": (choice_en, {None: 1}),
    "multiple-choice-ja": (choice_ja, {None: 1}),
    "multi-turn": (conversation, {None: 1}),
}


def identity(family, row):
    """What makes a row the same row whatever the format, operation or place of the answer."""
    if family == "multi-turn":
        return row["turns"]
    names = ("a", "op", "b", "word", "text", "question", "right")
    options = sorted(str(row[letter]) for letter in "ABCD" if letter in row)
    return [*(row[name] for name in names if name in row), *options]


def draw(rng, family, operation, held_out=False):
    """A row that is, or is not, among those kept out of the training text."""
    sampler, _ = SAMPLERS[family]
    while True:
        row = sampler(rng, operation)
        if is_held_out(family, *identity(family, row)) == held_out:
            return row
