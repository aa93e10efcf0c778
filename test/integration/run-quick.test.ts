import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startFaultServer } from '../fault-server/index.ts';
import { runCli, writeFolder } from './run-cli.ts';
import { configFor, sums } from './run-task.ts';

describe("files in AISBench's custom format need no template", () => {
  const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const qa = lines({ question: 'What is 1 + 7?', answer: '8' });

  /** Runs a file; gives the summary and what was sent. */
  async function ask(file: string, files: Readonly<Record<string, string>>) {
    await using server = await startFaultServer({ record: true });
    const cwd = await writeFolder(files);
    const model = ['--model', server.url, '--model-name', 'm'];
    const { code, stdout, stderr } = await runCli(['run', file, ...model, '--json'], { cwd });
    const { recorded } = await server.stats();
    return { code, stderr, stdout, bodies: recorded.map(({ body }) => body) };
  }

  it('multiple choice: an option is found by its text as well', async () => {
    const { code, stdout, bodies } = await ask('mcq.jsonl', {
      'mcq.jsonl': lines(
        { question: 'What is 1 + 7?', A: '7', B: '8', answer: 'B', max_tokens: 9 },
        { question: 'What is 2 + 7?', A: '9', B: '10', answer: 'B' },
      ),
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results[0]).toMatchObject({
      score: { value: 0.5 },
      rows: { scored: 2 },
    });
    expect(bodies.map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: 'Question: What is 1 + 7?\nA. 7\nB. 8\nAnswer: ' }],
      [{ role: 'user', content: 'Question: What is 2 + 7?\nA. 9\nB. 10\nAnswer: ' }],
    ]);
    expect(bodies.map((body) => body.max_tokens)).toEqual([9, undefined]);
  });

  it('CSV, whose limits are text', async () => {
    const csv = 'question,answer,max_tokens\nWhat is 1 + 7?,8,512\n"What is 2 + 7?",9,\n';
    const { stdout, stderr, bodies } = await ask('qa.csv', { 'qa.csv': csv });
    expect(stderr).toContain('Prompt: Question: {question}⏎Answer:');
    expect(stderr).toContain('(from the columns of the data; --template changes it)');
    expect(JSON.parse(stdout).results[0]).toMatchObject({ score: { value: 1 } });
    expect(bodies.map((body) => body.max_tokens)).toEqual([512, undefined]);
  });

  it('a meta file beside it says how many requests there are, and their limits', async () => {
    const limits = {
      percentage_distribute: [
        [10, 0.4],
        [20, 0.6],
      ],
    };
    const meta = { request_count: 5, output_config: { method: 'percentage', params: limits } };
    const { stdout, bodies } = await ask('qa.jsonl', {
      'qa.jsonl': qa,
      'qa.jsonl.meta.json': JSON.stringify(meta),
    });
    expect(JSON.parse(stdout).results[0]).toMatchObject({ rows: { total: 5, scored: 5 } });
    // Rows that are asked the same are asked once.
    expect(bodies.map((body) => body.max_tokens)).toEqual([10, 20]);
  });

  it('a slip in the meta file is refused', async () => {
    const meta = '{"request_cout": 5}';
    const { code, stderr, bodies } = await ask('qa.jsonl', {
      'qa.jsonl': qa,
      'qa.jsonl.meta.json': meta,
    });
    expect([code, bodies]).toEqual([2, []]);
    expect(stderr).toContain('qa.jsonl.meta.json');
    expect(stderr).toContain('Did you mean `request_count`?');
  });

  it('answers may be missing', async () => {
    const { code, stdout } = await ask('qa.jsonl', { 'qa.jsonl': lines({ question: '1 + 7' }) });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results[0].reasons).toEqual([{ reason: 'no evaluator', rows: 1 }]);
  });
});

describe('options', () => {
  const rows = ['data.jsonl', '--model', 'http://127.0.0.1:9', '--template', '{question}'];
  const task = ['task:arithmetic', '--model', 'typecase-tiny'];
  it.each([
    [['config.json', '--evaluator', 'number'], 'usage.conflicting_options', '`--evaluator`'],
    [['config.json', '--completions'], 'usage.conflicting_options', '`--completions`'],
    [['config.json', '--shots', '2'], 'usage.conflicting_options', '`--shots`'],
    [[...task, '--output-column', 'x'], 'usage.conflicting_options', '`--output-column`'],
    [[...rows, '--dataset', 'x'], 'usage.conflicting_options', '`--dataset`'],
    [[...rows, '--explain'], 'usage.conflicting_options', '`--explain`'],
    [[...rows, '--evaluator', 'exact'], 'usage.missing_argument', '`--output-column answer`'],
    [[...rows, '--meta-template', 'chatml'], 'meta_template.', '--model.meta_template: `chatml`'],
    [[...rows, '--temperature', 'warm'], 'usage.invalid_argument', 'a number, 0 or more'],
    [['data.jsonl', '--model', 'localhost:9', '--template', 'x'], 'usage.unknown_model', 'http://'],
  ])('%j are refused', async (args, code, text) => {
    const cwd = await writeFolder({ 'config.json': configFor('http://x'), 'data.jsonl': sums(1) });
    const result = await runCli(['run', ...args], { cwd });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(`error[${code}`);
    expect(result.stderr).toContain(text);
  });

  it('--explain shows where values come from and asks nothing', async () => {
    const cwd = await writeFolder({ 'config.json': configFor('http://x') });
    const run = await runCli(['run', 'config.json', '--explain'], { cwd });
    expect(run).toEqual(await runCli(['explain', 'config.json'], { cwd }));
    expect(run.stdout).toContain('base_url: http://x/v1');
  });

  it('a data file can be asked of a local model', async () => {
    const cwd = await writeFolder({ 'data.jsonl': sums(2) });
    const template = ['--template', '{question} = {answer}', '--output-column', 'answer'];
    const more = ['--model', 'typecase-tiny', '--max-out-len', '4', '--json'];
    const { code, stdout } = await runCli(['run', 'data.jsonl', ...template, ...more], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results[0]).toMatchObject({
      model: 'typecase-tiny',
      rows: { total: 2, failed: 0 },
    });
  });
});

it('a function of a TypeScript config scores answers, and anew when it changes', async () => {
  await using server = await startFaultServer();
  const configWith = (score: string) => {
    const { models, datasets } = JSON.parse(configFor(server.url));
    const evaluator = `{ type: 'function', score: ${score} }`;
    const dataset = `{ ...${JSON.stringify(datasets[0])}, eval_cfg: { evaluator: ${evaluator} } }`;
    return `export default { models: ${JSON.stringify(models)}, datasets: [${dataset}] };`;
  };
  const isGold = configWith('(answer, { gold, row }) => row.answer === gold && answer === gold');
  const cwd = await writeFolder({ 'c.ts': isGold, 'rows.jsonl': sums(8) });
  const run = async () => {
    const { stdout } = await runCli(['run', 'c.ts', '--json', '--out', 'out'], { cwd });
    return JSON.parse(stdout).results[0];
  };
  expect(await run()).toMatchObject({ metric: 'score', score: { value: 6 / 8 } });
  await writeFile(join(cwd, 'c.ts'), configWith('async () => 0.5'));
  expect(await run()).toMatchObject({ score: { value: 0.5 }, requests: { sent: 0 } });
});
