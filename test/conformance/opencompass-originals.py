"""Draws answers at random and records what OpenCompass's own functions make of them.

    OPENCOMPASS_TREE=TREE python3 test/conformance/opencompass-originals.py > test/vectors/opencompass-originals.jsonl

Packages that are not installed are replaced by empty ones: only functions that do without them are asked.
"""
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import math
import os
import random
import sys
import types
from contextlib import redirect_stdout

ROOT = os.path.join(os.environ['OPENCOMPASS_TREE'], 'opencompass')


class Anything(type):
    def __getattr__(cls, name):
        return cls

    def __call__(cls, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) else super().__call__()


class Empty(metaclass=Anything):
    def __getattr__(self, name):
        return Empty

    def register_module(*args, **kwargs):
        return lambda one: one


class Registry:
    def register_module(self, *args, **kwargs):
        return lambda one: one


class Hollow(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if self.__name__.endswith('registry'):
            return Registry()
        if name == 'BaseEvaluator':
            return type('BaseEvaluator', (), {'__init__': lambda self, *a, **k: None})
        if name == 'AccEvaluator':
            return type('AccEvaluator', (), {'_preprocess': lambda self, one, two: (one, two)})
        if name == 'argmax':
            return lambda items: items.index(max(items))
        if name == 'BaseDataset':
            return type('BaseDataset', (), {})
        return Empty


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """What cannot be imported is an empty module; so is the rest of OpenCompass."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Hollow(spec.name)

    def exec_module(self, module):
        module.__path__ = []


sys.meta_path.append(Finder())
for name in ['sympy', 'sympy.parsing', 'sympy.parsing.latex', 'numpy', 'pandas']:
    sys.modules[name] = Hollow(name)


def module(path):
    name = 'opencompass.' + path[:-3].replace('/', '.')
    spec = importlib.util.spec_from_file_location(name, os.path.join(ROOT, path))
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


draw = random.Random(7)


def text(*pieces, most=8):
    return ''.join(draw.choice(pieces) for _ in range(draw.randint(0, most)))


CODE = ('```', '```python\n', '\n', 'def f(x):\n', '    return x\n', '  y = 1\n', 'import os\n', 'from a import b\n',
        ' ', 'pass', '\n\n', '# done', "'a'", '"', 'x = 1\n', '    # note\n')
WORDS = ('yes', 'no ', 'not ', ' the ', 'The prediction result is ', 'positive', 'negative', '<think>', '</think>',
         ' found', ' can', 'contains a ', ' ', '\n', 'Selection ', '1', '4', 'A', 'b ', ' D.', '(C)', '**B**')
MATH = ('The answer is', ':', ' ', '# Answer', '####', '\\boxed{', '}', '{', '\\frac', '12', '1', '3', '/', '.', '。',
        'The final answer is ', '$', '$.', '\n\nQuestion:', 'x=', '\\sqrt', '0.5', ' .5', '_', ',', '\\text{ ', '\\%', '\\left')
CELLS = ('|', ' House ', '1', '2', 'red', 'Blue', '\n', '---', ' | ', 'x')
KOR = ('[[', ']]', '[', ']', 'A', 'b', ' ', '12', ';', ',', 'or', '\n', '"', '.', '$\\boxed{', '}$', '3 + 5 * 3', '=', '18', '24',
       '8/(3-8/3)', '×', '-', '{', '}', ':')


def cases():
    humaneval = module('datasets/humaneval.py')
    crux = module('datasets/cruxeval.py')
    for name, owner, pieces in [
        ('humaneval_internal_v1_postprocess', humaneval, CODE),
        ('cruxeval_o_postprocess', crux, CODE),
        ('arxivrollbench_selection_postprocess', None, WORDS),
        ('arxivrollbench_choice_postprocess', None, WORDS),
        ('GUE_postprocessor', module('datasets/SciReasoner/GUE.py'), WORDS),
        ('math_intern_postprocess', module('datasets/math_intern.py'), MATH),
    ]:
        function = getattr(owner or arxivroll(), name)
        for _ in range(60):
            given = text(*pieces)
            yield clean(name, function, given, {})
    mat = module('datasets/SciReasoner/LLM4Mat.py')
    for _ in range(80):
        prop = draw.choice(['band_gap', 'SOC', 'Direct_or_indirect', 'is_stable'])
        value = draw.choice(['1.5', 'true', '"Direct"', 'yes', '"no"', '-2e3', 'None', '"1.25"', 'Indirect'])
        given = text('```json\n', '{', 'x', '\n', most=2) + draw.choice(['{"%s": %s}', '{%s : %s}', "%s: %s", '{"a": 1, "%s": %s}']) % (prop, value) + text('```', ' ok', most=1)
        yield clean('LLM4Mat_postprocessor', mat.LLM4Mat_postprocessor, given, dict(property=prop))

    kor = module('datasets/korbench/korbench_utils.py')
    kor_main = module('datasets/korbench/korbench.py')
    kor_main.evaluate_responses = kor.evaluate_responses
    for _ in range(400):
        category = draw.choice(['logic', 'puzzle', 'operation', 'cipher', 'counterfactual'])
        rule = draw.choice(['1', '2', '3', '4', '5', '9', '10', '18', '23', '30'])
        gold = '[[' + text('A', 'b', '12', ' ', ',', ';', 'or', '3 + 5 * 3 = 18', '2*12', most=3) + ']]'
        given = draw.choice([gold, gold.replace('[[', '[[ ').replace(',', ', '), text(*KOR), 'So ' + gold.lower(), '[[3 + 5 * 3 = 18]]', '[[8 * 3]]', '[[12*2=24]]'])
        row = dict(prompt_mode='0_shot', category=category, rule_id=rule)
        yield judge('korbenchEvaluator', kor_main.korbenchEvaluator(), given, gold, row, 'accuracy')

    zebra = module('datasets/zebralogic.py')
    for _ in range(80):
        yield judge('ZebraLogicMCEvaluator', zebra.ZebraLogicMCEvaluator(), text('The answer is', ': ', '(', ')', 'B', 'c', '\n', '**A**', 'final ', 'word'), draw.choice('ABC'), {}, 'score')
    rows = dict(header=['House', 'Name'], rows=[['1', 'red'], ['2', 'blue']])
    for _ in range(80):
        given = draw.choice([text(*CELLS, most=16), '| House | Name |\n|---|---|\n| 1 | Red |\n| 2 | green |\n', '| 1 | red |\n| 2 | blue |', 'red, blue'])
        yield judge('ZebraLogicGridEvaluator', zebra.ZebraLogicGridEvaluator(), given, rows, {}, 'perfect_accuracy')

    steps = found('class ProcessBenchEvaluator')
    for _ in range(60):
        given, gold = text('\\boxed{', '}', '-1', '2', ' ', 'x', '{'), draw.choice([-1, 2, 12])
        expected = int(steps.ProcessBenchEvaluator().score([given], [gold])['details'][0]['match'])
        yield dict(kind='judge', name='ProcessBenchEvaluator', options={}, text=given, gold=gold, row={}, expected=expected)

    seed = module('datasets/SeedBench.py')
    for _ in range(60):
        given, gold = text('A', 'b', ',', ' ', 'D', 'x', most=6), text('A', 'B', ', ', 'd', most=3) or 'A'
        yield judge('F1ScoreEvaluator', seed.F1ScoreEvaluator(), given, gold, {}, 'F1Score')
        yield judge('AccScoreStr_Evaluator', seed.AccScoreStr_Evaluator(), given, gold, {}, 'ACCStrScore')

    swi = found('class OpenSWIMSEEvaluator')
    for _ in range(60):
        given = draw.choice(['[1.0, 2.5]', '[1, 2.5]', 'x [3.0] then [1.5, 2.0, 9.0]', '[1.0]', text('[', ']', '1.5', ', ', 'a')])
        yield judge('OpenSWIMSEEvaluator', swi.OpenSWIMSEEvaluator(), given, [1.0, 2.0], {}, 'score', by=1)

    matbench = found('class MatbenchEvaluator_regression')
    reading = module('datasets/matbench/post_process.py')
    for name in ['parse_float_answer', 'parse_true_false_answer', 'parse_has_hasnot_answer']:
        setattr(matbench, name, getattr(reading, name))
    for _ in range(80):
        given = text('Answer: ', '3.5', '-25', '40', ' Fe2O3', ' NaCl ', 'about ', '1e-2', 'Iron', ' eV', most=5)
        yield judge('MatbenchEvaluator_regression', matbench.MatbenchEvaluator_regression(), given, 1.5, {}, 'mae', by=1)
        said = text('Answer: True', 'answer:false', 'It is ', 'yes', 'no', ' not ', 'metal', most=3)
        gold = draw.choice([True, False])
        expected = int(reading.parse_true_false_answer(said) == gold)
        yield dict(kind='judge', name='MatbenchEvaluator_classification', options={}, text=said, gold=gold, row={}, expected=expected)
        expected = int(reading.parse_has_hasnot_answer(said) == gold)
        yield dict(kind='judge', name='MatbenchEvaluator_classification_glass', options={}, text=said, gold=gold, row={}, expected=expected)

    intern = module('datasets/math_intern.py')
    for _ in range(200):
        gold = text('1', '2', '\\frac', '{', '}', '0.5', 'x=', ',', '_', '/', '\\sqrt', '3', most=5)
        given = draw.choice([gold, gold.replace('\\frac', '\\dfrac'), ' ' + gold, gold.replace(',', ''), text(*MATH)])
        yield judge('MATHInternEvaluator', intern.MATHInternEvaluator(), given, gold, {}, 'accuracy')

    tab = module('datasets/tabmwp.py')
    for _ in range(300):
        choices = draw.choice([None, ['yes', 'no'], ['a red cat', 'a blue dog', 'cow']])
        gold = dict(answer=draw.choice(choices) if choices else draw.choice(['1,000', '3/4', '56.4562', '$1.40', '7:25 P.M.', '-3']), unit=draw.choice([None, '', 'kg']), choices=choices)
        given = draw.choice([text('The answer is ', '(B) ', 'A', 'b', '3/4', '$1.40', ' = ', '1000', '.', ' kg', '0.75', ' will be 5', '7:25 P.M.', 'blue dog', ' is 12', most=4), f'The answer is {gold["answer"]}.', '(E)', '\\frac{3}{4}'])
        one = draw_same(tab, given, gold)
        if one is not None:
            yield dict(kind='judge', name='TabMWPEvaluator', options={}, text=given, gold=gold, row={}, expected=one)

    charm = module('datasets/charm.py')
    for _ in range(60):
        gold = draw.choice(['[not]甲', '甲', ['甲', '乙']])
        given = text('甲', '乙', '丙', '不知道', '是', most=3)
        expected = int(charm.charm_memory_eval(given, gold) == '[正确]')
        yield dict(kind='judge', name='CharmMemoryEvaluator', options={}, text=given, gold=gold, row={}, expected=expected)

    atlas = module('datasets/atlas/evaluation.py')
    for _ in range(60):
        given = text('</think>', '```json\n', '\n```', '```', '{"answers": ["\\frac"]}', '"answers": [1]}', ' ', '\\\\', most=5)
        expected = atlas.atlas_pred_postprocess(given)['answers']
        yield dict(kind='clean', name='atlas_pred_postprocess', options={}, text=given, expected=expected)


def found(mark):
    for folder, _, files in os.walk(os.path.join(ROOT, 'datasets')):
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.endswith('.py') and mark in open(path, encoding='utf-8').read():
                return module(os.path.relpath(path, ROOT))
    raise LookupError(mark)


def arxivroll():
    for folder in ['datasets', 'utils']:
        for where, _, files in os.walk(os.path.join(ROOT, folder)):
            for name in files:
                path = os.path.join(where, name)
                if name.endswith('.py') and 'def arxivrollbench_choice_postprocess' in open(path, encoding='utf-8').read():
                    return module(os.path.relpath(path, ROOT))


def draw_same(tab, given, gold):
    try:
        one, two = tab.TabMWPEvaluator()._preprocess([given], [gold])
    except (ValueError, ZeroDivisionError):
        return None
    return int(one == two)


def clean(name, function, given, options):
    return dict(kind='clean', name=name, options=options, text=given, expected=function(given, **options))


def judge(name, evaluator, given, gold, row, key, by=100):
    arguments = [[given], [gold]]
    with redirect_stdout(io.StringIO()):
        try:
            result = evaluator.score(*arguments, [row]) if row else evaluator.score(*arguments)
        except (ZeroDivisionError, AttributeError):
            return None
    return dict(kind='judge', name=name, options={}, text=given, gold=gold, row=row,
                expected=result[key] / by)


for case in filter(None, cases()):
    print(json.dumps(case, ensure_ascii=False))
