import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ConfigInput } from '../config/config-input.ts';
import { describeEvents } from '../report/describe-events.ts';
import { describeGates } from '../report/describe-gates.ts';
import { exitCodeOf } from '../report/gate.ts';
import { githubSummary } from '../report/github-summary.ts';
import { junitXml } from '../report/junit-xml.ts';
import type { TaskResult } from '../run/summary.ts';
import { type EvaluateOptions, evaluate } from './evaluate.ts';
import { rescore } from './rescore.ts';
import { sweep } from './sweep.ts';

type DatasetInput = NonNullable<ConfigInput['datasets']>[number];

/** Answers what the last message says: `say 4`, `say nothing`, `cut 4`, `fail`; the first sample alone as asked. */
async function startServer(): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => (body += data));
    request.on('end', () => {
      const { messages = [], seed = 0 } = body === '' ? {} : JSON.parse(body);
      const [first = '', second = ''] = String(messages.at(-1)?.content).split('|');
      const [word, text = ''] = (seed > 0 && second !== '' ? second : first).trim().split(' ');
      const status = word === 'fail' ? 400 : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      const message = { role: 'assistant', content: text === 'nothing' ? '' : text };
      const finish_reason = word === 'cut' ? 'length' : 'stop';
      response.end(
        JSON.stringify(
          status === 400
            ? { error: { message: 'no', type: 'invalid_request_error' } }
            : { model: 'm', choices: [{ index: 0, message, finish_reason }] },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-parts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const dialogues = (questions: readonly (readonly string[])[]): DatasetInput => ({
  abbr: 'd',
  rows: questions.map((question) => ({ question, answer: question.map(() => '4') })),
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: {
    prompt_template: {
      type: 'MultiTurnPromptTemplate' as const,
      template: {
        round: [
          { role: 'HUMAN', prompt: '{question}' },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
    },
    inferencer: { type: 'MultiTurnGenInferencer' as const, infer_mode: 'every' },
  },
  eval_cfg: { evaluator: { type: 'number' } },
});

const samples = (questions: readonly string[], n: number): DatasetInput => ({
  abbr: 'd',
  n,
  rows: questions.map((question) => ({ question, answer: '4' })),
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: {
    prompt_template: { template: '{question}' },
    inferencer: { type: 'GenInferencer' as const, temperature: 1 },
  },
  eval_cfg: { evaluator: { type: 'number' } },
});

async function run(dataset: DatasetInput, options: EvaluateOptions = {}) {
  const base_url = await startServer();
  const models = [
    { abbr: 'm', type: 'OpenAI' as const, base_url, model: 'm', max_out_len: 8, retries: 1 },
  ];
  const config = { models, datasets: [dataset] } as const;
  return { config, ...(await evaluate(config, { out: await makeFolder(), ...options })) };
}

function turnsOf({ metrics = [] }: TaskResult) {
  const turns = metrics.filter(({ name }) => name.startsWith('turn_'));
  return turns.map(({ name, score, rows }) => [name, score.value, rows]);
}

test('turns have their scores whatever becomes of later ones, and so when scored again', async () => {
  const questions = [
    ['say 4', 'say 4', 'say 4'],
    ['say 4', 'say nothing', 'say 5'],
    ['say 5', 'say 4', 'fail'],
    ['say 5', 'fail', 'say 4'],
    ['say nothing'],
  ];
  const { summary, folder, config } = await run(dialogues(questions), { allowFailed: 2 });
  const turns = [
    ['turn_1', 0.5, 4],
    ['turn_2', 1, 2],
    ['turn_3', 0.5, 2],
  ];
  const [result] = summary.results;
  if (!result) throw new RangeError('no result');
  expect(result.rows).toMatchObject({ scored: 1, unscored: 2, failed: 2 });
  expect(turnsOf(result)).toEqual(turns);
  for (const given of [undefined, config]) {
    const again = await rescore(folder, given && { config: given });
    expect(again.summary.results.map(turnsOf)).toEqual([turns]);
  }
});

test('rows that an interrupted run did not put together are told of, and scored with the config', async () => {
  const { folder, config } = await run(samples(['say 4', 'say 4', 'say 5'], 2));
  const log = join(folder, 'm/d.jsonl');
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  const left = lines.filter((line) => {
    const { id, part } = JSON.parse(line);
    return id !== 1 || part !== undefined;
  });
  expect(left).toHaveLength(lines.length - 1);
  await writeFile(log, `${left.join('\n')}\n`);
  await rm(join(folder, 'm/d.index'));
  await rm(join(folder, 'summary.json'));
  const alone = await rescore(folder);
  expect(alone.summary.results).toMatchObject([{ rows: { scored: 2, missing: 1 } }]);
  expect(alone.summary.complete).toBe(false);
  const message = expect.stringMatching(/^m on d: 1 row of several requests/);
  expect(alone.diagnostics).toMatchObject([{ code: 'score.answers_left', message }]);
  const whole = await rescore(folder, { config });
  expect(whole.summary.results).toMatchObject([{ rows: { scored: 3, missing: 0 } }]);
  expect(whole.diagnostics).toEqual([]);
});

test('answers that were cut off are counted as answers, those of failed rows too', async () => {
  const ofTurns = await run(
    dialogues([
      ['cut 4', 'cut 4', 'say 4'],
      ['cut 4', 'fail'],
      ['say 4', 'say 4'],
    ]),
    { allowFailed: 1 },
  );
  expect(ofTurns.summary.results.flatMap(describeEvents)).toContain(
    '3 of 6 answers were cut off at the length limit',
  );
  const ofSamples = await run(samples(['cut 4', 'say 4 | cut 4', 'say 4'], 3));
  const [result] = ofSamples.summary.results;
  expect(result).toMatchObject({ answers: 9 });
  expect(result && describeEvents(result)).toContain(
    `${result?.cutOff} of 9 answers were cut off at the length limit`,
  );
  expect(result?.cutOff).toBeGreaterThanOrEqual(5);
});

test('samples without a score miss a gate, in all that tells of it', async () => {
  const questions = Array.from({ length: 4 }, () => 'say 4 | say nothing');
  const { summary } = await run(samples(questions, 3), { maxUnscored: '50%' });
  const { unscored = 0, asked = 0 } = summary.results[0]?.samples ?? {};
  expect([summary.results[0]?.rows.unscored, asked]).toEqual([0, 12]);
  expect(unscored).toBeGreaterThan(6);
  expect(summary.gates).toMatchObject([{ passed: false, problem: 'unscored_samples' }]);
  expect(exitCodeOf(summary)).toBe(1);
  const text = `0 of 4 rows and ${unscored} of 12 samples not scored, allowed 50%`;
  expect(describeGates(summary)).toEqual([`Gate failed: m on d: ${text}`]);
  expect(junitXml(summary)).toContain(`type="max-unscored" message="${text}"`);
  expect(githubSummary(summary)).toContain(text);
});

test('the exit code of a sweep', async () => {
  const base_url = await startServer();
  const models = [
    { abbr: 'm', type: 'OpenAI' as const, base_url, model: 'm', max_out_len: 8, retries: 1 },
  ];
  const templates = ['{question}', '{question} '].map((template, place) => ({
    name: `t${place}`,
    prompt_template: { template },
  }));
  const codeOf = async (question: string) => {
    const datasets = [samples(['say 4', question], 1)];
    return exitCodeOf(
      await sweep({ models, datasets }, { axes: { templates }, out: await makeFolder() }),
    );
  };
  expect(await codeOf('say 5')).toBe(0);
  expect(await codeOf('fail')).toBe(3);
});
