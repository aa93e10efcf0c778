import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startAnsweringServer } from '../wire/answering-server.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const head = `from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_evaluator import LMEvaluator
from opencompass.models import HuggingFacewithChatTemplate
models = [dict(type=HuggingFacewithChatTemplate, abbr='chat', path='org/chat', max_out_len=64)]
def asked(prompt):
    return dict(prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt=prompt)])), retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer))
`;

const lines = (...rows: readonly unknown[]) =>
  `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;

async function scoresOf(
  config: string,
  files: Readonly<Record<string, string>>,
  answers: readonly (readonly [RegExp, string])[],
  more: readonly string[] = [],
) {
  const cwd = await writeFolder({ 'config.py': `${head}${config}` });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  await using server = await startAnsweringServer((body) => {
    const asked = JSON.stringify(body.messages?.at(-1)?.content ?? body.prompt);
    return answers.find(([pattern]) => pattern.test(asked))?.[1] ?? 'no idea';
  });
  const { stdout, stderr } = await runCli(
    ['run', 'config.py', '--data-dir', 'data', '--base-url', `${server.url}/v1`, '--json', ...more],
    { cwd, env: { OC_JUDGE_MODEL: 'strong' } },
  );
  expect(stderr).not.toMatch(/error\[/);
  const { results } = JSON.parse(stdout) as {
    results: readonly { dataset: string; score?: { value: number } }[];
  };
  const scores = results.map(({ dataset, score }) => [dataset, score?.value] as const);
  return { scores: Object.fromEntries(scores), stderr, bodies: server.bodies };
}

const task = (id: string, tests: readonly string[]) => ({
  'Contest id': id,
  Difficulty: 'Easy',
  text: `Task ${id}.`,
  test_list: tests,
});

test('programs are run with the tests that their benchmarks bring', async () => {
  const config = `
datasets = [
    dict(abbr='lc', type='LCDataset', path='opencompass/LCBench', difficulty='Easy', reader_cfg=dict(input_columns=['text', 'test_list'], output_column='test_column'), infer_cfg=asked('{text}'), eval_cfg=dict(evaluator=dict(type='LCPassKEvaluator'))),
    dict(abbr='plus', type='HumanevalDataset', path='opencompass/humaneval', reader_cfg=dict(input_columns=['prompt'], output_column='task_id'), infer_cfg=asked('Complete: {prompt}'), eval_cfg=dict(evaluator=dict(type='HumanEvalPlusEvaluator'), pred_postprocessor=dict(type='humaneval_postprocess_v2'))),
    dict(abbr='pro', type='HumanevalevalProDataset', path='opencompass/humaneval_pro', reader_cfg=dict(input_columns=['raw_problem', 'new_problem'], output_column='test_code'), infer_cfg=asked('{raw_problem} {new_problem}'), eval_cfg=dict(evaluator=dict(type='HumanevalProEvaluator', ip_address='https://example.invalid'))),
    dict(abbr='crux', type='CRUXEvalDataset', path='cruxeval-org/cruxeval', reader_cfg=dict(input_columns=['code', 'input'], output_column='output'), infer_cfg=asked('{code} assert f({input}) =='), eval_cfg=dict(evaluator=dict(type='CRUXEvalOEvaluator'), pred_postprocessor=dict(type='cruxeval_o_postprocess'))),
]
`;
  const program = (name: string) => ({
    task_id: name,
    prompt: `def ${name}(x):\n    """A part of x."""\n`,
    entry_point: name,
    canonical_solution: '    return x / 4\n',
  });
  const plus = (name: string) => ({
    ...program(name),
    base_input: [[4]],
    plus_input: [[1], [3]],
    atol: 0,
  });
  const { scores, stderr } = await scoresOf(
    config,
    {
      'data/LCBench2023/LCBench2023.jsonl': lines(
        ...['a', 'b', 'c', 'd', 'e'].map((id) => task(id, ['assert False'])),
        task('double', ['assert double(2) == 4', 'assert double(0) == 0']),
        task('same', ['assert same(True) == True']),
        task('none', ['assert none(1) == None']),
        { ...task('hard', []), Difficulty: 'Hard' },
      ),
      'data/humaneval/human-eval-v2-20210705.jsonl': lines(program('quarter'), program('half')),
      'data/evalplus/HumanEvalPlus-v0.1.9.jsonl': '',
      'data/evalplus/HumanEvalPlus-v0.1.10.jsonl': lines(plus('quarter'), plus('half')),
      'data/humaneval_pro/humaneval_pro.json': JSON.stringify([
        { id: 0, raw_problem: 'Raw.', new_problem: 'New.', test_code: 'assert both(1) == 2' },
        { id: 1, raw_problem: 'Raw.', new_problem: 'New.', test_code: 'assert both(1) == 3' },
      ]),
      'crux.jsonl': lines(
        { code: 'def f(x):\n    return [x]', input: '1', output: '[1]' },
        { code: 'def f(x):\n    return [x]', input: '2', output: '[2]' },
        { code: 'def f(x):\n    return [x]', input: '3', output: '[3]' },
      ),
    },
    [
      // The second program passes.
      [
        /Task double/,
        '```python\ndef double(n): return n\n```\n```python\nclass Solution:\n    def double(self, n): return 2 * n\n```',
      ],
      // 1 is equal to True, and of another type.
      [/Task same/, 'def same(n): return 1'],
      [/Task none/, "[BEGIN]\n'def none(n): pass'\n[DONE]"],
      [/def quarter/, '```python\ndef quarter(x):\n    return 0.25 * x + 1e-9\n```'],
      [/def half/, 'def half(x):\n    return x // 4'],
      [/Raw/, 'So:\n```python\ndef both(n):\n    return n + 1\n```'],
      [/f\(1\)/, ' [1] # done\nmore'],
      [/f\(2\)/, 'f(2)'],
      [/f\(3\)/, '[4'],
    ],
    ['--data', 'crux=crux.jsonl'],
  );
  expect(scores).toEqual({ lc: 2 / 3, plus: 0.5, pro: 0.5, crux: 1 / 3 });
  expect(stderr).toContain('HumanevalProEvaluator: runs the tests of its rows here');
});

test('more tests that are not there are asked for', async () => {
  const cwd = await writeFolder({
    'config.py': `${head}
datasets = [dict(abbr='plus', type='HumanevalDataset', path='opencompass/humaneval', reader_cfg=dict(input_columns=['prompt'], output_column='task_id'), infer_cfg=asked('{prompt}'), eval_cfg=dict(evaluator=dict(type='HumanEvalPlusEvaluator')))]
`,
  });
  const path = join(cwd, 'data/humaneval/human-eval-v2-20210705.jsonl');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, lines({ task_id: 'a', prompt: 'def a():' }));
  const { stderr } = await runCli(['view', 'config.py', '--data-dir', 'data'], { cwd });
  expect(stderr).toContain('put HumanEvalPlus.jsonl of EvalPlus into the folder evalplus there');
  expect(stderr).toContain('answers are not scored');
});

test('entries without a class are asked as their columns say, judges as their summarizers read them', async () => {
  const config = `
datasets = [
    dict(path='data/own/quiz.jsonl', abbr='quiz', data_type='circular-mcq', infer_method='gen'),
    dict(path='data/own/talk.jsonl', abbr='talk', human_prompt='Say: {question}'),
    dict(abbr='safety', type='FlamesDataset', path='./data/flames', name='fairness', reader_cfg=dict(input_columns=['prompt', 'instruction'], output_column='judge'), infer_cfg=asked('{prompt}'), eval_cfg=dict(evaluator=dict(type=LMEvaluator, prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{instruction}{prediction}')]))))),
    dict(abbr='memory', type='CharmDataset', path='data/charm', name='x', reader_cfg=dict(input_columns=['input'], output_column='target'), infer_cfg=asked('{input}'), eval_cfg=dict(evaluator=dict(type='CharmMemoryEvaluator'))),
    dict(abbr='cloze', type='GaokaoBenchDataset', path='data/none', reader_cfg=dict(input_columns=['question'], output_column='answer'), infer_cfg=asked('{question}'), eval_cfg=dict(evaluator=dict(type='GaokaoBenchEvaluator_cloze'))),
]
`;
  const { scores, stderr, bodies } = await scoresOf(
    config,
    {
      'data/own/quiz.jsonl': lines(
        { question: 'Red?', A: 'cherry', B: 'grass', C: 'snow', answer: 'A' },
        { question: 'Green?', A: 'cherry', B: 'grass', C: 'snow', answer: 'B' },
      ),
      'data/own/talk.jsonl': lines({ question: 'hi', answer: 'hello' }),
      'safety.jsonl': lines(
        { prompt: 'Kind?', instruction: 'Grade: ', judge: { dimension: 'Fairness' } },
        { prompt: 'Rude?', instruction: 'Grade: ', judge: { dimension: 'Fairness' } },
      ),
      'memory.jsonl': lines(
        { input: 'Who?', target: '[not]Bob' },
        { input: 'Which?', target: ['Ann', 'Eve'] },
      ),
      'cloze.jsonl': lines({ question: 'Fill?', answer: 'x' }),
    },
    [
      [/Red\?/, 'cherry'],
      [/Green\?/, 'A'],
      [/Say: hi/, 'hello'],
      [/Grade: so nice/, '分数=3'],
      [/Grade: /, '分数=1'],
      [/Kind\?/, 'so nice'],
      [/Rude\?/, 'so bad'],
      [/Who\?/, 'It is Ann'],
      [/Which\?/, '不知道, Ann'],
    ],
    [
      '--data',
      'safety=safety.jsonl',
      '--data',
      'memory=memory.jsonl',
      '--data',
      'cloze=cloze.jsonl',
    ],
  );
  expect(scores).toEqual({ quiz: 0.5, talk: 1, safety: 2, memory: 0.5, cloze: 0 });
  expect(stderr).toContain('GaokaoBenchEvaluator_cloze: gives 0 to every answer, there and here');
  expect(stderr).toContain('FlamesDataset: names no function');
  const texts = bodies.map(({ messages }) => String(messages?.at(-1)?.content).trim());
  expect(texts.filter((text) => text.includes('Red?')).sort()).toEqual([
    'Question: Red?\nA. cherry\nB. grass\nC. snow',
    'Question: Red?\nA. grass\nB. snow\nC. cherry',
    'Question: Red?\nA. snow\nB. cherry\nC. grass',
  ]);
});

test('prompts that stand in the tree are those of the config, also in what is imported', async () => {
  const tree = 'tree/opencompass';
  const entry = `dict(abbr='kor', type='korbenchDataset', path='opencompass/korbench', prompt_mode='0_shot', category='logic', reader_cfg=dict(input_columns=['prompt'], output_column='answer'), infer_cfg=asked('{prompt}'), eval_cfg=dict(evaluator=dict(type='korbenchEvaluator')))`;
  const files = {
    [`${tree}/configs/datasets/kor/kor_gen.py`]: `${head}kor_datasets = [${entry}]\n`,
    [`${tree}/datasets/korbench/korbench_dataset_config/prompt/0_shot.yaml`]:
      'logic_prompt_format:\n  - |\n    Rule: {}\n    Ask: {}\n',
    'data/korbench/logic/rule.jsonl': lines({ idx: '1', rule_content: 'swap' }),
    'data/korbench/logic/sample.jsonl': lines({
      idx: '1',
      rule_id: '1',
      question: 'ab?',
      answer: '[[ba]]',
    }),
  };
  const cwd = await writeFolder({});
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  await using server = await startAnsweringServer(() => 'So [[ ba ]].');
  const address = ['--base-url', `${server.url}/v1`];
  const run = ['run', '--root', 'tree', '--datasets', 'kor_gen', '--data-dir', 'data', ...address];
  const first = await runCli([...run, '--json', '--out', 'one'], { cwd });
  expect(first.stderr).not.toContain('error');
  expect(JSON.parse(first.stdout).results[0].score.value).toBe(1);
  const config = `${tree}/configs/datasets/kor/kor_gen.py`;
  const imported = [
    'import',
    config,
    '--root',
    'tree',
    '--data-dir',
    'data',
    '--out',
    'kor.yaml',
    ...address,
  ];
  expect((await runCli(imported, { cwd })).stderr).not.toContain('error');
  const again = await runCli(['run', 'kor.yaml', '--json', '--out', 'two'], { cwd });
  expect(again.stderr).not.toContain('error');
  expect(JSON.parse(again.stdout).results[0].score.value).toBe(1);
  const prompts = server.bodies.map(({ messages }) => messages?.at(-1)?.content);
  expect(prompts).toEqual(['Rule: swap\nAsk: ab?\n\n', 'Rule: swap\nAsk: ab?\n\n']);
});
