import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { heldRows, positionRows } from '../data/row-stream.ts';
import { DataError, ModelError } from '../errors.ts';
import { createEvaluation } from '../evaluation/create-evaluation.ts';
import type { CompositeInference, Inference } from '../evaluation/inference.ts';
import type { GenerateRequest, Model } from '../model/model.ts';
import { compileScorer } from '../score/compile-scorer.ts';
import type { Scorer } from '../score/scorer.ts';
import { executeRun, type RunOutcome } from './execute.ts';
import type { RowRecord } from './store/row-record.ts';
import type { StoredEvaluation } from './stored-evaluation.ts';

const textOf = ({ prompt }: GenerateRequest) => (prompt.type === 'text' ? prompt.text : '');

/** Says what it was told, in capitals; refuses what contains `no`. */
function makeModel() {
  const asked: string[] = [];
  const model: Model = {
    name: 'm',
    abilities: new Set(['generate']),
    identity: {},
    encode: (request) => `${request.seed ?? ''}${textOf(request)}`,
    async generate(request) {
      const text = textOf(request);
      asked.push(text);
      if (text.includes('no'))
        throw new ModelError('model.refused', 'refused', { retryable: false });
      return {
        text: text.toUpperCase(),
        finishReason: 'stop',
        usage: { inputTokens: 3, outputTokens: 1 },
        totalMs: 1,
      };
    },
    close: () => Promise.resolve(),
  };
  return { model, asked };
}

const notTraced = (): never => {
  throw new Error('a run traces nothing');
};

/** Each word of the row is a turn, which also says the answers so far. */
const dialogue: CompositeInference = {
  type: 'composite',
  identityOf: ({ row }) => String(row.words),
  next: ({ row }, answers) => {
    const word = String(row.words).split(' ')[answers.length];
    if (word === 'broken') throw new DataError('data.bad_row', 'a broken row');
    const history = answers.at(-1) ?? '';
    return word === undefined
      ? []
      : [
          {
            kind: 'turn',
            dialogue: { before: [], isLast: true },
            name: answers.length + 1,
            followsAnswers: answers.length > 0,
            shots: [],
            request: { type: 'generate', prompt: { type: 'text', text: `${history}${word}` } },
            dropped: 0,
            row,
            gold: `${history}${word}`.toUpperCase(),
          },
        ];
  },
  traceNext: notTraced,
  combine: (parts) => ({
    text: parts.at(-1)?.text ?? '',
    score: {
      type: 'scored',
      value:
        parts.filter(({ score }) => score.type === 'scored' && score.value === 1).length /
        parts.length,
      extracted: '',
      compared: { got: '', want: '' },
    },
  }),
};

const single: Inference = {
  type: 'single',
  ask: ({ row }) => ({
    request: { type: 'generate', prompt: { type: 'text', text: String(row.words) } },
    shots: [],
    dropped: 0,
  }),
  trace: notTraced,
};

const pace = { maxConcurrency: 3, maxAttempts: 2 };

interface Plan {
  readonly rows: readonly string[];
  readonly inference?: Inference;
  readonly scorer?: Scorer;
  readonly model: Model;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-composite-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function run(folder: string, plan: Plan): Promise<RunOutcome> {
  const { rows, inference = dialogue, model } = plan;
  const { scorer = compileScorer({ evaluator: { type: 'exact' } }) } = plan;
  const named = rows.map((words, id) => ({ id, row: { words, gold: words.toUpperCase() } }));
  const task: StoredEvaluation = {
    evaluation: createEvaluation({
      model,
      modelName: 'm',
      task: { name: 'd', inferencer: 'GenInferencer', mode: 'gen', outputColumn: 'gold' },
      rows: positionRows(heldRows(named)),
      inference,
      scorer,
      scorerIdentity: 'exact',
      pace,
    }),
    logFile: join(folder, 'd.jsonl'),
    indexFile: join(folder, 'd.index'),
  };
  return executeRun({
    name: 'run',
    version: '0',
    models: [{ model, evaluations: [task], ...pace }],
    signal: new AbortController().signal,
  });
}

async function readLog(folder: string): Promise<RowRecord[]> {
  const text = await readFile(join(folder, 'd.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const rows = ['a b c', 'd', 'e f', 'a b x', 'g h i j'];

describe('rows of several requests', () => {
  it('ask one after the other, with a line for each part and one for the row', async () => {
    const { model, asked } = makeModel();
    const folder = await makeFolder();
    const { summary } = await run(folder, { rows, model });
    expect(asked.sort()).toEqual(
      ['a', 'Ab', 'ABc', 'd', 'e', 'Ef', 'ABx', 'g', 'Gh', 'GHi', 'GHIj'].sort(),
    );
    expect(summary.results[0]).toMatchObject({
      score: { value: 1 },
      rows: { total: 5, scored: 5, failed: 0 },
      requests: { sent: 11, shared: 2 },
      tokens: { input: 33, output: 11 },
    });
    const log = await readLog(folder);
    const third = log.filter(({ id }) => id === 2);
    expect(third.map(({ part, answer }) => [part, answer])).toEqual([
      [1, 'E'],
      [2, 'EF'],
      [undefined, 'EF'],
    ]);
    expect(third[2]?.parts).toEqual([third[0]?.key, third[1]?.key]);
  });

  it('come to the same result from any prefix of a log, and ask only what is missing', async () => {
    const first = makeModel();
    const folder = await makeFolder();
    const { summary } = await run(folder, { rows, model: first.model });
    const log = await readFile(join(folder, 'd.jsonl'));
    await fc.assert(
      fc.asyncProperty(fc.nat(log.length), async (cut) => {
        const prefix = log.subarray(0, cut);
        await writeFile(join(folder, 'd.jsonl'), prefix);
        const { model, asked } = makeModel();
        const again = await run(folder, { rows, model });
        expect(again.summary.results[0]?.score).toEqual(summary.results[0]?.score);
        expect(again.summary.results[0]?.rows).toEqual(summary.results[0]?.rows);
        const lines = prefix.toString().split('\n').slice(0, -1);
        const parts = lines
          .map((line) => JSON.parse(line))
          .filter(({ part }) => part !== undefined);
        expect(asked).toHaveLength(11 - new Set(parts.map(({ key }) => key)).size);
      }),
      { numRuns: 40 },
    );
  });

  it('fail with their first failing part; others go on', async () => {
    const { model, asked } = makeModel();
    const folder = await makeFolder();
    const { summary, failure } = await run(folder, { rows: ['a no c', 'd e'], model });
    expect(failure).toBeUndefined();
    expect(asked).not.toContain('ANOc');
    expect(summary.results[0]?.rows).toMatchObject({ scored: 1, failed: 1, missing: 0 });
    const log = await readLog(folder);
    expect(log.filter(({ outcome }) => outcome === 'failed').map(({ part }) => part)).toEqual([
      2,
      undefined,
    ]);
  });

  it('whose data cannot be asked about fail by themselves', async () => {
    const { model } = makeModel();
    const folder = await makeFolder();
    const { summary, failure } = await run(folder, { rows: ['broken', 'd e'], model });
    expect(failure).toBeUndefined();
    expect(summary.results[0]).toMatchObject({
      rows: { total: 2, scored: 1, failed: 1, missing: 0 },
      reasons: [{ reason: 'a broken row', rows: 1 }],
    });
    const all = await run(await makeFolder(), { rows: ['broken', 'broken'], model });
    expect(all).toMatchObject({ failure: { code: 'data.bad_row' }, summary: { complete: false } });
  });
});

describe('a scorer that waits', () => {
  const exact = compileScorer({ evaluator: { type: 'exact' } });
  const slow: Scorer = {
    ...exact,
    scoreLater: async (input, signal) => {
      await new Promise((done) => setTimeout(done, 5));
      signal.throwIfAborted();
      if (input.row.words === 'bad') throw new Error('no judge');
      return exact.score(input);
    },
  };

  it.each([
    ['one request', single, { scored: 5, unscored: 1, missing: 0 }, 1],
    ['several requests', dialogue, { scored: 6, unscored: 0, missing: 0 }, 5 / 6],
  ])('scores rows of %s', async (_, inference, expected, value) => {
    const { model } = makeModel();
    const { summary } = await run(await makeFolder(), {
      rows: [...rows, 'bad'],
      model,
      inference,
      scorer: slow,
    });
    expect(summary.complete).toBe(true);
    const { rows: counts, score } = summary.results[0] ?? {};
    expect(counts).toMatchObject(expected);
    expect(score?.value).toBeCloseTo(value);
  });

  it('finds answers that were given before it was asked', async () => {
    const folder = await makeFolder();
    const { model } = makeModel();
    await run(folder, { rows, model, inference: single, scorer: slow });
    const log = await readLog(folder);
    const answers = log.filter(({ part }) => part === 'answer');
    expect(answers).toHaveLength(5);
    await writeFile(
      join(folder, 'd.jsonl'),
      answers.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const again = makeModel();
    const { summary } = await run(folder, {
      rows,
      model: again.model,
      inference: single,
      scorer: slow,
    });
    expect(again.asked).toEqual([]);
    expect(summary.results[0]).toMatchObject({ score: { value: 1 }, rows: { scored: 5 } });
  });
});
