import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConfigInput, evaluate, type RunSummary, rescore } from '../../src/index.ts';
import { type JudgeServer, startJudgeServer } from './judge-server.ts';
import { readTree } from './run-task.ts';

let server: JudgeServer;

beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const dialogue = {
  prompt_template: {
    type: 'MultiTurnPromptTemplate',
    template: {
      round: [
        { role: 'HUMAN', prompt: '{question}' },
        { role: 'BOT', prompt: '{answer}' },
      ],
    },
  },
};
const turns = (infer_mode: string) => ({
  infer_cfg: { ...dialogue, inferencer: { type: 'MultiTurnGenInferencer', infer_mode } },
});

/** How rows are asked. */
const ways = {
  single: {},
  samples: { n: 3, k: [1, 2] },
  votes: { infer_cfg: { inferencer: { type: 'SCInferencer', sc_size: 3 } } },
  every: turns('every'),
  last: turns('last'),
  'with gold': turns('every_with_gt'),
};

/** How answers are scored. */
const evaluators = {
  exact: { type: 'exact' },
  contains: { type: 'contains' },
  number: { type: 'number' },
  bleu: { type: 'bleu' },
  rouge: { type: 'rouge' },
  classification: { type: 'classification', labels: ['A', 'B', 'C'] },
  options: { type: 'choice', options: 'AB', text_columns: ['one', 'two'] },
  function: { type: 'function', score: (answer: string) => (answer.length % 5) / 4 },
  verdict: { type: 'judge', model: 'strong' },
  grade: { type: 'judge', model: 'strong', verdict: { type: 'grade', scale: [1, 10] } },
  pair: { type: 'judge', model: 'strong', against: 'one', disagreement: 'unscored' },
};

type Way = keyof typeof ways;
type Scoring = keyof typeof evaluators;

/** Whether a log alone does not say how its rows are scored. */
const readsRows = (scoring: Scoring) => scoring === 'options' || scoring === 'function';

interface Drawn {
  readonly way: Way;
  readonly scoring: Scoring;
  readonly seeds: readonly number[];
}

const drawn = fc.record({
  way: fc.constantFrom(...(Object.keys(ways) as Way[])),
  scoring: fc.constantFrom(...(Object.keys(evaluators) as Scoring[])),
  // Rows of the same number are asked the same; some have no right answer, or another one.
  seeds: fc.array(fc.nat(5), { minLength: 1, maxLength: 6 }),
});

function rowOf({ way }: Drawn, seed: number, index: number) {
  // What is sent as what was said before cannot be nothing.
  const hasNone = seed === 5 && index % 2 === 0 && !['last', 'with gold'].includes(way);
  const gold = hasNone ? null : `${'ABCD'[(seed + index) % 4]}`;
  const isDialogue = ['every', 'last', 'with gold'].includes(way);
  const turnCount = 1 + (seed % 3);
  const list = <Value>(make: (turn: number) => Value) =>
    isDialogue ? Array.from({ length: turnCount }, (_, turn) => make(turn)) : make(0);
  return {
    question: list((turn) => `What is ${seed} in turn ${turn}?`),
    answer: list((turn) => (turn === 0 ? gold : `${turn}`)),
    one: 'one',
    two: `two ${seed}`,
  };
}

function configOf(draw: Drawn): ConfigInput {
  const { infer_cfg: inference = {}, ...asked } = { infer_cfg: {}, ...ways[draw.way] };
  return {
    models: [
      { abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'answering' },
      { abbr: 'strong', type: 'OpenAI', base_url: server.url, model: 'judge-model', judge: true },
    ],
    datasets: [
      {
        abbr: 'd',
        rows: draw.seeds.map((seed, index) => rowOf(draw, seed, index)),
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' }, ...inference },
        eval_cfg: { evaluator: evaluators[draw.scoring] },
        ...asked,
      },
    ],
  } as ConfigInput;
}

/** What a summary says, but for what was sent now and how long it took. */
function said({ results }: RunSummary) {
  return results.map(({ requests: _, seconds: __, tokensPerSecond: ___, ...result }) => result);
}

/** The newest line of each row and of each part, in an order of their own. */
async function readLog(out: string) {
  const newest = new Map<string, unknown>();
  for (const line of (await readFile(join(out, 'm/d.jsonl'), 'utf8')).trimEnd().split('\n')) {
    const { ms: _, attempts: __, ...record } = JSON.parse(line);
    // What a function is made of is not known: its scores are always made anew.
    const { scoring, ...rest } = record;
    const { id, part, key } = record;
    if (part === 'answer') continue;
    newest.set(`${id} ${part ?? ''} ${key}`, { ...rest, hasScoring: scoring !== undefined });
  }
  return [...newest].sort(([one], [other]) => (one < other ? -1 : 1));
}

async function check(draw: Drawn, out: string): Promise<void> {
  server.asked.length = 0;
  const config = configOf(draw);
  const { summary } = await evaluate(config, { out });
  const sent = server.asked.length;
  const log = await readLog(out);
  const expectSame = async (step: string, again: RunSummary) => {
    expect([step, said(again)]).toEqual([step, said(summary)]);
    expect([step, await readLog(out)]).toEqual([step, log]);
    expect([step, server.asked.length]).toEqual([step, sent]);
  };
  const before = await readTree(out);
  const alone = await rescore(out).catch((error) => error);
  if (readsRows(draw.scoring)) {
    expect(alone).toMatchObject({ code: 'score.needs_config' });
    expect(await readTree(out)).toEqual(before);
  } else {
    if (alone instanceof Error) throw alone;
    await expectSame('score FOLDER', alone.summary);
  }
  await expectSame('score FOLDER CONFIG', (await rescore(out, { config })).summary);
  await expectSame('run again', (await evaluate(config, { out })).summary);
  expect((await readdir(out)).includes('.lock')).toBe(false);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-rescore-'));
  try {
    await work(join(folder, 'run'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const likeExact: readonly string[] = ['contains', 'number', 'rouge'];
const pairs = Object.keys(ways).flatMap((way) =>
  Object.keys(evaluators)
    .filter((scoring) => !likeExact.includes(scoring))
    .map((scoring) => [way, scoring] as [Way, Scoring]),
);

test.each(pairs)('%s rows scored by %s have the same numbers however often', (way, scoring) =>
  inFolder((out) => check({ way, scoring, seeds: [0, 1, 1, 2, 5, 5, 3] }, out)),
);

test('so do others, drawn at random', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, (draw) => inFolder((out) => check(draw, out))),
    {
      numRuns: 10,
      examples: [[{ way: 'with gold', scoring: 'rouge', seeds: [4, 0] }]],
    },
  );
}, 60_000);
