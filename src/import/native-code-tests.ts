import { asPlain, type Plain } from './plain-value.ts';

/** All of an answer is code, unless a post-processor looks for it. */
const wholeAnswer = { pred_postprocessor: { type: 'needlebench_postprocess' } };

/** Tests in the shape of HumanEval. */
export function humanEvalTests(): Plain {
  return {
    ...wholeAnswer,
    evaluator: {
      type: 'code',
      language: 'python',
      setup: '{prompt}',
      test: '{test}\n\ncheck({entry_point})',
      timeout: 3,
    },
  };
}

/** Tests in the shape of MBPP, which a column holds. */
export function mbppTests(column: string): Plain {
  return {
    pred_postprocessor: { type: 'mbpp_answer' },
    evaluator: { type: 'code', language: 'python', test: `{${column}}`, timeout: 10 },
  };
}

/** Tests in the shape of BigCodeBench: a class of test cases. */
export function caseTests({ eval_type: type = 'instruct' }: Plain): Plain {
  return {
    pred_postprocessor: { type: 'humaneval_postprocess_v2' },
    evaluator: {
      type: 'code',
      language: 'python',
      ...(type === 'complete' && { setup: '{complete_prompt}' }),
      test: `{test}

import io as _io, unittest as _unittest
_cases = _unittest.defaultTestLoader.loadTestsFromTestCase(TestCases)
_result = _unittest.TextTestRunner(stream=_io.StringIO()).run(_cases)
assert _result.testsRun > 0, 'there are no tests'
assert _result.wasSuccessful(), str((_result.failures + _result.errors)[0][1])`,
      timeout: 120,
      memory_mb: 4096,
    },
  };
}

/** The answer as a text that the tests run once for each input: programs that read and write. */
export function programTests(given: Plain, column = 'evaluation_sample'): Plain {
  const { timeout = 6, extractor_version: version = 'v1' } = given;
  return {
    pred_postprocessor: { type: 'lcb_program', block: version === 'v2' ? 'last' : 'first' },
    evaluator: {
      type: 'code',
      language: 'python',
      test: programTest(typeof timeout === 'number' ? timeout : 6, column),
      timeout: 120,
      memory_mb: 4096,
    },
  };
}

/** Whether rows were given for a dataset, and not only found in the published files. */
export function hasOwnRows(data: ReadonlyMap<string, string>, entry: Plain): boolean {
  return data.has(String(entry.abbr)) || data.has('*');
}

export function outputColumnOf(entry: Plain): string {
  return String(asPlain(entry.reader_cfg)?.output_column);
}

const programTest = (seconds: number, column: string) => `import decimal, io, json, signal, sys
true, false, null = True, False, None
sample = {${column}}
start = '''import bisect, collections, functools, heapq, itertools, math, operator, random, re, string, sys
from bisect import *
from collections import *
from functools import *
from heapq import *
from itertools import *
from math import *
from typing import *
'''

def whole(text):
    return text.encode('utf-16', 'surrogatepass').decode('utf-16')

def late(*_):
    raise TimeoutError('a test took more than ${seconds} s')

def run(text, name):
    space = dict(__name__=name)
    if text is not None:
        space['open'] = lambda file, *rest, **more: io.StringIO(text) if file == 0 else open(file, *rest, **more)
    exec(start + PROGRAM, space)
    return space

def written(text):
    before = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.TextIOWrapper(io.BytesIO(text.encode())), io.TextIOWrapper(io.BytesIO())
    try:
        run(text, '__main__')
    except SystemExit:
        pass
    finally:
        out = sys.stdout
        sys.stdin, sys.stdout = before
    out.flush()
    return out.buffer.getvalue().decode('utf-8', 'replace')

def numbers(line):
    try:
        return [decimal.Decimal(word) for word in line.split()]
    except decimal.InvalidOperation:
        return None

def same(said, wanted):
    left, right = ([line.strip() for line in text.strip().split('\\n')] for text in (said, wanted))
    if len(left) != len(right):
        return False
    return all(a == b or (numbers(a) is not None and numbers(a) == numbers(b)) for a, b in zip(left, right))

def lists(value):
    return [lists(item) for item in value] if isinstance(value, (list, tuple)) else value

signal.signal(signal.SIGALRM, late)
for given, wanted in zip(sample['inputs'], sample['outputs']):
    signal.alarm(${Math.ceil(seconds)})
    if sample.get('fn_name'):
        space = run(None, 'answer')
        owner = space['Solution']() if 'Solution' in space else None
        call = getattr(owner, sample['fn_name']) if owner else space[sample['fn_name']]
        if isinstance(given, list):
            result, right = lists(call(*given)), [wanted] + (wanted[:1] if isinstance(wanted, list) else [])
        else:
            result, right = lists(call(*[json.loads(line) for line in whole(given).split('\\n')])), [json.loads(whole(wanted))]
        assert result in [lists(one) for one in right], 'another result is wanted'
    else:
        given, wanted = ('\\n'.join(map(str, one)) if isinstance(one, list) else str(one) for one in (given, wanted))
        assert same(written(whole(given)), whole(wanted)), 'another output is wanted'
    signal.alarm(0)
`;
