import type { Plain } from './plain-value.ts';

const python = { type: 'code', language: 'python' } as const;

/** What OpenCompass compares asserted values by: as equal, and of the same type. */
const sameType = `import ast as _ast

def _same(one, other):
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other))
    if isinstance(one, (dict, set, frozenset)):
        pairs = isinstance(one, dict)
        left, right = (list(value.items()) if pairs else list(value) for value in (one, other))
        for item in left:
            found = [at for at, each in enumerate(right) if _same(item, each)]
            if not found:
                return False
            del right[found[0]]
        return not right
    try:
        result = one == other
    except Exception:
        return False
    return result is True

class _Strict(_ast.NodeTransformer):
    def visit_Assert(self, node):
        test = node.test
        if isinstance(test, _ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _ast.Eq):
            node.test = _ast.Call(_ast.Name('_same', _ast.Load()), [test.left, test.comparators[0]], [])
        return node

def _strict(text):
    return compile(_ast.fix_missing_locations(_Strict().visit(_ast.parse(text))), 'tests', 'exec')
`;

/** Tests in the shape of LCBench: one of the programs of an answer has to pass all of them. */
export function anyProgramTests(): Plain {
  return {
    pred_postprocessor: { type: 'lc_programs' },
    evaluator: {
      ...python,
      test: `import re as _re, signal as _signal
${sameType}
true, false, null = True, False, None
_tests = {test_column}['test_list_2']
assert _tests, 'there are no tests'

def _late(*_):
    raise TimeoutError('a program took more than 29 s')

def _fault(program):
    tests = _tests
    if 'class Solution' in program:
        for name in set(_re.findall(r'assert\\s+(\\w+)\\(', tests)):
            tests = _re.sub(r'(\\bassert\\s+)' + name + r'\\(', r'\\1Solution().' + name + '(', tests)
    space = dict(__name__='answer')
    _signal.alarm(29)
    try:
        exec(program, space)
        space['_same'] = _same
        exec(_strict(tests), space)
    except Exception as error:
        return error
    finally:
        _signal.alarm(0)

_signal.signal(_signal.SIGALRM, _late)
_faults = []
for _program in PROGRAMS:
    _faults.append(_fault(_program))
    if _faults[-1] is None:
        break
else:
    raise _faults[0]`,
      timeout: 120,
    },
  };
}

/** The value that a function gives, as CRUXEval checks it: one that repeats the call does not count. */
export function outputTests({ timeout = 3 }: Plain): Plain {
  return {
    answer_as: { type: 'cruxeval_value' },
    evaluator: {
      ...python,
      test: `{code}

assert r'''f({input})''' not in VALUE, 'the call is repeated'
assert ({output}) == eval(VALUE)`,
      timeout: typeof timeout === 'number' ? timeout : 3,
    },
  };
}

/** Tests that stand in a column, after the first block of the answer. */
export function columnTests(column: string): Plain {
  return {
    pred_postprocessor: { type: 'first_code_block' },
    evaluator: { ...python, test: `{${column}}`, timeout: 30 },
  };
}

/** Tests of EvalPlus: its inputs, and what the canonical solution gives for them. */
export function evalplusTests(): Plain {
  return {
    pred_postprocessor: { type: 'needlebench_postprocess' },
    evaluator: {
      ...python,
      setup: '{prompt}',
      test: `import copy as _copy, math as _math
true, false, null = True, False, None
NaN, Infinity = float('nan'), float('inf')
_plus = {evalplus}
_space = dict(__name__='canonical')
exec(_plus['prompt'] + _plus['canonical_solution'], _space)
_right, _name = _space[_plus['entry_point']], _plus['entry_point']
_answer = globals()[_name]

def _floats(value):
    return isinstance(value, float) or (isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(item, float) for item in value))

def _near(one, other, most):
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(_near(a, b, most) for a, b in zip(one, other))
    one, other = float(one), float(other)
    return one == other or abs(one - other) <= most + 1e-07 * abs(other) or (_math.isnan(one) and _math.isnan(other))

_inputs = _plus['base_input'] + _plus['plus_input']
assert _inputs, 'there are no tests'
for _given in _inputs:
    _wanted, _most = _right(*_copy.deepcopy(_given)), _plus['atol'] or 0
    _said = _answer(*_copy.deepcopy(_given))
    if _name == 'find_zero':
        assert abs(_space['poly'](_given[0], _said)) <= _most, 'not a zero'
        continue
    if _most == 0 and _floats(_wanted):
        _most = 1e-06
    if _said == _wanted:
        continue
    assert _most != 0 and type(_said) == type(_wanted) and _near(_said, _wanted, _most), 'another result is wanted'`,
      timeout: 60,
      memory_mb: 4096,
    },
  };
}
