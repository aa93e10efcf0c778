import { beforeAll, expect, test } from 'vitest';
import { buildCli } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const rows = '{"question": "1+1=?", "answer": "2"}\n{"question": "2+2=?", "answer": "4"}\n';
const reader = 'reader_cfg: { input_columns: [question], output_column: answer }';

const config = (model: string, infer: string) => `models:
  - abbr: m
    ${model}
datasets:
  - abbr: d
    path: rows.jsonl
    ${reader}
    infer_cfg:
      ${infer}
`;
const chatml = 'meta_template: chatml';
const question = '{ role: HUMAN, prompt: "{question}" }';
const dialogue = `prompt_template: { template: { round: [${question}] } }`;

interface Case {
  readonly name: string;
  readonly text: string;
  readonly code: string;
  /** `line:column`, and what stands there. */
  readonly place: string;
  readonly found: string;
  readonly hint: string;
}

const cases: readonly Case[] = [
  {
    name: 'round is not a list',
    text: config('meta_template: { round: { role: HUMAN } }', dialogue),
    code: 'meta_template.round_not_a_list',
    place: '3:29',
    found: '{ role: HUMAN }',
    hint: 'Write `round: [{role: HUMAN',
  },
  {
    name: 'a role that the format does not know',
    text: config(chatml, `prompt_template: { template: { round: [{ role: HUMANN, prompt: x }] } }`),
    code: 'template.unknown_role',
    place: '9:54',
    found: 'HUMANN',
    hint: 'Did you mean `HUMAN`? The format has HUMAN, BOT, SYSTEM',
  },
  {
    name: 'a role twice',
    text: config('meta_template: { round: [{ role: HUMAN }, { role: HUMAN }] }', dialogue),
    code: 'meta_template.duplicate_role',
    place: '3:55',
    found: 'HUMAN }]',
    hint: 'Each role may appear only once',
  },
  {
    name: 'the ice token is not in the template',
    text: config(chatml, 'prompt_template: { template: "Q: {question}", ice_token: "</E>" }'),
    code: 'template.ice_token_missing',
    place: '9:36',
    found: '"Q: {question}"',
    hint: 'Write `</E>` where the examples go',
  },
  {
    name: 'a label without a template',
    text: config(
      chatml,
      'prompt_template: { template: { A: "{question}", B: 3 } }\n      inferencer: { type: PPLInferencer }',
    ),
    code: 'template.label_template',
    place: '9:58',
    found: '3 } }',
    hint: 'A key other than begin, round and end is a label',
  },
  {
    name: 'a template that is no template',
    text: config(chatml, 'prompt_template: { template: [1, 2] }'),
    code: 'template.wrong_type',
    place: '9:36',
    found: '[1, 2]',
    hint: 'Write a string',
  },
  {
    name: 'a misspelt key',
    text: config('meta_tempalte: chatml', dialogue),
    code: 'config.unknown_key',
    place: '3:5',
    found: 'meta_tempalte',
    hint: 'Did you mean `meta_template`?',
  },
  {
    name: 'a misspelt key inside a format',
    text: config('meta_template: { round: [{ role: HUMAN, beginn: x }] }', dialogue),
    code: 'template.unknown_key',
    place: '3:45',
    found: 'beginn',
    hint: 'Did you mean `begin`?',
  },
  {
    name: 'an example that is not there',
    text: config(
      chatml,
      `ice_template: { template: { round: [${question}] } }
      prompt_template: { template: { begin: ["</E>"], round: [${question}] }, ice_token: "</E>" }
      retriever: { type: FixKRetriever, fix_id_list: [0, 7] }`,
    ),
    code: 'retrieve.no_such_example',
    place: '11:58',
    found: '7]',
    hint: 'Use numbers from 0 to 1.',
  },
  {
    name: 'a data file that is not there',
    text: config(chatml, dialogue).replace('rows.jsonl', 'row.jsonl'),
    code: 'data.not_found',
    place: '6:11',
    found: 'row.jsonl',
    hint: 'Did you mean `rows.jsonl`?',
  },
];

test.each(cases)('$name', async ({ text, code: errorCode, place, found, hint }) => {
  const cwd = await writeFolder({ 'c.yaml': text, 'rows.jsonl': rows });
  const { code, stdout, stderr } = await runCli(['view', 'c.yaml'], { cwd });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`error[${errorCode}] `);
  expect(stderr).toContain(`\n  at c.yaml:${place}\n`);
  expect(stderr).toContain(`\nhint: ${hint}`);
  const [line, column] = place.split(':').map(Number);
  const written = text.split('\n')[(line ?? 0) - 1] ?? '';
  expect(written.slice((column ?? 0) - 1)).toSatisfy((rest: string) => rest.startsWith(found));
  const [, shown = '', caret = ''] = stderr.match(/│ (.*)\n +│ ( *)\^/) ?? [];
  expect(shown.slice(caret.length)).toSatisfy((rest: string) => rest.startsWith(found.slice(0, 4)));
});

test('all problems of a config at once, in order', async () => {
  const text = config('modle: x', 'prompt_templte: {}').replace('input_columns', 'input_column');
  const cwd = await writeFolder({ 'c.yaml': text });
  const { code, stderr } = await runCli(['view', 'c.yaml'], { cwd });
  expect(code).toBe(2);
  const places = [...stderr.matchAll(/at c\.yaml:(\d+):/g)].map(([, line]) => Number(line));
  expect(places.length).toBeGreaterThanOrEqual(3);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('with --all one bad pair does not hide the others', async () => {
  const model = 'meta_template: { round: 1 }\n  - { abbr: good, meta_template: chatml }';
  const cwd = await writeFolder({ 'c.yaml': config(model, dialogue), 'rows.jsonl': rows });
  const { code, stdout, stderr } = await runCli(['view', 'c.yaml', '-a'], { cwd });
  expect(code).toBe(2);
  expect(stdout).toMatch(/^good · d/);
  expect(stderr).toMatch(/^m · d\nerror\[meta_template\.round_not_a_list\]/);
  const json = await runCli(['view', 'c.yaml', '-a', '--json'], { cwd });
  expect(JSON.parse(json.stdout).views).toMatchObject([
    { model: 'm', dataset: 'd', error: { at: { file: 'c.yaml', line: 3, column: 29 } } },
    { model: 'good', dataset: 'd' },
  ]);
});

test('data cannot reach the terminal, nor colour the screen', async () => {
  const evil = `${JSON.stringify({ question: 'a\u001b[31mb\u009b1m\u202e\tc \n', answer: '' })}\n`;
  const text = config(chatml, 'prompt_template: { template: "{question}" }');
  const cwd = await writeFolder({ 'c.yaml': text, 'rows.jsonl': evil });
  for (const args of [
    ['view', 'c.yaml'],
    ['view', 'c.yaml', '--origins'],
    ['view', 'c.yaml', '--json'],
  ]) {
    const { stdout } = await runCli(args, { cwd });
    expect([...stdout].filter((character) => '\u001b\u009b\u202e\t'.includes(character))).toEqual(
      [],
    );
  }
  const { stdout } = await runCli(['view', 'c.yaml'], { cwd });
  expect(stdout).toContain('  │ a␛[31mb<U+009B>1m<U+202E>⇥c␣\n  │ ▮\n');
});

test('remarks: misspelt columns, own examples, values that look like placeholders', async () => {
  const infer = `ice_template: { template: "{question}{answer}" }
      prompt_template: { template: "</E>{question} {quesiton}", ice_token: "</E>" }
      retriever: { type: FixKRetriever, fix_id_list: [0] }`;
  const data = '{"question": "is {answer} text?", "answer": "2"}\n';
  const cwd = await writeFolder({ 'c.yaml': config(chatml, infer), 'rows.jsonl': data });
  const { stdout } = await runCli(['view', 'c.yaml'], { cwd });
  expect(stdout).toContain('warning  `{quesiton}` is not a column');
  expect(stdout).toContain('c.yaml:10:52 · Did you mean `{question}`?');
  expect(stdout).toContain('warning  example 0 is this row itself, including its answer');
  expect(stdout).toContain('note     the value of `question` contains `{answer}`');
});

test('no model: text in no format, which is said', async () => {
  const text = config(chatml, dialogue).replace(/models:[\s\S]*?datasets:/, 'datasets:');
  const cwd = await writeFolder({ 'c.yaml': text, 'rows.jsonl': rows });
  const { code, stdout } = await runCli(['view', 'c.yaml'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^no model · d · row 0/);
  expect(stdout).toContain('  │ 1+1=?▮\n');
  expect(stdout).toContain('Request  none: no model is configured');
});

const tokenizer = JSON.stringify({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: null,
  decoder: null,
  model: { type: 'WordLevel', vocab: { Say: 0, it: 1, now: 2, '[UNK]': 3 }, unk_token: '[UNK]' },
});

test('tokens are counted, and sent where the format has token ids', async () => {
  const model = `tokenizer: tokenizer.json
    type: OpenAICompletions
    base_url: http://127.0.0.1:1/v1
    model: x
    meta_template: { round: [{ role: HUMAN, begin: [9, 8] }, { role: BOT, generate: true }] }`;
  const text = config(
    model,
    `prompt_template: { template: { round: [{ role: HUMAN, prompt: "Say it now" }] } }`,
  );
  const cwd = await writeFolder({
    'c.yaml': text,
    'rows.jsonl': rows,
    'tokenizer.json': tokenizer,
  });
  const { stdout } = await runCli(['view', 'c.yaml'], { cwd });
  expect(stdout).toContain('  │ ⟨token 9⟩⟨token 8⟩Say it now▮');
  expect(stdout).toContain('10 characters · 5 tokens');
  expect(stdout).toContain('"prompt": [9, 8, 0, 1, 2]');
  const missing = await runCli(['view', 'c.yaml'], {
    cwd: await writeFolder({ 'c.yaml': text, 'rows.jsonl': rows }),
  });
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('error[model.tokenizer_unreadable]');
  expect(missing.stderr).toContain('at c.yaml:3:16');
});
