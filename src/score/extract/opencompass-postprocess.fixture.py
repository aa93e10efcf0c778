"""Writes opencompass-postprocess.fixture.json: python3 this-file > the-fixture.

An independent rendering of the post-processors' description in Python, whose `re`, `str.isupper`
and `float` are the ones to imitate, run over random texts made of phrases, options and noise.
"""
import json
import platform
import random
import re
import sys
from re import _parser as parser


def first_option_patterns(options, cushion):
    x = f'([{options}])'
    end_mark = r'[。\.]?$'
    numbered = [
        rf'答案是?\s*{x}',
        rf'答案是?\s*：\s*{x}',
        rf'答案是?\s*:\s*{x}',
        *[rf'答案选项应?该?{verb}\s*{x}' for verb in '是为'],
        *[rf'答案应该?{verb}\s*{x}' for verb in '是选'],
        rf'答案选项为?\s*：\s*{x}',
        rf'答案选项为?\s+\(?\*{{0,2}}{x}\*{{0,2}}\)?',
        rf'答案选项是?\s*:\s*{x}',
        *[rf'答案{verb}\s*{x}' for verb in '为选'],
        rf'选择?\s*{x}',
        rf'故选?\s*{x}只有选?项?\s?{x}\s?是?对',
        *[rf'只有选?项?\s?{x}\s?{verdict}' for verdict in ('是?错', '不?正确', '错误')],
        *[rf'说法{kind}选?项?的?是\s?{x}' for kind in ('不?对', '不?正确', '错误')],
        rf'{x}\s?是正确的',
        rf'{x}\s?是正确答案',
        rf'选项\s?{x}\s?正确',
        rf'所以答\s?{x}',
        *[rf'{word}\s?([{options}][.。$]?)$' for word in ('所以', '所有')],
        rf'[\s，：:,]{x}[。，,\.]?$',
        rf'[\s，,：:][故即]{x}{end_mark}',
        rf'[\s，,：:]因此{x}{end_mark}',
        rf'[是为。]\s?{x}{end_mark}',
        *[rf'{word}\s?{x}{end_mark}' for word in ('因此', '显然')],
        *[rf'答案{verb}\s?(\S+)(?:。|$)' for verb in ('是', '应该是', '为')],
        rf'(?i)ANSWER\s*:\s*{x}',
        rf'[Tt]he answer is:?\s+\(?{x}\)?',
        rf'[Tt]he answer is:?\s+\(?\*{{0,2}}{x}\*{{0,2}}\)?',
        rf'[Tt]he answer is option:?\s+\(?{x}\)?',
        rf'[Tt]he correct answer is:?\s+\(?{x}\)?',
        rf'[Tt]he correct answer is option:?\s+\(?{x}\)?',
        *[
            rf'[Tt]he correct {noun} is:?.*?boxed{{{x}}}'
            for noun in ('answer', 'option', 'answer option')
        ],
        rf'[Tt]he answer to the question is:?\s+\(?{x}\)?',
        rf'^选项\s?{x}',
        rf'^{x}\s?选?项',
        rf'(\s|^)[{options}][\s。，,：:\.$]',
        r'1.\s?(.*?)$',
        rf'1.\s?{x}[.。$]?$',
    ]
    assert len(numbered) == 50
    return numbered + ([rf'{x}:', x] if cushion else [])


def first_option(text, options, cushion):
    """The option, and the number of the pattern that gave it."""
    for number, pattern in enumerate(first_option_patterns(options, cushion), 1):
        match = re.search(pattern, text.strip(), re.DOTALL)
        found = '' if match is None else match[1] or match[0]
        for option in options:
            if option in found:
                return option, number
    return '', 0


def general(text):
    start = re.split(r'[\n.,]', text)[0]
    words = re.sub(r'[^\w\s]', '', start)
    words = re.sub(r'\b(a|an|the)\b', '', words, flags=re.IGNORECASE)
    return re.sub(r'\s+', ' ', words).strip()


def first_number(text):
    match = re.search(r'-?\d+(\.\d+)?', text)
    return None if match is None else float(match[0])


def expected(text, options):
    capitals = [character for character in text if character.isupper()]
    chosen = [character for character in text if character in options]
    results = {
        'general': general(text),
        'first-capital': ''.join(capitals[:1]),
        'last-capital': ''.join(capitals[-1:]),
        'first-capital-multi': ''.join(re.findall('[A-D]+', text)[:1]),
        'multiple-select': ''.join(sorted(set(capitals))),
        'extract-non-reasoning-content': re.sub('(?s)<think>.*?</think>', '', text).strip(),
        'last_option': ''.join(chosen[-1:]),
        'first_number': first_number(text),
        'first_option': first_option(text, options, True)[0],
        'first_option_nocushion': first_option(text, options, False)[0],
    }
    return {name: result for name, result in results.items() if result not in ('', None)}


phrases = [
    *'答案 是 应该 应 该 选 项 选项 选择 为 故 故选 只有 对 错 不 正确 错误 的 说法'.split(),
    *'是正确的 是正确答案 所以 所以答 所有 即 因此 显然'.split(),
    *'The answer is|the answer is|the correct answer is|The correct option is'.split('|'),
    *'The correct answer option is|The answer to the question is|the answer is option'.split('|'),
    *'The correct answer is option| option|ANSWER|Answer|answer'.split('|'),
    *r'\boxed{ boxed{ } 1. 1) 1 <think> </think>'.split(),
]
marks = [
    *'：:,，.。$*()-_\n\t  \x1c\x85\xa0\u3000\ufeff\u2028',
    *('**', '\r\n'),
]
noise = [
    *'aTÉéßǅⅣⒷＢ中の한ي٣४𝟟𝐀𐐀½²İıſ😀0',
    *('an', 'The', 'a ', ' an ', '-12', '3.50', '٣.١', 'i\u0301'),
]


def random_text(draw, options):
    pieces = []
    for _ in range(draw.randint(1, 9)):
        kinds = (phrases, marks, noise, options, options.lower())
        pieces.append(draw.choice(draw.choices(kinds, (6, 4, 2, 4, 1))[0]))
    return ''.join(pieces)


def matching_text(draw, options):
    """A text that one of the patterns matches, often with something before or after."""
    pattern = draw.choice(first_option_patterns(options, True))
    edges = ['', '', ''] + marks + noise + list(options)
    return draw.choice(edges) + sample_items(draw, parser.parse(pattern)) + draw.choice(edges)


def sample_items(draw, items):
    return ''.join(sample_item(draw, str(kind), value) for kind, value in items)


def sample_item(draw, kind, value):
    match kind:
        case 'LITERAL':
            return chr(value)
        case 'ANY':
            return draw.choice(marks + noise)
        case 'IN':
            return sample_items(draw, [draw.choice(value)])
        case 'CATEGORY':
            spaces = [' ', ' ', '\n', '\u3000', '\x1f']
            return draw.choice(spaces if str(value) == 'CATEGORY_SPACE' else list('ABx1。'))
        case 'MAX_REPEAT' | 'MIN_REPEAT':
            low, high, items = value
            times = draw.randint(low, min(high, low + 2))
            return ''.join(sample_items(draw, items) for _ in range(times))
        case 'SUBPATTERN':
            return sample_items(draw, value[-1])
        case 'BRANCH':
            return sample_items(draw, draw.choice(value[1]))
        case 'AT':
            return ''
    raise ValueError(kind)


def make_cases(draw, make_count, keep_count):
    """Keeps a few texts for each pattern that decides, then fills up with others."""
    per_pattern, rest = {}, []
    for number in range(make_count):
        options = draw.choice(['ABCD', 'ABCD', 'ABCDE', 'AB', 'ABCDEFGHIJ', '1234'])
        text = (random_text, matching_text)[number % 2](draw, options)
        case = {'text': text, 'options': options, **expected(text, options)}
        kept = per_pattern.setdefault(first_option(text, options, True)[1], [])
        (kept if len(kept) < 3 else rest).append(case)
    cases = [case for number in sorted(per_pattern) for case in per_pattern[number]]
    return cases + draw.sample(rest, keep_count - len(cases))


def escape(line):
    """Makes invisible characters visible; all of them are below U+10000."""
    return ''.join(c if c.isprintable() else f'\\u{ord(c):04x}' for c in line)


def main():
    seed, make_count, keep_count = (int(value) for value in sys.argv[1:] or (20, 20000, 200))
    cases = make_cases(random.Random(seed), make_count, keep_count)
    how = (
        'opencompass-postprocess.fixture.py on CPython '
        f'{platform.python_version()}, seed {seed}: texts made of phrases, options and noise, '
        'up to three for each pattern that decides, the rest at random; empty results left out'
    )
    lines = ',\n'.join('    ' + escape(json.dumps(case, ensure_ascii=False)) for case in cases)
    print(f'{{\n  "how": {json.dumps(how)},\n  "cases": [\n{lines}\n  ]\n}}')


main()
