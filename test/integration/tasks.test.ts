import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { readSnapshot } from '../read-snapshot.ts';
import { buildCli, root } from './build-cli.ts';
import { runCli, writeFolder } from './run-cli.ts';

beforeAll(buildCli);

const vectors = join(root, 'test/vectors/japanese-financial');
const linesOf = async (file: string) =>
  (await readFile(join(vectors, file), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test.each(['v0.1.0', 'v0.2.0', 'main'])('view --task prints the prompts of %s', async (dialect) => {
  const recorded = await linesOf(`prompts-synthetic-${dialect}.jsonl`);
  const { task_name, num_fewshot } = recorded.at(-1);
  const args = ['--dialect', dialect, '--num-fewshot', String(num_fewshot), '--json'];
  const { code, stdout } = await runCli(['view', '--task', task_name, ...args]);
  expect(code).toBe(0);
  const { documents, ...head } = JSON.parse(stdout);
  expect(head).toMatchObject({ task_name, dialect, num_fewshot, data: { documents: 10 } });
  expect(documents.map(({ pos }: { pos: number }) => pos)).toEqual([...documents.keys()]);
  const same = recorded.filter(
    (record) => record.task_name === task_name && record.num_fewshot === num_fewshot,
  );
  for (const record of same) {
    const { pos, doc_index, doc, context, continuations, target, fewshot_indices } = record;
    expect(documents[pos]).toMatchObject({
      ...{ pos, doc_index, doc, context, continuations, target, fewshot_indices },
    });
  }
});

test('view --task for people', async () => {
  const args = ['--task', 'fp2-1.0-0.6', '--dialect', 'v0.1.0', '--row', '1'];
  const { stdout } = await runCli(['view', ...args], { env: { SYSTEM_PROMPT: 'Be brief.' } });
  expect(stdout).toContain('fp2-1.0-0.6 · v0.1.0 · ');
  expect(stdout).toContain('  │ <s>[INST] <<SYS>>\n  │ Be brief.\n  │ <</SYS>>\n');
  expect(stdout).toMatch(/^ {2}right {2}│ [１-４]▮$/m);
});

test.each([
  [['--task', 'chabsa-1.0-0.7'], 'task.unknown_version', 'chabsa-1.0-0.6.'],
  [['--task', 'cma_basic'], 'task.unknown', 'Did you mean `cma_basics`?'],
  [['--task', 'fp2', '--dialect', 'v0.2'], 'task.unknown_dialect', 'Did you mean `v0.2.0`?'],
  [
    ['--task', 'fp2', '--data-dir', 'docs'],
    'task.no_data',
    'pfnet-research/japanese-lm-fin-harness',
  ],
  [['--task', 'fp2', '--num-fewshot', '99'], 'task.too_few_documents', 'fewer examples'],
])('view %j fails with %s', async (args, code, hint) => {
  const outcome = await runCli(['view', ...args]);
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toContain(`error[${code}]`);
  expect(outcome.stderr).toContain(hint);
});

const tasks = 'chabsa-1.0-0.2,cma_basics-1.0-0.2,cpa-1.0-0.2,security_sales_1-1.0-0.2';

async function evaluate(folder: string, name: string, more: readonly string[] = []) {
  const output = join(folder, name);
  const args = ['--model', 'dummy', '--tasks', tasks, '--num_fewshot', '2,3,3,3'];
  const outcome = await runCli(['lm-eval', ...args, '--output_path', output, ...more], {
    cwd: await writeFolder({}),
  });
  expect(outcome.stderr).not.toContain('error');
  return JSON.parse(await readFile(output, 'utf8'));
}

test.each([
  ['v0.1.0', 'acc', ['results', 'versions', 'config', 'typecase']],
  [
    'v0.2.0',
    'acc,none',
    ['results', 'group_subtasks', 'configs', 'versions', 'n-shot', 'config', 'date', 'typecase'],
  ],
  ['main', 'acc,none', ['higher_is_better', 'n-samples', 'model_name']],
])('lm-eval writes results as %s', async (dialect, accuracy, keys) => {
  const folder = await writeFolder({});
  const result = await evaluate(folder, 'a/result.json', ['--dialect', dialect]);
  expect(Object.keys(result)).toEqual(expect.arrayContaining(keys));
  expect(Object.keys(result.results)).toEqual(tasks.replace('cpa-', 'cpa_audit-').split(','));
  const { gold, predicted } = result.typecase.tasks['cma_basics-1.0-0.2'];
  const right = gold.filter((choice: number, index: number) => choice === predicted[index]);
  expect(result.results['cma_basics-1.0-0.2'][accuracy]).toBe(right.length / gold.length);
});

/** An endpoint on this machine, for as long as the test runs. */
async function serve(answer: (body: never) => unknown): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(JSON.parse(text) as never)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test('lm-eval chooses by the log-probabilities of an endpoint, which it asks once', async () => {
  let asked = 0;
  const base = await serve(({ prompt }: { prompt: string | string[] }) => {
    asked++;
    const choices = [prompt].flat().map((text, index) => {
      const tokens = [...text, '!'];
      const token_logprobs = tokens.map((token, place) =>
        place === 0 ? null : token === 'g' ? -9 : -1,
      );
      const text_offset = tokens.map((_, place) => place);
      return { index, text: `${text}!`, logprobs: { tokens, token_logprobs, text_offset } };
    });
    return { choices };
  });
  const folder = await writeFolder({});
  const output = join(folder, 'result.json');
  const args = [
    '--model',
    'local-completions',
    '--model_args',
    `model=m,base_url=${base}/completions`,
  ];
  const rest = ['--tasks', 'chabsa', '--limit', '3', '--output_path', output];
  for (const _ of ['once', 'again']) {
    const { code, stderr } = await runCli(['lm-eval', ...args, ...rest], { cwd: folder });
    expect(code, stderr).toBe(0);
    const { typecase } = JSON.parse(await readFile(output, 'utf8'));
    expect(typecase.tasks.chabsa.predicted).toEqual([0, 0, 0]);
    expect(asked).toBe(1 + 3);
  }
});

test('lm-eval asks a chat endpoint and looks for the choice in its answer', async () => {
  const bodies: { messages: { content: string }[]; max_tokens: number }[] = [];
  const base = await serve((body) => {
    bodies.push(body);
    const message = { role: 'assistant', content: 'negativeです。' };
    return { choices: [{ message, finish_reason: 'stop' }] };
  });
  const address = `model=m,base_url=${base}/chat/completions`;
  const args = ['--model', 'local-chat-completions', '--model_args', address];
  const { code, stdout } = await runCli(['lm-eval', ...args, '--tasks', 'chabsa', '--limit', '3'], {
    cwd: await writeFolder({}),
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^chabsa {2}\S+ {2}0 +3 +f1 /m);
  expect(bodies).toHaveLength(3);
  expect(bodies[0]).toMatchObject({ max_tokens: 256, temperature: 0 });
  expect(bodies[0]?.messages[0]?.content).toContain('センテンス: ');
});

test.each([
  [['--tasks', 'chabsa,fp2', '--num_fewshot', '1,2,3'], 'usage.list_length', '3 counts'],
  [['--tasks', 'chabsa', '--model', 'hff'], 'usage.unknown_model_kind', 'Did you mean `hf`?'],
  [['--tasks', 'chabsa', '--model_args', 'modle=x'], 'usage.unknown_model_arg', '`model`'],
  [['--tasks', 'chabsa', '--model', 'local-completions'], 'usage.model_arg_missing', 'model=…'],
  [['--tasks', 'zzz*'], 'task.unknown', 'Tasks: chabsa'],
])('lm-eval %j fails with %s', async (args, code, text) => {
  const outcome = await runCli(['lm-eval', '--model', 'dummy', ...args]);
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toContain(`error[${code}]`);
  expect(outcome.stderr).toContain(text);
});

test('leaderboard of results: table, page, and models that cannot be told apart', async () => {
  const folder = await writeFolder({});
  const result = await evaluate(folder, 'a.json');
  const other = JSON.stringify({ ...result, typecase: { ...result.typecase, model: 'other' } });
  const more = await writeFolder({ 'b.json': other });
  const page = join(more, 'board.html');
  const { code, stdout } = await runCli([
    'leaderboard',
    folder,
    join(more, 'b.json'),
    '--html',
    page,
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\| +rank \| Model +\| +Ave\. \| +chabsa \| .* \| prompt +\|$/m);
  expect(stdout).toContain('dummy and other gave the same scores.');
  expect((await readSnapshot(page)).replies['/api/leaderboard']).toMatchObject({
    models: expect.arrayContaining([expect.objectContaining({ model: 'other' })]),
  });
});

test('leaderboard refuses a changed text under an old name', async () => {
  const folder = await writeFolder({});
  await evaluate(folder, 'a.json');
  await evaluate(folder, 'b.json', ['--dialect', 'v0.1.0']);
  const { code, stderr } = await runCli(['leaderboard', folder]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /error\[version\.changed\] template `0\.2` of `chabsa` has more than one text/,
  );
  expect(stderr).toContain('The dialects differ');
});

test('compare takes folders of lm-eval, F1 included; --data-dir gives tasks their data', async () => {
  const cwd = await writeFolder({});
  const data = join(root, 'tasks/japanese-financial/data');
  const options = ['--model', 'dummy', '--data-dir', data];
  const run = async (shots: string) => {
    const names = ['--tasks', 'chabsa-1.0-0.2,cma_basics-1.0-0.2', '--num_fewshot', shots];
    const files = ['--out', shots, '--output_path', `${shots}.json`];
    const { code } = await runCli(['lm-eval', ...options, ...names, ...files], { cwd });
    expect(code).toBe(0);
    const { results } = JSON.parse(await readFile(join(cwd, `${shots}.json`), 'utf8'));
    return [results['chabsa-1.0-0.2']['f1,none'], results['cma_basics-1.0-0.2']['acc,none']];
  };
  const [a, b] = [await run('0'), await run('3')];
  const { code, stdout } = await runCli(['compare', '0', '3', '--json'], { cwd });
  expect(code).toBe(0);
  const { tasks } = JSON.parse(stdout);
  expect(tasks.map(({ result }: { result: { a: number } }) => result.a)).toEqual(
    a.map((value) => expect.closeTo(value, 12)),
  );
  expect(tasks.map(({ result }: { result: { b: number } }) => result.b)).toEqual(
    b.map((value) => expect.closeTo(value, 12)),
  );
  const board = await runCli(['leaderboard', '0', '3', '--json'], { cwd });
  const [model] = JSON.parse(board.stdout).models;
  expect(model.scores[1]).toMatchObject({ shots: 0, count: 8, setAside: [{ shots: 3, count: 8 }] });
  const plan = await runCli(
    ['plan', 'task:fp2/0.2', '--model', 'typecase-tiny', '--data-dir', data, '--json'],
    { cwd },
  );
  expect([plan.code, JSON.parse(plan.stdout).tasks[0].rows]).toEqual([0, 8]);
});

test('SYSTEM_PROMPT is read, or it is said that it is not', async () => {
  const args = ['view', '--task', 'fp2-1.0-0.6', '--row', '0'];
  const { stdout, stderr } = await runCli(args, { env: { SYSTEM_PROMPT: 'Be brief.' } });
  expect(stdout).not.toContain('Be brief.');
  expect(stderr).toContain('SYSTEM_PROMPT has no effect: fp2-1.0-0.6 has a fixed system prompt');
});

test('list tasks and templates, also of one’s own', async () => {
  const { stdout: all } = await runCli(['list', 'templates', '--json']);
  const { templates, 'financial templates': financial } = JSON.parse(all);
  expect(templates).toContainEqual(
    expect.objectContaining({ name: 'arithmetic equation', example: '86 - 64 =' }),
  );
  expect(financial).toHaveLength(43);
  expect(financial).toContainEqual(
    expect.objectContaining({
      name: 'cpa_audit-1.0-0.4',
      task: 'cpa_audit',
      version: '0.4',
      hash: expect.stringMatching(/^[\da-f]{12}$/),
      models: 'rinna/japanese-gpt-neox-3.6b-instruction-sft',
      example: expect.stringContaining('<NL>'),
    }),
  );
  const own = await writeFolder({
    'sums.yaml': `
output_column: answer
example: { question: 1+1=?, answer: 2 }
versions:
  plain: { prompt_template: { template: "{question} {answer}" }, models: base models }
  labels: { prompt_template: { template: { 1: "{question} 1", 2: "{question} 2" } } }
`,
  });
  const { stdout } = await runCli(['list', 'templates', join(own, 'sums.yaml')]);
  expect(stdout).toMatch(/^ {2}sums plain {2}[\da-f]{12} · for base models\n {2}│ 1\+1=\?▮$/m);
  expect(stdout).toMatch(/^ {2}sums labels {2}[\da-f]{12}\n {2}│ 1\+1=\? 1▮$/m);
  const { stdout: tasksText } = await runCli(['list', 'tasks', join(own, 'sums.yaml')]);
  expect(tasksText).toMatch(/^ {2}sums {2}your own task\n +versions: plain@[\da-f]{12}, labels@/m);
});
