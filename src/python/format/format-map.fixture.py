"""Records what str.format_map gives, with CPython 3.11.7:

    python3 format-map.fixture.py > format-map.fixture.jsonl
"""
import json
import platform
import random

VALUES = [
    "", "What color is the car?", "日本語😀é'\"", "a\n\t\\x\x85\u2028", None, True, False,
    42, -3, 0, 65, 1234567, -1234567, 2**70, 7.5, 1.0, -0.0, 1e22, 123456789.123, 0.5, 2.5, 0.1,
    99.5, 1e-7, 1e16, 5e-324, 1.7976931348623157e308, [1, "a", [2.0]], {"a": 1, "b": {"c": "x"}},
]
NAMES = ["q", "n", "f", "u"]


class SafeDict(dict):
    def __missing__(self, key):
        return ""


def pick(rng, share, choices):
    return rng.choice(choices) if rng.random() < share else ""


def spec(rng):
    align = pick(rng, 0.4, ["<", ">", "^", "="])
    return "".join([
        pick(rng, 0.5, list("*0 日x<😀")) if align else "",
        align,
        pick(rng, 0.25, list("+- ")),
        pick(rng, 0.08, ["z"]),
        pick(rng, 0.2, ["#"]),
        pick(rng, 0.25, ["0"]),
        pick(rng, 0.6, ["0", "1", "3", "5", "8", "9", "10", "11", "12", "20", "25"]),
        pick(rng, 0.2, [",", "_", ",_", "_,", ",,"]),
        pick(rng, 0.4, [".", ".0", ".1", ".2", ".3", ".6", ".10", ".17", ".25"]),
        pick(rng, 0.7, list("sdfFeEgG%xXobcnq")),
        pick(rng, 0.05, ["x"]),
    ])


def path(rng):
    steps = [".x", ".real", ".imag", "[0]", "[1]", "[a]", "[b][c]", "[99]", "[-1]", "[]", ".",
             "[0", "]x", ".numerator", ".denominator", "[0]x"]
    return "".join(rng.choice(steps) for _ in range(2) if rng.random() < 0.2)


def field(rng):
    nested = ["{n}", "{q}{n}", ">{w}", "{n:{n}}", "{{}}", "{unknown}>5", "{n!r}.{w}f", ".{w}{t}"]
    return "".join([
        "{",
        rng.choice(NAMES * 4 + ["unknown", "", "0", "12", " q", "q "]),
        path(rng),
        pick(rng, 0.2, ["!r", "!s", "!a", "!x", "!"]),
        ":" + (spec(rng) if rng.random() < 0.85 else rng.choice(nested)) if rng.random() < 0.7 else "",
        pick(rng, 0.97, ["}"]),
    ])


def template(rng):
    literals = ["a ", "{{", "}}", "{", "}", "é", " "]
    parts = [field(rng) if rng.random() < 0.8 else rng.choice(literals) for _ in range(2)]
    return "".join(parts[: rng.choice([1, 1, 2])])


def record(rng):
    values = {name: rng.choice(VALUES) for name in NAMES}
    values.update(w=rng.choice([3, 8, "5"]), t=rng.choice("fseg"))
    case = {"template": template(rng), "values": values}
    try:
        text = case["template"].format_map(SafeDict(values))
    except Exception as error:
        return {**case, "error": type(error).__name__}
    return {**case, "text": text}


def main():
    rng = random.Random(11)
    counts, cases = {}, []
    while len(cases) < 500:
        case = record(rng)
        kind = case.get("error", "text")
        counts[kind] = counts.get(kind, 0) + 1
        usual = {"ValueError": 120, "TypeError": 40, "text": 300}.get(kind, 20)
        if counts[kind] <= usual and len(case.get("text", "")) < 120:
            cases.append(case)
        if sum(counts.values()) > 200000:
            break
    print(json.dumps({"source": f"CPython {platform.python_version()}, format-map.fixture.py"}))
    for case in cases:
        print(json.dumps(case, ensure_ascii=False))


main()
