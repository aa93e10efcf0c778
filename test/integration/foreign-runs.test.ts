import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { publishedData } from '../../src/compat/data/published/published-data.fixture.ts';
import { type SentBody, startAnsweringServer } from '../wire/answering-server.ts';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const models = `from opencompass.models import HuggingFacewithChatTemplate
models = [dict(type=HuggingFacewithChatTemplate, abbr='chat', path='org/chat', max_out_len=64)]
`;

const imports = `from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import FixKRetriever, ZeroRetriever
from opencompass.openicl.icl_inferencer import ChatInferencer, GenInferencer, PPLInferencer
`;

interface Entry {
  readonly abbr: string;
  readonly type: string;
  readonly path: string;
  readonly more?: string;
  readonly columns: string;
  readonly output: string;
  readonly splits?: string;
  readonly infer: string;
  readonly evaluation: string;
}

/** A dataset as configs of OpenCompass write it. */
const entry = ({ abbr, type, path, more = '', splits = '', ...one }: Entry) => `    dict(
        abbr='${abbr}', type=${type}, path='${path}', ${more}
        reader_cfg=dict(input_columns=[${one.columns}], output_column='${one.output}', ${splits}),
        infer_cfg=dict(${one.infer}),
        eval_cfg=dict(${one.evaluation})),
`;

const asked = (prompt: string) =>
  `prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='${prompt}')])), retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer)`;
const option = "pred_postprocessor=dict(type=first_option_postprocess, options='ABCD')";
const letters = "'question', 'A', 'B', 'C', 'D'";

const generated = `${imports}${models}from opencompass.datasets import MMLUDataset, GSM8KDataset, MATHDataset, CEvalDataset, HellaswagDataset_V2, BBHDataset, HumanevalDataset
from opencompass.datasets import gsm8k_postprocess, gsm8k_dataset_postprocess, Gsm8kEvaluator, MATHEvaluator, math_postprocess_v2, BBHEvaluator, HumanEvalEvaluator, humaneval_postprocess_v2
from opencompass.datasets.needlebench_v2.origin import NeedleBenchOriginDataset, NeedleBenchOriginEvaluator, needlebench_postprocess, needlebench_dataset_postprocess
from opencompass.openicl.icl_evaluator import AccEvaluator, AccwithDetailsEvaluator
from opencompass.utils.text_postprocessors import first_option_postprocess

datasets = [
${entry({ abbr: 'mmlu-anatomy', type: 'MMLUDataset', path: 'opencompass/mmlu', more: "name='anatomy',", columns: "'input', 'A', 'B', 'C', 'D'", output: 'target', splits: "train_split='dev'", infer: "ice_template=dict(type=PromptTemplate, template=dict(begin='</E>', round=[dict(role='HUMAN', prompt='{input} A. {A} B. {B}'), dict(role='BOT', prompt='{target}')]), ice_token='</E>'), retriever=dict(type=FixKRetriever, fix_id_list=[0, 1]), inferencer=dict(type=GenInferencer)", evaluation: `evaluator=dict(type=AccwithDetailsEvaluator), ${option}` })}${entry({ abbr: 'gsm8k', type: 'GSM8KDataset', path: 'opencompass/gsm8k', columns: "'question'", output: 'answer', infer: asked('{question} Step by step.'), evaluation: 'evaluator=dict(type=Gsm8kEvaluator), pred_postprocessor=dict(type=gsm8k_postprocess), dataset_postprocessor=dict(type=gsm8k_dataset_postprocess)' })}${entry({ abbr: 'math', type: 'MATHDataset', path: 'opencompass/math', columns: "'problem'", output: 'solution', splits: "test_range='[:2]'", infer: asked('{problem}'), evaluation: "evaluator=dict(type=MATHEvaluator, version='v2'), pred_postprocessor=dict(type=math_postprocess_v2)" })}${entry({ abbr: 'ceval-law', type: 'CEvalDataset', path: 'opencompass/ceval-exam', more: "name='law',", columns: letters, output: 'answer', splits: "train_split='dev', test_split='val'", infer: asked('{question} A. {A}'), evaluation: `evaluator=dict(type=AccEvaluator), ${option}` })}${entry({ abbr: 'hellaswag', type: 'HellaswagDataset_V2', path: 'opencompass/hellaswag', columns: "'ctx', 'A', 'B', 'C', 'D'", output: 'label', infer: asked('{ctx} goes on'), evaluation: `evaluator=dict(type=AccEvaluator), ${option}` })}${entry({ abbr: 'bbh-navigate', type: 'BBHDataset', path: 'opencompass/bbh', more: "name='navigate',", columns: "'input'", output: 'target', infer: asked('{input}'), evaluation: 'evaluator=dict(type=BBHEvaluator)' })}${entry({ abbr: 'humaneval', type: 'HumanevalDataset', path: 'opencompass/humaneval', columns: "'prompt'", output: 'task_id', infer: asked('Complete: {prompt}'), evaluation: 'evaluator=dict(type=HumanEvalEvaluator), pred_postprocessor=dict(type=humaneval_postprocess_v2), k=[1, 10]' })}${entry({ abbr: 'needle', type: 'NeedleBenchOriginDataset', path: 'opencompass/needlebench', columns: "'prompt'", output: 'answer', infer: asked('{prompt}'), evaluation: 'evaluator=dict(type=NeedleBenchOriginEvaluator), pred_postprocessor=dict(type=needlebench_postprocess), dataset_postprocessor=dict(type=needlebench_dataset_postprocess)' })}]
`;

const answers: readonly (readonly [RegExp, string])[] = [
  [/Bones\?/, 'The answer is B'],
  [/More\?/, 'The answer is C'],
  [/20 \+ 22\?/, '20 and 22 are 42.'],
  [/1,000 \+ 0\?/, 'It is 999'],
  [/Half\?/, 'So $\\boxed{1/2}$'],
  [/Two\?/, 'It is \\boxed{7}.'],
  [/什么/, '答案是B'],
  [/He runs/, 'C'],
  [/Short goes on/, 'B'],
  [/Back\?/, 'So the answer is **yes**.'],
  [/Complete/, '```python\ndef twice(n):\n    return n + n\n```'],
  [/haystack/, 'The magic word is plum.'],
];

const textOf = ({ messages = [], prompt = '' }: SentBody) =>
  messages.length > 0 ? JSON.stringify(messages.at(-1)?.content) : prompt;
const answerTo = (body: SentBody) =>
  answers.find(([pattern]) => pattern.test(textOf(body)))?.[1] ?? 'no idea';

interface Result {
  readonly dataset: string;
  readonly metric: string;
  readonly score?: { readonly value: number };
  readonly rows: { readonly scored: number };
}

async function writeData(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await writeFolder({});
  const data = Object.entries(publishedData).map(([path, text]) => [`data/${path}`, text] as const);
  await writeFiles(cwd, { ...files, ...Object.fromEntries(data) });
  return cwd;
}

async function writeFiles(cwd: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
}

async function scoresOf(args: readonly string[], cwd: string) {
  const { stdout, stderr } = await runCli(['run', ...args, '--data-dir', 'data', '--json'], {
    cwd,
    env: { OC_JUDGE_MODEL: 'strong' },
  });
  expect(stderr).not.toMatch(/error\[/);
  const { results } = JSON.parse(stdout) as { results: readonly Result[] };
  return Object.fromEntries(results.map(({ dataset, score }) => [dataset, score?.value]));
}

interface AskedServer {
  readonly cwd: string;
  readonly server: { readonly bodies: SentBody[] };
}

/** The native config of a foreign one asks the same, and its answers have the same scores. */
async function sameWhenWritten(
  [source = '', ...options]: readonly string[],
  { cwd, server }: AskedServer,
): Promise<void> {
  const env = { OC_JUDGE_MODEL: 'strong' };
  const run = async (args: readonly string[], told = {}) => {
    server.bodies.length = 0;
    const { stdout } = await runCli(['run', ...args, '--json'], { cwd, env: told });
    const { results } = JSON.parse(stdout) as { readonly results: readonly Result[] };
    const scores = results.map(({ dataset, metric, score }) => [dataset, metric, score?.value]);
    return { scores, bodies: server.bodies.map((body) => JSON.stringify(body)).sort() };
  };
  const imported = ['import', source, ...options, '--data-dir', 'data'];
  const checked = await runCli([...imported, '--check'], { cwd, env });
  expect(checked.stderr).toBe('');
  expect(checked.stdout).toMatch(/^Prompts are identical for (\d+) of \1 datasets\.\n$/);
  const written = await runCli([...imported, '--out', 'native.yaml'], { cwd, env });
  expect(written.stderr).not.toMatch(/error\[/);
  const theirs = await run([source, ...options, '--data-dir', 'data', '--out', 'theirs'], env);
  const own = await run(['native.yaml', '--out', 'own']);
  expect(theirs.bodies.length).toBeGreaterThan(0);
  expect(own).toEqual(theirs);
}

test('published files are asked and scored as their configs say', async () => {
  const needles = JSON.stringify({
    prompt: 'haystack: the magic word?',
    answer: 'the word is plum*plum',
  });
  const cwd = await writeData({ 'gen.py': generated, 'needles.jsonl': `${needles}\n` });
  await using server = await startAnsweringServer(answerTo);
  const args = ['gen.py', '--base-url', `${server.url}/v1`, '--data', 'needle=needles.jsonl'];
  expect(await scoresOf(args, cwd)).toEqual({
    'mmlu-anatomy': 0.5,
    gsm8k: 0.5,
    math: 0.5,
    'ceval-law': 1,
    hellaswag: 0.5,
    'bbh-navigate': 1,
    humaneval: 1,
    needle: 1,
  });
  const shots = server.bodies.find(({ messages }) => JSON.stringify(messages).includes('Bones?'));
  expect(shots?.messages?.[0]?.content).toContain('Which, then? A. a B. b');
  await sameWhenWritten(args, { cwd, server });
});

test('models and datasets of a Python config are chosen by their names', async () => {
  const two = `${generated}
models = [dict(models[0], abbr='one'), dict(models[0], abbr='two')]
`;
  const needle = JSON.stringify({ prompt: 'the word?', answer: 'plum*plum' });
  const cwd = await writeData({ 'two.py': two, 'needles.jsonl': `${needle}\n` });
  await using server = await startAnsweringServer(answerTo);
  const args = ['two.py', '--base-url', `${server.url}/v1`, '--data', 'needle=needles.jsonl'];
  const chosen = ['--dataset', 'gsm8k', '--model', 'two', '--data-dir', 'data', '--json'];
  const { stdout, stderr } = await runCli(['run', ...args, ...chosen], { cwd });
  expect(stderr).not.toMatch(/error\[/);
  const { results } = JSON.parse(stdout);
  expect(results).toMatchObject([{ model: 'two', dataset: 'gsm8k' }]);
});

const measured = `${imports}from opencompass.datasets import MMLUDataset, HellaswagDataset
from opencompass.openicl.icl_evaluator import AccEvaluator

_options = {letter: '{input} ' + letter for letter in ['A', 'B', 'C', 'D']}
_endings = {i: dict(round=[dict(role='HUMAN', prompt='{ctx} {' + 'ABCD'[i] + '}')]) for i in range(4)}

datasets = [
${entry({ abbr: 'mmlu', type: 'MMLUDataset', path: './data/mmlu/', more: "name='anatomy',", columns: "'input'", output: 'target', infer: 'prompt_template=dict(type=PromptTemplate, template=_options), retriever=dict(type=ZeroRetriever), inferencer=dict(type=PPLInferencer)', evaluation: 'evaluator=dict(type=AccEvaluator)' })}${entry({ abbr: 'hellaswag', type: 'HellaswagDataset', path: 'opencompass/hellaswag', columns: "'ctx', 'A', 'B', 'C', 'D'", output: 'label', infer: 'prompt_template=dict(type=PromptTemplate, template=_endings), retriever=dict(type=ZeroRetriever), inferencer=dict(type=PPLInferencer)', evaluation: 'evaluator=dict(type=AccEvaluator)' })}]
`;

test('labels are measured by the model that comes with Typecase', async () => {
  const cwd = await writeData({ 'ppl.py': measured });
  const scores = await scoresOf(['ppl.py', '--model', 'typecase-tiny'], cwd);
  for (const dataset of ['mmlu', 'hellaswag']) expect([0, 0.5, 1]).toContain(scores[dataset]);
  const check = ['import', 'ppl.py', '--data-dir', 'data', '--check'];
  const { stdout: checked } = await runCli(check, { cwd });
  expect(checked).toBe('Prompts are identical for 2 of 2 datasets.\n');
});

const judging = `prompt_template=dict(type=PromptTemplate, template=dict(begin=[dict(role='SYSTEM', fallback_role='HUMAN', prompt='You judge.')], round=[dict(role='HUMAN', prompt='Judge: {question} gold {obj_gold} said {prediction}')])), dataset_cfg=dict(type=GSM8KDataset, path='opencompass/gsm8k', reader_cfg=dict(input_columns=['question'], output_column='answer')), judge_cfg=dict(), dict_postprocessor=dict(type=generic_llmjudge_postprocess)`;
const rounds = `prompt_template=dict(type=PromptTemplate, template='{dialogue}'), retriever=dict(type=ZeroRetriever), inferencer=dict(type=ChatInferencer, infer_mode='every')`;
const judged = `${imports}${models}from opencompass.datasets import GSM8KDataset, MTBenchDataset, generic_llmjudge_postprocess, gsm8k_postprocess, gsm8k_dataset_postprocess, Gsm8kEvaluator
from opencompass.datasets.circular import CircularMMLUDataset, CircularEvaluator
from opencompass.evaluator import CascadeEvaluator, GenericLLMEvaluator
from opencompass.openicl.icl_evaluator import LMEvaluator
from opencompass.datasets import mtbench_postprocess
from opencompass.utils.text_postprocessors import first_option_postprocess

_judge = dict(type=GenericLLMEvaluator, ${judging})
datasets = [
${entry({ abbr: 'judged', type: 'GSM8KDataset', path: 'opencompass/gsm8k', columns: "'question'", output: 'answer', infer: asked('{question}'), evaluation: 'evaluator=_judge' })}${entry({ abbr: 'cascade', type: 'GSM8KDataset', path: 'opencompass/gsm8k', columns: "'question'", output: 'answer', infer: asked('Again: {question}'), evaluation: 'dataset_postprocessor=dict(type=gsm8k_dataset_postprocess), evaluator=dict(type=CascadeEvaluator, rule_evaluator=dict(type=Gsm8kEvaluator, pred_postprocessor=dict(type=gsm8k_postprocess)), llm_evaluator=_judge, parallel=False)' })}${entry({ abbr: 'circular', type: 'CircularMMLUDataset', path: 'opencompass/mmlu', more: "name='anatomy',", columns: "'input', 'A', 'B', 'C', 'D'", output: 'target', splits: "train_split='dev', test_range='[:1]'", infer: asked('{input} A. {A} B. {B} C. {C} D. {D}'), evaluation: `evaluator=dict(type=CircularEvaluator), ${option}` })}${entry({ abbr: 'mtbench', type: 'MTBenchDataset', path: 'data/subjective/mtbench', more: "name='mtbench',", columns: "'dialogue', 'prompt_template'", output: 'judge', infer: rounds, evaluation: "evaluator=dict(type=LMEvaluator, prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{prompt_template}')])), dict_postprocessor=dict(type=mtbench_postprocess))" })}]
`;

test('judges, cascades, options in all orders and dialogues come to a score', async () => {
  const talk = {
    dialogue: ['Name a metal.', '', 'Its symbol?', ''].map((content, turn) => ({
      role: turn % 2 === 0 ? 'user' : 'assistant',
      content,
    })),
    prompt_template: 'Rate {prediction_r1} then {prediction_r2}',
    judge: 'x',
  };
  const cwd = await writeData({ 'judged.py': judged, 'talk.jsonl': `${JSON.stringify(talk)}\n` });
  await using server = await startAnsweringServer((body) => {
    const text = textOf(body);
    if (/Judge:/.test(text)) return /said It is 999/.test(text) ? 'I say B.' : 'A it is';
    if (/Rate Iron then Fe/.test(text)) return 'Fine. Rating: [[8]]';
    if (/symbol/.test(text)) return 'Fe';
    if (/metal/.test(text)) return 'Iron';
    const right = /([A-D])\. two/.exec(text)?.[1];
    return right === undefined ? answerTo(body) : `The answer is ${right}`;
  });
  const address = `${server.url}/v1`;
  const scores = await scoresOf(
    ['judged.py', '--base-url', address, '--judge-url', address, '--data', 'mtbench=talk.jsonl'],
    cwd,
  );
  expect(scores).toEqual({ judged: 0.5, cascade: 0.5, circular: 1, mtbench: 8 });
  const asks = (pattern: RegExp) => server.bodies.filter((body) => pattern.test(textOf(body)));
  expect(asks(/Bones\?/)).toHaveLength(4);
  // One of the two answers is right by the rule: the judge is asked about the other alone.
  expect(asks(/Judge: .*gold (?:42|1000) said/)).toHaveLength(1);
  expect(asks(/Judge:/)).toHaveLength(3);
  await sameWhenWritten(
    ['judged.py', '--base-url', address, '--judge-url', address, '--data', 'mtbench=talk.jsonl'],
    { cwd, server },
  );
});

const seen = (port: string) => `from ais_bench.benchmark.models import VLLMCustomAPIChat
models = [dict(attr='service', type=VLLMCustomAPIChat, abbr='vllm', model='served', host_ip='127.0.0.1', host_port=${port}, request_rate=0, retry=2)]
from ais_bench.benchmark.openicl.icl_prompt_template.icl_prompt_template_mm import MMPromptTemplate
from ais_bench.benchmark.openicl.icl_retriever import ZeroRetriever
from ais_bench.benchmark.openicl.icl_inferencer import GenInferencer
from ais_bench.benchmark.datasets import DocVQADataset, DocVQAEvaluator, TEXTVQADataset, TEXTEvaluator

textvqa_datasets = [dict(
    abbr='textvqa', type=TEXTVQADataset, path='ais_bench/datasets/textvqa/textvqa_json/textvqa_val.jsonl', image_type='image_base64',
    reader_cfg=dict(input_columns=['question', 'image'], output_column='answer'),
    infer_cfg=dict(
        prompt_template=dict(type=MMPromptTemplate, template=dict(round=[dict(role='HUMAN', prompt_mm={
            'text': {'type': 'text', 'text': '{question} One word.'},
            'image': {'type': 'image_url', 'image_url': {'url': 'data:image/jpeg;base64,{image}'}}})])),
        retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer)),
    eval_cfg=dict(evaluator=dict(type=TEXTEvaluator))), dict(
    abbr='docvqa', type=DocVQADataset, path='ais_bench/datasets/DocVQA/DocVQA_VAL.tsv',
    reader_cfg=dict(input_columns=['question', 'image'], output_column='answer'),
    infer_cfg=dict(
        prompt_template=dict(type=MMPromptTemplate, template=dict(round=[dict(role='HUMAN', prompt_mm={
            'text': {'type': 'text', 'text': '{question}'},
            'image': {'type': 'image_url', 'image_url': {'url': 'file://{image}'}}})])),
        retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer)),
    eval_cfg=dict(evaluator=dict(type=DocVQAEvaluator)))]
`;

/** A picture of one point. */
const point =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const documents = `index\tquestion\tanswer\timage\n0\tWhat is read?\t['stop', 'halt']\t${point}\n1\tAnd here?\t['go']\t0\n`;

test('questions about images are asked with the image and scored', async () => {
  await using server = await startAnsweringServer(() => 'Stop.');
  const cwd = await writeData({
    'seen.py': seen(new URL(server.url).port),
    'data/DocVQA/DocVQA_VAL.tsv': documents,
  });
  const scores = await scoresOf(['seen.py'], cwd);
  // Three of four say so: each of them has two others, the fourth has three.
  expect(scores.textvqa).toBeCloseTo((3 * (2 / 3) + 1) / 4, 12);
  const image = Buffer.from('not really a picture').toString('base64');
  expect(server.bodies[0]?.messages?.[0]?.content).toEqual([
    { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${image}` } },
    { type: 'text', text: 'What does it say? One word.' },
  ]);
  // Four of five letters and the full stop are right for the first, nothing for the second.
  expect(scores.docvqa).toBeCloseTo(0.8 / 2, 12);
  const again = server.bodies.find((body) => textOf(body).includes('And here?'));
  expect(again?.messages?.[0]?.content).toEqual([
    { type: 'image_url', image_url: { url: `data:image/png;base64,${point}` } },
    { type: 'text', text: 'And here?\nAnswer the question using a single word or phrase.' },
  ]);
  await sameWhenWritten(['seen.py'], { cwd, server });
});

/** Datasets as configs of AISBench write them. */
const serviced = (port: string) => `from ais_bench.benchmark.models import VLLMCustomAPIChat
from ais_bench.benchmark.datasets import Aime2024Dataset, DropOpenAIDataset, DropOpenAIEvaluator, GSM8KDataset, Gsm8kEvaluator, MATHEvaluator, PIQADatasetV2
from ais_bench.benchmark.datasets import gsm8k_dataset_postprocess, gsm8k_postprocess, math_postprocess_v2
from ais_bench.benchmark.openicl.icl_evaluator import AccEvaluator
from ais_bench.benchmark.openicl.icl_inferencer import GenInferencer
from ais_bench.benchmark.openicl.icl_prompt_template import PromptTemplate
from ais_bench.benchmark.openicl.icl_retriever import ZeroRetriever
from ais_bench.benchmark.utils.postprocess.text_postprocessors import last_option_postprocess

models = [dict(attr='service', type=VLLMCustomAPIChat, abbr='vllm', model='served', host_ip='127.0.0.1', host_port=${port}, request_rate=0, retry=2, max_out_len=64)]
datasets = [
${entry({ abbr: 'aime', type: 'Aime2024Dataset', path: 'ais_bench/datasets/aime/aime.jsonl', columns: "'question'", output: 'answer', infer: asked('{question} In a box.'), evaluation: "evaluator=dict(type=MATHEvaluator, version='v2'), pred_postprocessor=dict(type=math_postprocess_v2)" })}${entry({ abbr: 'gsm8k', type: 'GSM8KDataset', path: 'ais_bench/datasets/gsm8k', columns: "'question'", output: 'answer', infer: asked('{question}'), evaluation: 'evaluator=dict(type=Gsm8kEvaluator), pred_postprocessor=dict(type=gsm8k_postprocess), dataset_postprocessor=dict(type=gsm8k_dataset_postprocess)' })}${entry({ abbr: 'drop', type: 'DropOpenAIDataset', path: 'ais_bench/datasets/drop_simple_eval/dev.jsonl', columns: "'prompt'", output: 'answers', splits: "test_split='validation'", infer: asked('{prompt}'), evaluation: 'evaluator=dict(type=DropOpenAIEvaluator)' })}${entry({ abbr: 'piqa', type: 'PIQADatasetV2', path: 'ais_bench/datasets/physicaliqa-train-dev', columns: "'goal', 'sol1', 'sol2'", output: 'answer', splits: "test_split='validation'", infer: asked('A or B? {goal} A. {sol1} B. {sol2}'), evaluation: "evaluator=dict(type=AccEvaluator), pred_postprocessor=dict(type=last_option_postprocess, options='AB')" })}]
`;

test('datasets of AISBench are asked at its service and scored', async () => {
  await using server = await startAnsweringServer((body) => {
    const text = textOf(body);
    if (/Open a jar|Dry a shirt/.test(text)) return 'Perhaps B. Answer: A';
    if (/Who won/.test(text)) return 'Answer: Reds';
    return /6 times 7/.test(text) ? 'So \\boxed{42}' : '3 and 4 are 7, or \\boxed{8}';
  });
  const jar = { goal: 'Open a jar', sol1: 'twist', sol2: 'sing' };
  const shirt = { goal: 'Dry a shirt', sol1: 'wet it', sol2: 'hang it' };
  const cwd = await writeData({ 'serviced.py': serviced(new URL(server.url).port) });
  await writeFiles(cwd, {
    'data/aime/aime.jsonl': lines([
      { origin_prompt: 'What is 6 times 7?', gold_answer: '42' },
      { origin_prompt: 'What is 10 less 1?', gold_answer: '9' },
    ]),
    'data/gsm8k/test.jsonl': lines([
      { question: 'Tom has 3 and gets 4?', answer: 'So <<3+4=7>>7\n#### 7' },
      { question: 'Tom has 3 and gets 5?', answer: '#### 8' },
      { question: 'And 1?', answer: '#### 1' },
    ]),
    'data/drop_simple_eval/dev.jsonl': lines([
      { context: 'The Reds won. Who won? ', completion: 'Reds', ref_text: 'The Reds|Reds' },
    ]),
    'data/physicaliqa-train-dev/dev.jsonl': lines([jar, shirt]),
    'data/physicaliqa-train-dev/dev-labels.lst': '0\n1\n',
    'data/physicaliqa-train-dev/train.jsonl': lines([jar]),
    'data/physicaliqa-train-dev/train-labels.lst': '0\n',
  });
  const scores = await scoresOf(['serviced.py'], cwd);
  // The last number of an answer counts for gsm8k: 8, which one of three questions wants.
  expect(scores).toEqual({ aime: 0.5, gsm8k: 1 / 3, drop: 1, piqa: 0.5 });
  expect(server.bodies.map(textOf)).toContain('"A or B? Dry a shirt A. wet it B. hang it"');
  expect(server.bodies.map(textOf)).toContain('"What is 6 times 7? In a box."');
  await sameWhenWritten(['serviced.py'], { cwd, server });
});

const checked = `${imports}${models}from opencompass.datasets import IFEvalDataset, IFEvaluator, HumanevalDataset, HumanEvalPlusEvaluator, humaneval_postprocess_v2, LCBCodeGenerationDataset, LCBCodeGenerationEvaluator
from opencompass.datasets.livemathbench import LiveMathBenchDataset, LiveMathBenchEvaluator

datasets = [
${entry({ abbr: 'IFEval', type: 'IFEvalDataset', path: 'opencompass/IFEval', columns: "'prompt'", output: 'reference', infer: asked('{prompt}'), evaluation: "evaluator=dict(type=IFEvaluator), pred_role='BOT'" })}${entry({ abbr: 'lcb', type: 'LCBCodeGenerationDataset', path: 'opencompass/code_generation_lite', columns: "'question_content', 'format_prompt'", output: 'question_id', infer: asked('{question_content} {format_prompt}'), evaluation: 'evaluator=dict(type=LCBCodeGenerationEvaluator, num_process_evaluate=4, timeout=6)' })}${entry({ abbr: 'humaneval_plus', type: 'HumanevalDataset', path: 'opencompass/humaneval', columns: "'prompt'", output: 'task_id', infer: asked('Complete: {prompt}'), evaluation: 'evaluator=dict(type=HumanEvalPlusEvaluator, k=[1]), pred_postprocessor=dict(type=humaneval_postprocess_v2)' })}${entry({ abbr: 'live', type: 'LiveMathBenchDataset', path: '', columns: "'prompt'", output: 'answer', infer: asked('{prompt}'), evaluation: "evaluator=dict(type=LiveMathBenchEvaluator, model_name='', url=[])" })}]
`;

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const program = (question_id: string, sample: object) => ({
  question_id,
  question_content: `Solve ${question_id}.`,
  format_prompt: 'In Python.',
  evaluation_sample: JSON.stringify(sample),
});

const checkedFiles = {
  'checked.py': checked,
  'data/ifeval/input_data.jsonl': lines([
    {
      key: 1,
      prompt: 'Say it without commas in two bullets.',
      instruction_id_list: ['punctuation:no_comma', 'detectable_format:number_bullet_lists'],
      kwargs: [{}, { num_bullets: 2, relation: null }],
    },
    {
      key: 2,
      prompt: 'Name the cat.',
      instruction_id_list: ['keywords:existence'],
      kwargs: [{ keywords: ['cat'] }],
    },
  ]),
  'lcb.jsonl': lines([
    program('sum', { inputs: ['1 2\n', '3 4\n'], outputs: ['3\n', '7'], fn_name: null }),
    program('echo', { inputs: ['1 2\n'], outputs: ['9\n'], fn_name: null }),
    program('twice', { inputs: ['[1, 2]'], outputs: ['[1, 2, 1, 2]'], fn_name: 'twice' }),
  ]),
  'plus.jsonl': lines([
    {
      task_id: 'a',
      prompt: 'def twice(n):\n    """Twice."""\n',
      entry_point: 'twice',
      test: 'def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(-1) == -2',
    },
  ]),
  'live.jsonl': lines([{ prompt: 'Half?', answer: '\\frac{1}{2}' }]),
};

test('instructions, programs and formulas are checked as their evaluators do', async () => {
  const cwd = await writeData({});
  await writeFiles(cwd, checkedFiles);
  const adding = '```python\nprint(sum(map(int, input().split())))\n```';
  const twice =
    '```python\nclass Solution:\n    def twice(self, items):\n        return tuple(items * 2)\n```';
  await using server = await startAnsweringServer((body) => {
    const text = textOf(body);
    if (/bullets/.test(text)) return '* one\n* two, three';
    if (/Name the cat/.test(text)) return 'It is a Cat.';
    if (/Solve/.test(text)) return /twice/.test(text) ? twice : adding;
    return answerTo(body);
  });
  const rows = ['lcb=lcb.jsonl', 'humaneval_plus=plus.jsonl', 'live=live.jsonl'];
  const args = ['checked.py', '--base-url', `${server.url}/v1`];
  const { lcb, ...others } = await scoresOf(
    [...args, ...rows.flatMap((one) => ['--data', one])],
    cwd,
  );
  expect(lcb).toBeCloseTo(2 / 3, 12);
  expect(others).toEqual({ IFEval: 0.5, humaneval_plus: 1, live: 1 });
});

test('what a run would send is said of Python configs too', async () => {
  const cwd = await writeData({
    'seen.py': seen('9'),
    'data/DocVQA/DocVQA_VAL.tsv': documents,
  });
  const { code, stdout, stderr } = await runCli(['plan', 'seen.py', '--data-dir', 'data'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/textvqa +1 +1 +0 +1/);
  expect(stdout).toContain('Nothing was sent.');
});

const comparing = (reader: string) =>
  `evaluator=dict(type=LMEvaluator, prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='Which? {question} First: {prediction} Second: {prediction2}')])), ${reader}), pred_role='BOT'`;
const against =
  "mode='m2n', base_models=[dict(abbr='strong-base')], given_pred=[{'abbr': 'strong-base', 'path': './data/subjective/base'}],";
const compared = `${imports}${models}from opencompass.models import OpenAI
from opencompass.datasets import AlpacaEvalDataset, ArenaHardDataset, SubjectiveCmpDataset, FollowBenchDataset, WritingBenchDataset
from opencompass.datasets import alpacaeval_postprocess, arenahard_postprocess, followbench_postprocess, writingbench_postprocess
from opencompass.openicl.icl_evaluator import LMEvaluator
from opencompass.summarizers import CompassArenaSummarizer

judge_models = [dict(type=OpenAI, abbr='gpt', path='gpt-judge', max_out_len=512)]
_graded = dict(role='HUMAN', prompt='Grade: {judge_prompt}')
datasets = [
${entry({ abbr: 'alpaca', type: 'AlpacaEvalDataset', path: './data/subjective/set', more: `name='set', infer_order='random', ${against}`, columns: "'question'", output: 'judge', infer: asked('{question}'), evaluation: comparing('dict_postprocessor=dict(type=alpacaeval_postprocess)') })}${entry({ abbr: 'hard', type: 'ArenaHardDataset', path: './data/subjective/hard', more: `name='hard', infer_order='double', ${against}`, columns: "'question'", output: 'judge', infer: asked('{question}'), evaluation: comparing('dict_postprocessor=dict(type=arenahard_postprocess)') })}${entry({ abbr: 'arena', type: 'SubjectiveCmpDataset', path: './data/subjective/set', more: `name='set', infer_order='double', ${against} summarizer=dict(type=CompassArenaSummarizer, summary_type='half_add'),`, columns: "'question'", output: 'judge', infer: asked('{question}'), evaluation: comparing('') })}${entry({ abbr: 'follow', type: 'FollowBenchDataset', path: './data/subjective/follow', more: "name='follow', cate='llm',", columns: "'instruction', 'judge_prompt'", output: 'judge', infer: asked('{instruction}'), evaluation: 'evaluator=dict(type=LMEvaluator, prompt_template=dict(type=PromptTemplate, template=dict(round=[_graded])), dict_postprocessor=dict(type=followbench_postprocess))' })}${entry({ abbr: 'writing', type: 'WritingBenchDataset', path: '', columns: "'question'", output: 'judge', infer: asked('{question}'), evaluation: "evaluator=dict(type=LMEvaluator, multi_eval=True, prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{prediction}')])), dict_postprocessor=dict(type=writingbench_postprocess))" })}]
`;

test('answers are compared with those of a base model, in the order that the config wants', async () => {
  const answersOfBase = (texts: readonly string[]) =>
    JSON.stringify(Object.fromEntries(texts.map((prediction, id) => [id, { prediction }])));
  const follow = (instruction: string, level: number) => ({
    instruction,
    level,
    judge_prompt: `${instruction} level ${level} said {prediction}`,
  });
  const criteria = ['Style of {prediction}', 'Length of {prediction}'];
  const cwd = await writeData({
    'compared.py': compared,
    'data/subjective/set/set.json': JSON.stringify(
      ['Sky?', 'Sea?', 'Sun?'].map((question) => ({ question, capability: 'colour', others: {} })),
    ),
    'data/subjective/hard/hard.jsonl': lines(
      ['Sky?', 'Sea?'].map((content, id) => ({
        question_id: id,
        cluster: 'c',
        turns: [{ content }],
      })),
    ),
    'data/subjective/base/alpaca.json': answersOfBase(['grey', 'green', 'white']),
    'data/subjective/base/arena.json': answersOfBase(['grey', 'green', 'white']),
    'data/subjective/base/hard.json': answersOfBase(['grey', 'green']),
    'data/subjective/follow/follow.json': JSON.stringify([follow('Sky?', 1), follow('Sea?', 2)]),
    'writing.jsonl': lines([
      { question: 'Sky?', judge: { domain1: 'letters', judge_prompt_list: criteria } },
    ]),
  });
  await using server = await startAnsweringServer((body) => {
    const text = textOf(body);
    if (/^"Grade/.test(text)) return /level 1 said blue/.test(text) ? 'YES' : "['YES', 'NO']";
    if (/^"Style of blue/.test(text)) return '{"score": 8}';
    if (/^"Length of blue/.test(text)) return '{"score": 5}';
    if (!text.startsWith('"Which?')) return /Sky/.test(text) ? 'blue' : 'red';
    // The judge likes blue, and otherwise what comes first; of the sun it knows nothing.
    if (/Sun\?/.test(text)) return 'Who knows';
    const isFirst = !/Second: blue/.test(text);
    const hard = /First: blue|Second: blue/.test(text) ? '>>' : '>';
    return `${isFirst ? 'm' : 'M'} Choice: ${isFirst ? 'A' : 'B'} [[${isFirst ? 'A' : 'B'}${hard}${isFirst ? 'B' : 'A'}]]`;
  });
  const address = `${server.url}/v1`;
  const scores = await scoresOf(
    [
      'compared.py',
      '--base-url',
      address,
      '--judge-url',
      address,
      '--data',
      'writing=writing.jsonl',
    ],
    cwd,
  );
  const judged = server.bodies.filter(({ model }) => model === 'gpt-judge').map(textOf);
  // Three questions in both orders, two instructions and two criteria.
  expect(new Set(judged).size).toBe(3 * 2 + 2 + 2);
  expect([0.5, 1]).toContain(scores.alpaca);
  expect(scores).toMatchObject({
    // A clear win in both orders, and one game each: (3 + 3 + 1) / (3 + 3 + 1 + 1).
    hard: 7 / 8,
    arena: (1 + 0.5) / 2,
    // One demand of one is met, and one of two, of five levels.
    follow: 1 / 5,
    writing: 6.5,
  });
});

const changed = `${imports}${models}from opencompass.datasets import AdvSst2Dataset, AccDropEvaluator, BigCodeBenchDataset, BigCodeBenchEvaluator, TACODataset, TACOEvaluator
from opencompass.utils.text_postprocessors import first_option_postprocess

datasets = [
${entry({ abbr: 'adv_sst2', type: 'AdvSst2Dataset', path: 'opencompass/advglue-dev', columns: "'sentence'", output: 'label_option', infer: asked('{sentence} A or B?'), evaluation: "evaluator=dict(type=AccDropEvaluator), pred_postprocessor=dict(type=first_option_postprocess, options='AB')" })}${entry({ abbr: 'bigcode', type: 'BigCodeBenchDataset', path: 'opencompass/bigcodebench', more: "local_mode=False, release_version='v0.1.2',", columns: "'instruct_prompt'", output: 'test', infer: asked('{instruct_prompt}'), evaluation: "evaluator=dict(type=BigCodeBenchEvaluator, release_version='v0.1.2', eval_type='instruct', remote_execute_api='https://example.invalid/')" })}${entry({ abbr: 'taco', type: 'TACODataset', path: 'BAAI/TACO', columns: "'question', 'starter'", output: 'problem_id', infer: asked('{question} {starter}'), evaluation: 'evaluator=dict(type=TACOEvaluator)' })}]
`;

test('texts that mislead are held against their originals, and test cases run here', async () => {
  const cases = (wanted: number) =>
    `import unittest\nclass TestCases(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(task_func({}), ${wanted})\n`;
  const sentence = (text: string, original: string | null, label: number) => ({
    sentence: text,
    ...(original !== null && { original_sentence: original }),
    label,
    type: 'word_level',
  });
  const contest = (question: string, tests: object) => ({
    question,
    starter: '',
    problem_id: question,
    input_output: JSON.stringify(tests),
  });
  const cwd = await writeData({
    'changed.py': changed,
    'data/adv_glue/dev_ann.json': JSON.stringify({
      sst2: [
        sentence('A gr8 film', 'A great film', 1),
        sentence('A dul1 film', 'A dull film', 0),
        sentence('Nothing to compare with', null, 0),
      ],
    }),
    'data/bigcodebench/BigCodeBench-v0.1.2.jsonl': lines([
      { task_id: 'B/0', instruct_prompt: 'Count.', test: cases(0), entry_point: 'task_func' },
      { task_id: 'B/1', instruct_prompt: 'Count again.', test: cases(1), entry_point: 'task_func' },
    ]),
    'taco.jsonl': lines([
      contest('Add.', { inputs: ['1 2\n', ['3 4']], outputs: ['3\n', ['7']] }),
      contest('Repeat.', { inputs: [[[1, 2], 2]], outputs: [[[1, 2, 1, 2]]], fn_name: 'repeat' }),
      contest('Add wrongly.', { inputs: ['1 2\n'], outputs: ['4\n'] }),
    ]),
  });
  await using server = await startAnsweringServer((body) => {
    const text = textOf(body);
    if (/Count/.test(text)) return 'So:\n```python\ndef task_func(d):\n    return len(d)\n```';
    if (/Add/.test(text)) return '```python\nprint(sum(map(int, input().split())))\n```';
    if (/Repeat/.test(text)) return '```python\ndef repeat(items, n):\n    return items * n\n```';
    return /great/.test(text) ? 'B' : 'A';
  });
  const args = ['changed.py', '--base-url', `${server.url}/v1`, '--data', 'taco=taco.jsonl'];
  const scores = await scoresOf(args, cwd);
  // Both originals are right, and one of the two that were changed.
  expect(scores).toEqual({ adv_sst2: 0.5, bigcode: 0.5, taco: 2 / 3 });
  expect(server.bodies.some((body) => textOf(body).includes('Nothing'))).toBe(false);
});
