import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRun } from '../../src/index.ts';
import { startChatServer } from '../functions/chat-server.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import { startLogprobServer } from '../loglikelihoods/logprob-server.ts';

const tasks: Readonly<Record<string, string>> = {
  'base.yaml': `dataset_path: made/up
test_split: test
training_split: train
doc_to_text: "{{a}}+{{b}}="
target_delimiter: ""
fewshot_delimiter: "\\n"
`,
  'sums.yaml': `include: base.yaml
task: sums
tag: arithmetic
output_type: generate_until
doc_to_target: "{{a + b}}"
generation_kwargs: {until: ["\\n"], max_gen_toks: 6}
filter_list:
  - name: strict
    filter: [{function: regex, regex_pattern: "^(\\\\d+)"}, {function: take_first}]
  - name: loose
    filter: [{function: remove_whitespace}, {function: take_first}]
metric_list:
  - {metric: exact_match, aggregation: mean, higher_is_better: true}
  - {metric: bleu}
`,
  'pick.yaml': `include: base.yaml
task: pick
tag: arithmetic
output_type: multiple_choice
doc_to_choice: "{{[(a+b+1)|string, (a+b)|string, (a+b+10)|string]}}"
doc_to_target: "{{1 if a > 20 else 0}}"
metric_list:
  - {metric: acc}
  - {metric: acc_norm}
  - {metric: mcc}
  - {metric: f1}
  - {metric: brier_score}
`,
  'likely.yaml': `include: base.yaml
task: likely
output_type: loglikelihood
doc_to_target: "{{a + b}}"
`,
  'texts.yaml': `include: base.yaml
task: texts
output_type: loglikelihood_rolling
doc_to_target: "{{a}} and {{b}}"
`,
  'group.yaml': `group: both
group_alias: Both of them
task: [sums, {task: pick, num_fewshot: 0}]
aggregate_metric_list: [{metric: acc, weight_by_size: true}, {metric: exact_match}]
`,
  'python.yaml': `include: base.yaml
task: python
process_docs: !function utils.add_columns
doc_to_text: !function utils.ask
doc_to_target: total
output_type: generate_until
generation_kwargs: {until: ["\\n"], max_gen_toks: 6}
process_results: !function utils.judge
metric_list:
  - {metric: near, aggregation: mean, higher_is_better: true}
  - {metric: far, aggregation: !function utils.worst, higher_is_better: false}
`,
};

const functions = `
export const add_columns = (rows) => rows.map((row) => ({ ...row, total: String(row.a + row.b) }));
export const ask = ({ a, b }) => a + '+' + b + '=';
export const judge = (row, [answer]) => {
  const distance = Math.abs(Number(row.total) - Number(answer.trim()));
  return { near: distance < 5, far: distance };
};
export const worst = (items) => Math.max(...items);
`;

function setUp(): string {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-lm-eval-'));
  mkdirSync(join(folder, 'tasks'));
  mkdirSync(join(folder, 'data'));
  for (const [name, text] of Object.entries(tasks))
    writeFileSync(join(folder, 'tasks', name), text);
  const line = (index: number) => JSON.stringify({ a: (index * 37) % 60, b: (index * 23) % 40 });
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => line(from + index)).join('\n');
  writeFileSync(join(folder, 'data', 'test.jsonl'), lines(0, 10));
  writeFileSync(join(folder, 'data', 'train.jsonl'), lines(20, 28));
  writeFileSync(join(folder, 'functions.ts'), functions);
  return folder;
}

const common = (folder: string) => [
  ...['lm-eval', '--include_path', join(folder, 'tasks'), '--data-dir', join(folder, 'data')],
  ...['--out', join(folder, 'run'), '--output_path', join(folder, 'results.json')],
];
const tiny = ['--model', 'hf', '--model_args', 'pretrained=typecase-tiny'];

const written = (body: unknown) =>
  typeof body === 'string' ? JSON.stringify(JSON.parse(body)) : JSON.stringify(body);

type Results = Record<string, Record<string, unknown>>;

function resultsIn(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Record<
    string,
    Results
  > & {
    results: Results;
  };
}

describe('typecase lm-eval on YAML tasks', () => {
  test('gives the numbers of the run in the shape of the harness, and asks nothing again', async () => {
    const folder = setUp();
    const args = [...common(folder), ...tiny, '--tasks', 'both,lik*,texts', '--num_fewshot', '2'];
    const said = await callCommand([...args, '--log_samples', '--bootstrap_iters', '100']);
    expect(said).toMatchObject({ code: 0 });
    const { results, groups, ...file } = resultsIn(folder);
    const { summary } = await openRun(join(folder, 'run'));
    // Measures of the summary, by dataset and name.
    const own = new Map(
      (summary?.results ?? []).flatMap(({ dataset, metric, score, metrics = [] }) => [
        [`${dataset} ${metric}`, score?.value] as const,
        ...metrics.map((one) => [`${dataset} ${one.name}`, one.score.value] as const),
      ]),
    );
    const pairs = [
      ['sums', 'exact_match,strict', 'exact_match,strict', 1],
      ['sums', 'exact_match,loose', 'exact_match,loose', 1],
      ['sums', 'bleu,loose', 'bleu,loose', 100],
      ['pick', 'acc,none', 'acc', 1],
      ['pick', 'acc_norm,none', 'acc_norm', 1],
      ['pick', 'mcc,none', 'mcc', 1],
      ['pick', 'f1,none', 'f1', 1],
      ['pick', 'brier_score,none', 'brier_score', 1],
      ['likely', 'perplexity,none', 'perplexity', 1],
      ['likely', 'acc,none', 'acc', 1],
      ['texts', 'word_perplexity,none', 'word_perplexity', 1],
      ['texts', 'byte_perplexity,none', 'byte_perplexity', 1],
      ['texts', 'bits_per_byte,none', 'bits_per_byte', 1],
    ] as const;
    for (const [task, key, name, scale] of pairs) {
      const value = Number(results[task]?.[key]) / scale;
      expect(own.get(`${task} ${name}`), `${task} ${key}`).toBeCloseTo(value, 9);
    }
    expect(results.pick?.['acc,none']).toBeGreaterThan(0);
    expect(results.pick?.['acc,none']).toBeLessThan(1);
    expect(groups?.both).toMatchObject({
      alias: 'Both of them',
      'acc,none': results.pick?.['acc,none'],
    });
    expect(file['n-shot']).toEqual({ likely: 2, pick: 0, sums: 2, texts: 0 });
    expect(file['n-samples']?.sums).toEqual({ original: 10, effective: 10 });
    const samples = readdirSync(folder).find((name) => name.startsWith('samples_pick_')) ?? '';
    const lines = readFileSync(join(folder, samples), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(10);
    const mean =
      lines.reduce((sum, line) => sum + (JSON.parse(line) as { acc: number }).acc, 0) / 10;
    expect(mean).toBeCloseTo(Number(results.pick?.['acc,none']), 12);
    const again = await callCommand([...args, '--bootstrap_iters', '0']);
    expect(resultsIn(folder).results.pick?.['acc_stderr,none']).toBe('N/A');
    expect(again.stdout).toContain('40 answers: 40 reused from this folder');
  });

  test('takes the financial tasks beside those of YAML files, by names and patterns', async () => {
    const folder = setUp();
    cpSync('tasks/japanese-financial/data', join(folder, 'data'), { recursive: true });
    const args = [...common(folder), ...tiny, '--limit', '4'];
    const tasks = ['--tasks', 'pick,chabsa-1.0-0.[12],fp2', '--dialect', 'v0.2.0', '--log_samples'];
    const said = await callCommand([...args, ...tasks]);
    expect(said, said.stderr).toMatchObject({ code: 0 });
    const { results, ...file } = resultsIn(folder);
    expect(Object.keys(results)).toEqual(['pick', 'chabsa-1.0-0.1', 'chabsa-1.0-0.2', 'fp2']);
    const alone = join(folder, 'alone');
    const same = await callCommand([
      ...['lm-eval', ...tiny, '--tasks', 'chabsa-1.0-0.2,fp2', '--limit', '4', '--out', alone],
      ...['--data-dir', join(folder, 'data'), '--output_path', join(alone, 'results.json')],
      ...['--dialect', 'v0.2.0'],
    ]);
    expect(same).toMatchObject({ code: 0 });
    const own = resultsIn(alone);
    for (const name of ['chabsa-1.0-0.2', 'fp2']) {
      expect(results[name]).toMatchObject({ sample_len: 4, ...own.results[name] });
      expect(file.configs?.[name]).toMatchObject(own.configs?.[name] as object);
      const [samples = ''] = readdirSync(folder).filter((one) =>
        one.startsWith(`samples_${name}_`),
      );
      const lines = readFileSync(join(folder, samples), 'utf8').trim().split('\n');
      const accuracies = lines.map((line) => JSON.parse(line).acc as number);
      const mean = accuracies.reduce((sum, value) => sum + value, 0) / accuracies.length;
      expect([accuracies.length, mean]).toEqual([4, results[name]?.['acc,none']]);
      expect(JSON.parse(lines[0] ?? '').resps[0][0][0]).toMatch(/^-\d/);
    }
    expect(results.fp2?.['acc_stderr,none']).toEqual(expect.any(Number));
    expect(file['n-samples']).toMatchObject({ fp2: { original: 8, effective: 4 } });
    const refused = await callCommand([...args, '--tasks', 'pick,fp2', '--apply_chat_template']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('`fp2` is asked as the original asks it');
    const unknown = await callCommand([...args, '--tasks', 'pick,chabsa-9*']);
    expect(unknown.stderr).toContain('unknown task `chabsa-9*`');
  });

  test('what view shows of the written config is what the server gets', async () => {
    const folder = setUp();
    await using server = await startChatServer(() => '12');
    const model = ['--model', 'local-chat-completions'];
    const { code } = await callCommand([
      ...common(folder),
      ...model,
      ...['--model_args', `model=m,base_url=${server.url}/chat/completions`],
      ...['--tasks', 'sums', '--num_fewshot', '1', '--limit', '3', '--apply_chat_template'],
      ...['--system_instruction', 'Be brief – très.', '--gen_kwargs', 'top_p=0.5,max_gen_toks=9'],
      '--log_samples',
    ]);
    expect(code).toBe(0);
    const logged = readdirSync(folder).find((name) => name.startsWith('samples_sums_')) ?? '';
    const [line = ''] = readFileSync(join(folder, logged), 'utf8').split('\n');
    // The harness has chats as JSON with all letters as they are, in a list of their own.
    expect(JSON.parse(line).arguments.gen_args_0.arg_0).toEqual([
      expect.stringMatching(/^\[\{"role": "system", "content": "Be brief – très\."\}, /),
    ]);
    const bodies = server.bodies.map((body) => JSON.parse(body) as Record<string, unknown>);
    expect(bodies).toHaveLength(3);
    const [first] = bodies.filter(({ messages }) => JSON.stringify(messages).includes('0+0='));
    expect(first).toMatchObject({
      stop: ['\n'],
      max_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      messages: [
        { role: 'system', content: 'Be brief – très.' },
        { role: 'user' },
        { role: 'assistant' },
        { role: 'user', content: '0+0=' },
      ],
    });
    const config = join(folder, 'run', 'config.json');
    const shown = await callCommand(['view', config, '--rows', '0:3', '--json']);
    const { views } = JSON.parse(shown.stdout) as { views: { requests: { body: unknown }[] }[] };
    const seen = views.flatMap(({ requests }) => requests.map(({ body }) => body));
    expect(seen.map(written).sort()).toEqual(bodies.map(written).sort());
    const scored = await callCommand(['score', join(folder, 'run'), config]);
    expect(scored).toMatchObject({ code: 0 });
  });

  test('a metric that the model cannot give leaves the others as they are', async () => {
    const folder = setUp();
    const yaml = `${tasks['pick.yaml']}  - {metric: acc_mutual_info}\n`;
    writeFileSync(join(folder, 'tasks', 'pick.yaml'), yaml);
    await using server = await startLogprobServer('echo');
    const model = `model=m,base_url=${server.url}/completions`;
    const said = await callCommand([
      ...[...common(folder), '--model', 'local-completions', '--model_args', model],
      ...['--tasks', 'pick'],
    ]);
    expect(said, said.stderr).toMatchObject({ code: 0 });
    const { results } = resultsIn(folder);
    expect(results.pick).toMatchObject({ 'acc,none': expect.any(Number) });
    expect(results.pick).not.toHaveProperty('acc_mutual_info,none');
    expect(said.stderr).toContain('pick: acc_mutual_info is left out');
  });

  test('functions of Python are named, and supplied in TypeScript', async () => {
    const folder = setUp();
    const args = [...common(folder), ...tiny, '--tasks', 'python'];
    const without = await callCommand(args);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain(
      '`utils.ask`, `utils.add_columns`, `utils.judge`, `utils.worst`',
    );
    const said = await callCommand([...args, '--functions', join(folder, 'functions.ts')]);
    expect(said).toMatchObject({ code: 0 });
    const { results } = resultsIn(folder);
    expect(results.python).toMatchObject({ 'near,none': 1, 'far,none': 0 });
  });

  test.each([
    ['--tasks picks', 2, 'Did you mean `pick`'],
    ['--tasks pick --num_fewshot 50', 2, '50 examples are needed, but only 8'],
    ['--tasks pick --fewshot_as_multiturn', 2, 'needs --apply_chat_template'],
    [
      '--tasks sums --apply_chat_template --model local-completions --model_args model=m,base_url=http://127.0.0.1:9',
      2,
      'has no chat template',
    ],
    ...['pick', 'fp2'].flatMap((task): [string, number, string][] => [
      [
        `--tasks ${task} --model_args pretrained=typecase-tiny,num_concurrent=0`,
        2,
        '--model_args.num_concurrent must be a whole number above 0, not 0',
      ],
      [
        `--tasks ${task} --model_args pretrained=typecase-tiny,max_length=long`,
        2,
        '--model_args.max_length must be a whole number above 0, not a string',
      ],
    ]),
  ])('%s ends with %i', async (more, code, text) => {
    const folder = setUp();
    const said = await callCommand([...common(folder), ...tiny, ...more.split(' ')]);
    expect(said.stderr.replaceAll(/\s+/g, ' ')).toContain(text);
    expect(said.code).toBe(code);
  });

  test('a model that writes messages is not asked in one text', async () => {
    const folder = setUp();
    const said = await callCommand([
      ...common(folder),
      ...[
        '--model',
        'local-chat-completions',
        '--model_args',
        'model=m,base_url=http://127.0.0.1:9/v1',
      ],
      ...['--tasks', 'sums'],
    ]);
    expect(said.code).toBe(2);
    expect(said.stderr).toContain('apply_chat_template');
  });
});
