import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startAnsweringServer } from '../wire/answering-server.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const sums = `from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import FixKRetriever
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_evaluator import AccEvaluator
from opencompass.datasets import SumsDataset

sums_datasets = []
for kind in ['add', 'sub']:
    sums_datasets.append(dict(
        abbr=f'sums-{kind}', type=SumsDataset, path='opencompass/sums', name=kind,
        reader_cfg=dict(input_columns=['q'], output_column='a'),
        infer_cfg=dict(
            ice_template=dict(type=PromptTemplate, template=dict(begin='</E>', round=[
                dict(role='HUMAN', prompt=f'{kind}: {{q}}'), dict(role='BOT', prompt='{a}')]), ice_token='</E>'),
            retriever=dict(type=FixKRetriever, fix_id_list=[1]),
            inferencer=dict(type=GenInferencer, max_out_len=8)),
        eval_cfg=dict(evaluator=dict(type=AccEvaluator), pred_role='BOT')))
`;
const model = `from opencompass.models import HuggingFacewithChatTemplate, OpenAISDK
models = [dict(type=HuggingFacewithChatTemplate, abbr='local-chat', path='org/chat', max_out_len=8, run_cfg=dict(num_gpus=1))]
`;
const rows = '{"q": "1 + 1", "a": "2"}\n{"q": "2 + 2", "a": "4"}\n{"q": "3 + 3", "a": "6"}\n';

async function writeTree(): Promise<string> {
  const cwd = await writeFolder({ 'rows.jsonl': rows });
  const files = {
    'tree/opencompass/__init__.py': '',
    'tree/opencompass/configs/datasets/sums/sums_gen.py':
      'from mmengine.config import read_base\nwith read_base():\n    from .sums_gen_012345 import sums_datasets\n',
    'tree/opencompass/configs/datasets/sums/sums_gen_012345.py': sums,
    'tree/opencompass/configs/models/org/local_chat.py': model,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  return cwd;
}

const gen = 'tree/opencompass/configs/datasets/sums/sums_gen.py';

test('a config found by name is asked at a server and scored', async () => {
  const cwd = await writeTree();
  await using server = await startAnsweringServer(({ messages = [] }) =>
    String(messages.at(-1)?.content.includes('1 + 1') ? 2 : 0),
  );
  const { code, stdout, stderr } = await runCli(
    [
      'run',
      '--root',
      'tree',
      '--models',
      'local_chat',
      '--datasets',
      'sums_gen',
      '--data',
      'rows.jsonl',
      '--base-url',
      `${server.url}/v1`,
      '--json',
    ],
    { cwd },
  );
  expect(stderr).not.toContain('error');
  expect(code).toBe(0);
  const { results } = JSON.parse(stdout) as {
    results: { dataset: string; score: { value: number } }[];
  };
  expect(results.map(({ dataset, score }) => [dataset, score.value])).toEqual([
    ['sums-add', 1 / 3],
    ['sums-sub', 1 / 3],
  ]);
  expect(server.bodies).toHaveLength(6);
  const asked = server.bodies.map(({ messages }) => messages?.map(({ content }) => content));
  expect(asked).toContainEqual(['add: 2 + 2\n', '4', 'add: 1 + 1\n']);
  expect(asked).toContainEqual(['sub: 2 + 2\n', '4', 'sub: 3 + 3\n']);
});

test('addresses of models stand in a file beside the configs', async () => {
  const cwd = await writeTree();
  await using server = await startAnsweringServer(() => '2');
  await writeFile(
    join(cwd, 'tree/endpoints.yaml'),
    `local-chat: { base_url: "${server.url}/v1", model: served }\n`,
  );
  const args = ['run', '--root', 'tree', '--models', 'local_chat', '--datasets', 'sums_gen_012345'];
  const { code } = await runCli([...args, '--data', 'rows.jsonl', '--limit', '1'], { cwd });
  expect(code).toBe(0);
  expect(server.bodies.map(({ model: name }) => name)).toEqual(['served', 'served']);
  await writeFile(join(cwd, 'tree/endpoints.yaml'), 'local-chat: { port: 1 }\n');
  const refused = await runCli([...args, '--data', 'rows.jsonl'], { cwd });
  expect(refused.stderr).toContain('error[import.bad_endpoints]');
});

test('published files are found in the data folder', async () => {
  const cwd = await writeTree();
  const entry = (type: string, name: string, columns: string) =>
    `dict(abbr='${type}', type=${type}, name='${name}', reader_cfg=dict(input_columns=${columns}, train_split='dev'), infer_cfg=dict(prompt_template=dict(type='PromptTemplate', template='{${name === '' ? 'question' : 'input'}}?'), retriever=dict(type='ZeroRetriever'), inferencer=dict(type='GenInferencer')))`;
  const config = `from opencompass.datasets import GSM8KDataset, MMLUDataset
datasets = [${entry('GSM8KDataset', '', "['question'], output_column='answer'")}, ${entry('MMLUDataset', 'anatomy', "['input', 'A'], output_column='target'")}]
`;
  const files = {
    'tree/both.py': config,
    'data/gsm8k/test.jsonl': '{"question": "How many", "answer": "#### 1"}\n',
    'data/mmlu/test/anatomy_test.csv': '"Which, then",a,b,c,d,A\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  const { stdout, stderr } = await runCli(
    ['view', 'tree/both.py', '--data-dir', 'data', '--all', '--row', '0'],
    { cwd },
  );
  expect(stderr).not.toContain('error');
  expect(stdout).toContain('How many?');
  expect(stdout).toContain('Which, then?');
});

test('answers are scored by what is near to a missing evaluator only where that is asked for', async () => {
  const cwd = await writeTree();
  await using server = await startAnsweringServer(() => 'The answer is 2');
  const config = `${model}from opencompass.openicl.icl_evaluator import MathEvaluator
datasets = [dict(abbr='near', type='SumsDataset', reader_cfg=dict(input_columns=['q'], output_column='a'), infer_cfg=dict(prompt_template=dict(type='PromptTemplate', template='{q}?'), retriever=dict(type='ZeroRetriever'), inferencer=dict(type='GenInferencer')), eval_cfg=dict(evaluator=dict(type=MathEvaluator)))]
`;
  await writeFile(join(cwd, 'tree/near.py'), config);
  const args = ['run', 'tree/near.py', '--data', 'rows.jsonl', '--base-url', `${server.url}/v1`];
  const plain = await runCli([...args, '--json', '--out', 'plain'], { cwd });
  expect(plain.stderr).toContain('MathEvaluator: has no exact counterpart here; `math` is similar');
  expect(plain.stderr).toContain('answers are not scored');
  expect(JSON.parse(plain.stdout).results[0].rows).toMatchObject({ scored: 0 });
  const near = await runCli([...args, '--json', '--out', 'near', '--approximate'], { cwd });
  expect(near.stderr).toContain('MathEvaluator: has no exact counterpart here; `math` is similar');
  expect(JSON.parse(near.stdout).results[0].rows).toMatchObject({ scored: 3 });
});

test('a judge of AISBench is asked about the answers, where --base-url says', async () => {
  const cwd = await writeTree();
  await using server = await startAnsweringServer(({ messages = [] }) => {
    const asked = String(messages.at(-1)?.content);
    if (!asked.startsWith('Judge')) return asked.includes('1 + 1') ? 'two' : 'five';
    return asked === 'Judge 1 + 1: two for 2' ? 'So it is A' : 'B';
  });
  await writeFile(
    join(cwd, 'tree/later.py'),
    `from ais_bench.benchmark.models import VLLMCustomAPIChat
from ais_bench.benchmark.datasets.utils.llm_judge import get_a_or_b, LLMJudgeCorrectEvaluator
models = [dict(type=VLLMCustomAPIChat, abbr='chat', path='tokenizer', model='m', host_ip='localhost', host_port=1)]
datasets = [dict(abbr='later', type='ais_bench.benchmark.datasets.SumsDataset', reader_cfg=dict(input_columns=['q'], output_column='a'),
    infer_cfg=dict(prompt_template=dict(type='PromptTemplate', template='{q}?'), retriever=dict(type='ZeroRetriever'), inferencer=dict(type='GenInferencer')),
    judge_infer_cfg=dict(judge_model=dict(type=VLLMCustomAPIChat, abbr='judge', path='', model='j', host_ip='localhost', host_port=1),
        prompt_template=dict(type='PromptTemplate', template=dict(round=[dict(role='HUMAN', prompt='Judge {q}: {model_answer} for {a}')])),
        retriever=dict(type='ZeroRetriever'), inferencer=dict(type='GenInferencer')),
    eval_cfg=dict(evaluator=dict(type=LLMJudgeCorrectEvaluator), pred_postprocessor=dict(type=get_a_or_b)))]
`,
  );
  const args = ['tree/later.py', '--data', 'rows.jsonl', '--base-url', `${server.url}/v1`];
  const { code, stdout, stderr } = await runCli(['run', ...args, '--json'], { cwd });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).results[0]).toMatchObject({
    score: { value: 1 / 3 },
    rows: { total: 3, scored: 3 },
  });
  expect(server.bodies.map(({ model: name }) => name).sort()).toEqual([...'jjjmmm']);
});

test('thoughts are left out where the model of a config says so', async () => {
  const cwd = await writeTree();
  await using server = await startAnsweringServer(() => '<r>Rather A</r> B');
  const config = (cleaner: string) => `from opencompass.models import VLLM
from opencompass.utils.text_postprocessors import extract_non_reasoning_content
models = [dict(type=VLLM, abbr='m', path='m', max_out_len=8${cleaner})]
datasets = [dict(abbr='d', type='SumsDataset', reader_cfg=dict(input_columns=['q'], output_column='a'),
    infer_cfg=dict(prompt_template=dict(type='PromptTemplate', template='{q}?'), retriever=dict(type='ZeroRetriever'), inferencer=dict(type='GenInferencer')),
    eval_cfg=dict(evaluator=dict(type='AccEvaluator')))]
`;
  await writeFile(join(cwd, 'b.jsonl'), '{"q": "?", "a": "B"}\n');
  const thoughts = `, pred_postprocessor=dict(type=extract_non_reasoning_content, think_start_token='<r>', think_end_token='</r>')`;
  for (const [name, cleaner, value] of [
    ['plain', '', 0],
    ['cleaned', thoughts, 1],
  ] as const) {
    await writeFile(join(cwd, `tree/${name}.py`), config(cleaner));
    const args = [`tree/${name}.py`, '--data', 'b.jsonl', '--base-url', `${server.url}/v1`];
    const { stdout, stderr } = await runCli(['run', ...args, '--out', name, '--json'], { cwd });
    expect(JSON.parse(stdout).results[0].score.value, stderr).toBe(value);
  }
  await writeFile(join(cwd, 'tree/own.py'), config(', pred_postprocessor=dict(type="claude")'));
  const own = await runCli(['view', 'tree/own.py', '--data', 'b.jsonl'], { cwd });
  expect(own.stderr).toContain('m: `pred_postprocessor` (claude) is left out');
});

test('nothing is asked with prompts that the config does not mean', async () => {
  const cwd = await writeTree();
  await using server = await startAnsweringServer(() => '2');
  await writeFile(
    join(cwd, 'tree/odd.py'),
    `${model}datasets = [dict(abbr='odd', type='SumsDataset', reader_cfg=dict(input_columns=['q'], output_column='a'), infer_cfg=dict(prompt_template=dict(type='PromptTemplate', template='{q}?'), retriever=dict(type='ZeroRetriever'), inferencer=dict(type='AgentInferencer')))]
`,
  );
  const args = ['run', 'tree/odd.py', '--data', 'rows.jsonl', '--base-url', `${server.url}/v1`];
  const refused = await runCli(args, { cwd });
  expect([refused.code, server.bodies.length]).toEqual([2, 0]);
  expect(refused.stderr).toContain(
    'error[import.other_prompts] AgentInferencer has no counterpart',
  );
  expect((await runCli([...args, '--approximate'], { cwd })).code).toBe(0);
  expect(server.bodies).toHaveLength(3);
});

test('prompts of a config can be looked at without a model', async () => {
  const cwd = await writeTree();
  const { code, stdout, stderr } = await runCli(
    ['view', gen, '--data', 'rows.jsonl', '-n', '--dataset', 'sums-sub', '--row', '2'],
    { cwd },
  );
  expect(code).toBe(0);
  expect(stderr).toContain('sums-sub: prompt hash ');
  expect(stdout).toContain('sub: 3 + 3');
});

test('the native config gives the same prompts', async () => {
  const cwd = await writeTree();
  const checked = await runCli(['import', gen, '--check'], { cwd });
  expect(checked).toMatchObject({
    code: 0,
    stdout: 'Prompts are identical for 2 of 2 datasets.\n',
  });
  await runCli(['import', gen, '--data', 'rows.jsonl', '--out', 'native.yaml'], { cwd });
  expect(await readFile(join(cwd, 'native.yaml'), 'utf8')).toContain('# Prompt hash of sums-add: ');
  const args = ['--json', '--all', '--row', '0'];
  const own = await runCli(['view', 'native.yaml', ...args], { cwd });
  const theirs = await runCli(['view', gen, '--data', 'rows.jsonl', ...args], { cwd });
  const textsOf = (text: string) =>
    [...text.matchAll(/"text": ?"([^"]*)"/g)].map(([, part]) => part);
  expect(own.code).toBe(0);
  expect(textsOf(own.stdout)).toEqual(textsOf(theirs.stdout));
});

test('values and digests are printed', async () => {
  const cwd = await writeTree();
  const { stdout } = await runCli(['import', '--values', gen], { cwd });
  expect(JSON.parse(stdout).sums_datasets[1]).toMatchObject({
    abbr: 'sums-sub',
    type: { $ref: 'opencompass.datasets.SumsDataset' },
  });
  const digests = await runCli(['import', '--digests', 'tree', 'opencompass/configs'], { cwd });
  const lines = digests.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ file, entries, suffix }) => [file, entries, suffix])).toEqual([
    ['opencompass/configs/datasets/sums/sums_gen.py', 2, null],
    ['opencompass/configs/datasets/sums/sums_gen_012345.py', 2, '012345'],
    ['opencompass/configs/models/org/local_chat.py', 1, null],
  ]);
  expect(lines[0].prompt_hash).toBe(lines[1].prompt_hash);
  const listed = await runCli(['list', 'prompts', gen], { cwd });
  expect(listed.stdout).toMatch(/sums-add +[0-9a-f]{64}/);
});

test.each([
  [
    ['run', gen, '--data', 'rows.jsonl'],
    'import.no_address',
    '`--models NAME`, a model of the tree',
  ],
  [
    [
      'run',
      '--root',
      'tree',
      '--models',
      'local_chat',
      '--datasets',
      'sums_gen',
      '--data',
      'rows.jsonl',
    ],
    'import.no_address',
    '--base-url',
  ],
  [
    ['run', '--root', 'tree', '--models', 'hf_local2_chat_7b', '--datasets', 'sums_gen'],
    'import.unknown_name',
    'unknown config `hf_local2_chat_7b` among the models',
  ],
  [['run', '--datasets', 'sums_gen'], 'usage.missing_argument', 'Add `--root TREE`'],
  [['run', gen, '--work-dir', 'out'], 'usage.unknown_option', 'Here: `--out FOLDER`.'],
  [['run', gen, '--dry-run'], 'usage.unknown_option', 'Here: `typecase plan`'],
  [
    ['run', '--root', 'tree', '--datasets', 'sums_gen', '--summarizer', 'sum'],
    'import.unknown_name',
    'among the summarizers',
  ],
  [
    ['view', gen, '-n'],
    'import.no_rows',
    '--data sums-add=FILE with q, a; --data sums-sub=FILE with q, a',
  ],
  [
    ['view', '--root', 'tree', '--datasets', 'sums_gn'],
    'import.unknown_name',
    'Did you mean `sums_gen`?',
  ],
  [
    [
      ...['run', '--root', 'tree', '--models', 'local_chat', 'lokal_chat'],
      ...['--datasets', 'sums_gn', 'sums_gen_01234', 'far'],
    ],
    'import.unknown_name',
    'hint: `lokal_chat`: Did you mean `local_chat`? `sums_gn`: Did you mean `sums_gen`? `sums_gen_01234`: Did you mean `sums_gen_012345`? `far`: Looked in opencompass/configs/datasets.',
  ],
  [
    ['view', gen, '--data', 'sums-add=rows.jsonl', '--dataset', 'sums-sub'],
    'import.no_rows',
    'no rows found for 1 of 2 datasets hint: Give their files: --data sums-sub=FILE with q, a.',
  ],
  [['view', 'nowhere.py'], 'config.not_found', 'Paths are relative'],
  [
    ['run', '--root', 'nowhere', '--models', 'm', '--datasets', 'd'],
    'config.not_found',
    '--root is the folder',
  ],
  [['import', '--values', 'broken.py'], 'python.error', 'broken.py:2:5'],
])('%j says what to do', async (args, codeName, hint) => {
  const cwd = await writeTree();
  await writeFile(join(cwd, 'broken.py'), 'x = 1\ny = nothing\n');
  const { code, stderr } = await runCli(args, { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain(`error[${codeName}]`);
  expect(stderr.replace(/\s+/g, ' ')).toContain(hint);
});

test('a config beside the tree names the tree that its packages are in', async () => {
  const cwd = await writeTree();
  await writeFile(
    join(cwd, 'own.py'),
    `from mmengine.config import read_base
with read_base():
    from opencompass.configs.datasets.sums.sums_gen import sums_datasets
datasets = sums_datasets
`,
  );
  const args = ['own.py', '--root', 'tree', '--data', 'rows.jsonl'];
  const { code, stdout } = await runCli(['view', ...args], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('add: 1 + 1');
  await writeFile(join(cwd, 'escape.py'), "text = open('../secret.txt').read()\n");
  const refused = await runCli(['import', '--values', 'escape.py', '--root', 'tree'], { cwd });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/PermissionError|FileNotFoundError/);
});

test('summary groups come with a summarizer that is found by name', async () => {
  const cwd = await writeTree();
  const folder = join(cwd, 'tree/opencompass/configs/summarizers');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'sums.py'),
    "summarizer = dict(summary_groups=[dict(name='sums', subsets=['sums-add', 'sums-sub'])])\n",
  );
  await using server = await startAnsweringServer(() => '2');
  const { code, stdout } = await runCli(
    [
      ...['run', '--root', 'tree', '--models', 'local_chat', '--datasets', 'sums_gen'],
      ...['--summarizer', 'sums', '--data', 'rows.jsonl', '--base-url', `${server.url}/v1`],
    ],
    { cwd },
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/\bsums\b\s/);
});

test('datasets that have rows are asked, and the others are named', async () => {
  const cwd = await writeTree();
  await using server = await startAnsweringServer(() => '2');
  const groups = `
summarizer = dict(summary_groups=[dict(name='both', subsets=['sums-add', 'sums-sub']), dict(name='add', subsets=['sums-add'])])
`;
  const config = `${model}${sums}${groups}`;
  await writeFile(join(cwd, 'tree/both.py'), config);
  const args = ['run', 'tree/both.py', '--data', 'sums-add=rows.jsonl', '--json'];
  const { code, stdout, stderr } = await runCli([...args, '--base-url', `${server.url}/v1`], {
    cwd,
  });
  expect(code).toBe(0);
  expect(stderr.split('\n')).toContain(
    'Left out without rows: sums-sub and the group `both`. Give their files: --data sums-sub=FILE with q, a.',
  );
  const { results } = JSON.parse(stdout);
  expect(results.map(({ dataset }: { dataset: string }) => dataset)).toEqual(['sums-add']);
  expect(stdout).toContain('"add"');
  expect(stdout).not.toContain('"both"');
  expect(server.bodies).toHaveLength(3);
});
