"""Questions with four options, in English and Japanese."""

import lexicon


def pairs(text):
    return [tuple(pair.split()) for pair in text.split("|")]


def members(categories):
    return {name: words.split() for name, words in categories.items()}


CATEGORY_WORDS = {"en": members(lexicon.CATEGORIES_EN), "ja": members(lexicon.CATEGORIES_JA)}
OPPOSITES = {"en": pairs(lexicon.OPPOSITES_EN), "ja": pairs(lexicon.OPPOSITES_JA)}
CAPITALS = {
    "en": [(country, city) for country, city, _, _ in lexicon.CAPITALS],
    "ja": [(country, city) for _, _, country, city in lexicon.CAPITALS],
}
CYCLES = {
    "en": [lexicon.MONTHS_EN, lexicon.WEEKDAYS_EN],
    "ja": [[f"{month}月" for month in range(1, 13)], lexicon.WEEKDAYS_JA],
}
QUESTIONS = {
    "en": {
        "member": ("Which of these is {0}?", "Which one is {0}?"),
        "stranger": ("Which of these is not {0}?",),
        "opposite": ("What is the opposite of {0}?",),
        "capital": ("What is the capital of {0}?", "Which city is the capital of {0}?"),
        "largest": ("Which number is the largest?",),
        "smallest": ("Which number is the smallest?",),
        "sum": ("What is {0} + {1}?",),
        "after": ("What comes after {0}?",),
        "initial": ("Which word begins with {0}?",),
    },
    "ja": {
        "member": ("次のうち{0}はどれですか。", "{0}はどれですか。"),
        "stranger": ("次のうち{0}でないものはどれですか。",),
        "opposite": ("「{0}」の反対は何ですか。",),
        "capital": ("{0}の首都はどこですか。",),
        "largest": ("一番大きい数はどれですか。",),
        "smallest": ("一番小さい数はどれですか。",),
        "sum": ("{0}+{1}はいくつですか。",),
        "after": ("{0}の次は何ですか。",),
    },
}


def draw_choice(rng, language, kind):
    """What fills the question, the right option and three wrong ones."""
    words = CATEGORY_WORDS[language]
    if kind in ("member", "stranger"):
        name, other = rng.sample(list(words), 2)
        if kind == "stranger":
            return (name,), rng.choice(words[other]), rng.sample(words[name], 3)
        others = [entry for entry in words if entry != name]
        wrong = [rng.choice(words[entry]) for entry in rng.sample(others, 3)]
        return (name,), rng.choice(words[name]), wrong
    if kind in ("opposite", "capital"):
        table = (OPPOSITES if kind == "opposite" else CAPITALS)[language]
        asked, *others = rng.sample(table, 4)
        if kind == "capital":
            return asked[:1], asked[1], [city for _, city in others]
        turn = rng.random() < 0.5
        return (asked[turn],), asked[not turn], [rng.choice(pair) for pair in others]
    if kind in ("largest", "smallest"):
        numbers = sorted(rng.sample(range(100), 4), reverse=kind == "largest")
        return (), str(numbers[0]), [str(number) for number in numbers[1:]]
    if kind == "sum":
        a, b = rng.randrange(1, 50), rng.randrange(1, 50)
        near = [a + b + step for step in (-10, -2, -1, 1, 2, 10) if a + b + step >= 0]
        return (a, b), str(a + b), [str(number) for number in rng.sample(near, 3)]
    if kind == "after":
        cycle = rng.choice(CYCLES[language])
        start = rng.randrange(len(cycle))
        steps = rng.sample(range(2, len(cycle)), 3)
        at = lambda step: cycle[(start + step) % len(cycle)]
        return (at(0),), at(1), [at(step) for step in steps]
    chosen = [rng.choice(entry) for entry in words.values()]
    answer = rng.choice(chosen)
    wrong = [entry for entry in chosen if entry[0] != answer[0]]
    return (answer[0],), answer, rng.sample(wrong, 3)


def choice(rng, language):
    kind = rng.choice(list(QUESTIONS[language]))
    filling, right, wrong = draw_choice(rng, language, kind)
    place = rng.randrange(4)
    options = [*wrong[:place], right, *wrong[place:]]
    return {
        "question": rng.choice(QUESTIONS[language][kind]).format(*filling),
        **dict(zip("ABCD", options)),
        "letter": "ABCD"[place],
        "lower": "abcd"[place],
        "index": place,
        "number": place + 1,
        "right": right,
    }


def choice_en(rng, operation):
    return choice(rng, "en")


def choice_ja(rng, operation):
    return choice(rng, "ja")
