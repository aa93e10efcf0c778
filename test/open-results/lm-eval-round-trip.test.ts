import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import '../../src/index.ts';
import type { Comparison } from '../../src/study/compare/comparison.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import { jsonLines, writeFiles } from './foreign-files.ts';

const base = 'dataset_path: made/up\ntest_split: test\nfewshot_split: test\n';

const tasks = {
  // White space moves from the end of a context to what follows it.
  spaces: `
output_type: multiple_choice
doc_to_text: "{{a}}+{{b}}=\\n"
target_delimiter: ""
doc_to_choice: "{{[(a+b)|string, (a+b+1)|string]}}"
doc_to_target: "{{a % 2}}"
metric_list: [{metric: acc}]
`,
  // What is chosen among stands before one continuation, which is the same for all.
  inputs: `
output_type: multiple_choice
num_fewshot: 1
doc_to_text: "{{a % 2}}"
doc_to_choice: "{{['It is ' ~ a, 'It is ' ~ share]}}"
doc_to_target: "and {{b}} more"
metric_list: [{metric: acc}, {metric: acc_norm}]
`,
  written: `
output_type: generate_until
doc_to_text: "{{a}}+{{b}}="
doc_to_target: "{{a + b}}"
generation_kwargs: {until: ["\\n"], max_gen_toks: 4}
filter_list: [{name: bare, filter: [{function: remove_whitespace}, {function: take_first}]}]
metric_list: [{metric: exact_match}]
`,
};

const rowCount = 6;
const lines = Array.from(
  { length: rowCount },
  // A float that is whole is printed as one.
  (_, index) => `{"a": ${(index * 7) % 30}, "b": ${index % 4}, "share": ${index}.0}\n`,
);

let folder: string;

beforeAll(async () => {
  folder = writeFiles({
    ...Object.fromEntries(
      Object.entries(tasks).map(([name, text]) => [
        `tasks/${name}.yaml`,
        `task: ${name}\n${base}${text}`,
      ]),
    ),
    'data/test.jsonl': lines.join(''),
  });
  const said = await callCommand([
    ...['lm-eval', '--include_path', join(folder, 'tasks'), '--data-dir', join(folder, 'data')],
    ...['--tasks', Object.keys(tasks).join(','), '--model', 'hf'],
    ...['--model_args', 'pretrained=typecase-tiny', '--out', join(folder, 'run')],
    ...['--output_path', join(folder, 'results', 'results_now.json'), '--log_samples'],
  ]);
  expect(said, said.stderr).toMatchObject({ code: 0 });
});

type SampleLine = Readonly<Record<string, unknown>>;

/** The results that were written, with the samples of a task changed. */
function resultsWith(task: string, change: (sample: SampleLine) => SampleLine): string {
  const copy = mkdtempSync(join(tmpdir(), 'typecase-changed-'));
  cpSync(join(folder, 'results'), copy, { recursive: true });
  const name = readdirSync(copy).find((one) => one.startsWith(`samples_${task}_`)) ?? '';
  const file = join(copy, name);
  const samples = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(file, jsonLines(samples.map((line) => change(JSON.parse(line) as SampleLine))));
  return copy;
}

async function compared(a: string, b: string): Promise<Comparison> {
  const said = await callCommand(['compare', a, b, '--json']);
  // Changed samples do not come to the number in the file any more.
  expect([0, 3], said.stderr).toContain(said.code);
  return JSON.parse(said.stdout) as Comparison;
}

test('what lm-eval wrote opens by its tasks, to the same numbers', async () => {
  const said = await callCommand([
    ...['open', join(folder, 'results'), '--out', join(folder, 'opened')],
  ]);
  expect(said, said.stderr).toMatchObject({ code: 0, stderr: '' });
  for (const task of Object.keys(tasks))
    expect(said.stdout).toMatch(new RegExp(`${task}\\s+\\w+\\s+([\\d.]+)\\s+\\1\\s+the task`));
});

test('it compares with its own run without a difference, and without notes', async () => {
  const { tasks: all, warnings } = await compared(join(folder, 'results'), join(folder, 'run'));
  expect(all.map(({ name }) => name).sort()).toEqual(Object.keys(tasks).sort());
  expect(warnings).toEqual([]);
  for (const task of all) {
    expect(task, task.name).toMatchObject({
      pairing: { rows: rowCount, otherPrompts: 0 },
      why: {
        difference: 0,
        prompts: { same: rowCount, other: 0 },
        differing: { answers: 0, extracted: 0, gold: 0 },
      },
    });
    expect(task.chosen, task.name).toBeUndefined();
  }
});

test.each([
  ['written', (doc: SampleLine) => ({ ...doc, b: Number(doc.b) + 50 })],
  ['spaces', (doc: SampleLine) => ({ ...doc, a: Number(doc.a) + 1, b: Number(doc.b) - 1 })],
])('other gold answers of %s are the cause that is named', async (task, change) => {
  const other = resultsWith(task, (sample) => ({
    ...sample,
    doc: change(sample.doc as SampleLine),
  }));
  const { tasks: all } = await compared(`${other}:${task}`, join(folder, `run:${task}`));
  const why = all[0]?.why;
  expect(why?.differing).toMatchObject({ answers: 0, extracted: 0, gold: rowCount });
  expect(why?.parts.map(({ cause }) => cause)).toEqual(why?.difference === 0 ? [] : ['gold']);
});
