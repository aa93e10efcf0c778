import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelConfig } from '../config/config.ts';
import { heldRows, positionRows, type RowStream } from '../data/row-stream.ts';
import { DataError, ModelError } from '../errors.ts';
import { createEvaluation } from '../evaluation/create-evaluation.ts';
import type { GenerateRequest, Model } from '../model/model.ts';
import { compileScorer } from '../score/compile-scorer.ts';
import { executeRun, type RunOutcome } from './execute.ts';
import type { RetryKinds } from './resume.ts';
import type { ModelRun } from './run-model.ts';
import { RecordLookup } from './store/record-lookup.ts';
import type { RowRecord } from './store/row-record.ts';
import type { StoredEvaluation } from './stored-evaluation.ts';

type Answer = (prompt: string, attempt: number) => string | Promise<string>;

const refusal = (details: Partial<ModelError> = {}) =>
  new ModelError('model.request_refused', 'refused', { retryable: false, status: 400, ...details });
const soon = () => refusal({ retryable: true, status: 500, retryAfterMs: 1 });

/** A model in the process, and how often it was asked each prompt. */
class FakeModel implements Model {
  readonly name = 'm';
  readonly abilities = new Set(['generate'] as const);
  readonly identity = {};
  readonly asked = new Map<string, number>();
  onAsked: () => void = () => undefined;
  readonly #answer: Answer;

  constructor(answer: Answer = (prompt) => prompt) {
    this.#answer = answer;
  }

  encode({ prompt }: GenerateRequest): string {
    return prompt.type === 'text' ? prompt.text : '';
  }

  async generate(request: GenerateRequest) {
    const prompt = this.encode(request);
    const attempt = (this.asked.get(prompt) ?? 0) + 1;
    this.asked.set(prompt, attempt);
    this.onAsked();
    const text = await this.#answer(prompt, attempt);
    const usage = { inputTokens: 2, outputTokens: 1 };
    return { text, finishReason: 'stop', usage, totalMs: 1 } as const;
  }

  async close(): Promise<void> {
    this.asked.clear();
  }

  /** How many requests there were since the last call. */
  count(): number {
    const total = [...this.asked.values()].reduce((sum, times) => sum + times, 0);
    this.asked.clear();
    return total;
  }
}

interface Plan {
  readonly model: FakeModel;
  readonly questions: readonly string[];
  readonly template?: string;
  readonly gold?: (question: string) => unknown;
  readonly scorer?: 'exact' | 'contains';
  /** Stops gently after so many different requests. */
  readonly stopAfter?: number;
  readonly rows?: RowStream;
  readonly retry?: RetryKinds;
  /** Of a million tokens. */
  readonly price?: { readonly in: number; readonly out: number };
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-execute-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function rowsOf({ questions, gold = (question) => question }: Plan): RowStream {
  return heldRows(
    questions.map((question, id) => ({ id, row: { question, gold: gold(question) } })),
  );
}

const pace = { maxConcurrency: 4, maxAttempts: 3 };

function taskOf(folder: string, plan: Plan): StoredEvaluation {
  const { template = '{question}', scorer = 'exact', rows = rowsOf(plan) } = plan;
  return {
    evaluation: createEvaluation({
      model: plan.model,
      modelName: 'm',
      ...(plan.price && { modelConfig: { type: 'OpenAI', price: plan.price } as ModelConfig }),
      task: { name: 'd', inferencer: 'GenInferencer', mode: 'gen', outputColumn: 'gold' },
      rows: positionRows(rows),
      inference: {
        type: 'single',
        ask: ({ row }) => {
          const text = template.replace('{question}', String(row.question));
          const prompt = { type: 'text', text } as const;
          return { request: { type: 'generate', prompt }, shots: [], dropped: 0 };
        },
        trace: () => {
          throw new Error('a run traces nothing');
        },
      },
      scorer: compileScorer({ evaluator: { type: scorer } }),
      scorerIdentity: scorer,
      pace,
    }),
    logFile: join(folder, 'd.jsonl'),
    indexFile: join(folder, 'd.index'),
  };
}

function run(folder: string, plan: Plan): Promise<RunOutcome> {
  const { model, stopAfter, retry } = plan;
  let runs: readonly ModelRun[] = [];
  model.onAsked = () => {
    if (model.asked.size === stopAfter) for (const each of runs) each.stopStarting();
  };
  return executeRun({
    name: 'run',
    version: '0',
    retry,
    models: [{ model, evaluations: [taskOf(folder, plan)], ...pace }],
    signal: new AbortController().signal,
    onStart: (started) => {
      runs = started;
    },
  });
}

/** The records that count, without what differs from run to run. */
async function readRows(folder: string, count: number): Promise<Partial<RowRecord>[]> {
  const reader = await RecordLookup.open({
    logFile: join(folder, 'd.jsonl'),
    indexFile: join(folder, 'd.index'),
  });
  const rows: Partial<RowRecord>[] = [];
  for (let id = 0; id < count; id++) {
    const { ms: _, from: __, attempts: ___, ...record } = (await reader.row(id)) ?? {};
    rows.push(record);
  }
  await reader.close();
  return rows;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

it('says what a run cost where there is a price', async () => {
  const plan = { model: new FakeModel(), questions: ['a', 'b', 'c'] };
  const { summary } = await run(await makeFolder(), plan);
  expect(Object.keys(summary)).not.toContain('cost');
  const priced = await run(await makeFolder(), { ...plan, price: { in: 1e6, out: 2e6 } });
  expect(priced.summary.cost).toEqual({ total: 12 });
});

it('asks a model that answers at once no further ahead than may wait to be recorded', async () => {
  const model = new FakeModel();
  const questions = Array.from({ length: 6000 }, (_, id) => `question ${id}`);
  const { evaluation, ...files } = taskOf(await makeFolder(), { model, questions });
  const { scorer } = evaluation;
  // The first answers are recorded more slowly than others come.
  let slow = 200;
  const score: typeof scorer.score = (...scored) => {
    const end = performance.now() + (slow-- > 0 ? 5 : 0);
    while (performance.now() < end);
    return scorer.score(...scored);
  };
  let furthest = 0;
  const outcome = await executeRun({
    name: 'run',
    version: '0',
    models: [
      {
        model,
        evaluations: [{ ...files, evaluation: { ...evaluation, scorer: { ...scorer, score } } }],
        ...pace,
      },
    ],
    signal: new AbortController().signal,
    onStart: ([started]) => {
      model.onAsked = () => {
        const recorded = started?.evaluations[0]?.counts.scored ?? 0;
        furthest = Math.max(furthest, model.asked.size - recorded);
      };
    },
  });
  expect(outcome.summary.results[0]?.rows).toMatchObject({ scored: 6000, missing: 0 });
  expect(furthest).toBeLessThanOrEqual(1024 + pace.maxConcurrency);
});

describe('resume', () => {
  it('comes to the same result from any prefix of a log', async () => {
    const answer: Answer = (prompt) => {
      if (prompt === 'q') throw refusal();
      return prompt === 'c' ? 'wrong' : prompt;
    };
    const model = new FakeModel(answer);
    const plan = { model, questions: [...letters, 'a', 'b', 'a', '日本語'] };
    const folder = await makeFolder();
    const { summary } = await run(folder, plan);
    expect(model.count()).toBe(27);
    expect(summary).toMatchObject({
      complete: true,
      results: [{ rows: { total: 30, scored: 29, failed: 1, missing: 0 } }],
    });
    const whole = await readRows(folder, 30);
    const log = await readFile(join(folder, 'd.jsonl'));
    await fc.assert(
      fc.asyncProperty(fc.nat(log.length), async (cut) => {
        const prefix = log.subarray(0, cut);
        await writeFile(join(folder, 'd.jsonl'), prefix);
        const again = await run(folder, plan);
        expect(await readRows(folder, 30)).toEqual(whole);
        const [before] = summary.results;
        const [after] = again.summary.results;
        expect([after?.rows, after?.score]).toEqual([before?.rows, before?.score]);
        const lines = prefix.toString('latin1').split('\n').slice(0, -1);
        const keys = new Set(lines.map((line) => JSON.parse(line).key));
        expect(model.count()).toBe(27 - keys.size);
      }),
      { numRuns: 60 },
    );
  });

  it('never counts rows of another template, however far it got', async () => {
    const folder = await makeFolder();
    const model = new FakeModel();
    await run(folder, { model, questions: letters });
    expect(model.count()).toBe(26);
    const changed = { model, questions: letters, template: 'Say {question}', stopAfter: 7 };
    const { summary } = await run(folder, changed);
    expect(summary).toMatchObject({
      complete: false,
      results: [{ rows: { total: 26, scored: 7, missing: 19 } }],
    });
    const rows = await readRows(folder, letters.length);
    const answers = rows.flatMap((record) => record.answer ?? []);
    expect(answers).toHaveLength(7);
    expect(answers.every((text) => text.startsWith('Say '))).toBe(true);
  });

  it('asks only what was never asked, in whatever row and however long ago', async () => {
    const folder = await makeFolder();
    const model = new FakeModel();
    const first = { model, questions: letters };
    const steps: [Plan, number][] = [
      [first, 26],
      [{ ...first, template: '{question}!' }, 26],
      [first, 0],
      [{ ...first, questions: ['new', ...letters.toReversed()] }, 1],
      [{ ...first, questions: letters.slice(0, 3) }, 0],
    ];
    for (const [plan, requests] of steps) {
      const { summary } = await run(folder, plan);
      expect(model.count()).toBe(requests);
      const total = plan.questions.length;
      expect(summary.results[0]?.rows).toMatchObject({ total, scored: total, missing: 0 });
      const rows = await readRows(folder, 27);
      expect(rows.flatMap((record) => record.gold ?? [])).toEqual(plan.questions);
    }
  });

  it('judges again, without asking, when the gold answers or the scorer change', async () => {
    const folder = await makeFolder();
    const model = new FakeModel((prompt) => `It is ${prompt}`);
    const plan: Plan = { model, questions: letters };
    const scoreOf = async (changes: Partial<Plan>) => {
      const { summary } = await run(folder, { ...plan, ...changes });
      expect(summary.results[0]?.tokens).toEqual({ input: 52, output: 26 });
      return summary.results[0]?.score?.value;
    };
    expect(await scoreOf({})).toBe(0);
    expect(model.count()).toBe(26);
    expect(await scoreOf({ scorer: 'contains' })).toBe(1);
    expect(await scoreOf({ gold: (question) => `It is ${question}` })).toBe(1);
    expect(await scoreOf({})).toBe(0);
    expect(model.count()).toBe(0);
  });
});

describe('identical requests', () => {
  it('are sent once, however many wait for the answer', async () => {
    const model = new FakeModel(async () => new Promise((done) => setTimeout(done, 20, 'same')));
    const questions = Array.from({ length: 3000 }, () => 'same');
    const { summary } = await run(await makeFolder(), { model, questions });
    expect(model.count()).toBe(1);
    expect(summary.results[0]).toMatchObject({
      rows: { scored: 3000 },
      requests: { sent: 1, shared: 2999 },
      tokens: { input: 2, output: 1 },
    });
  });

  it('wait together for the next attempt, and fail together', async () => {
    const model = new FakeModel((prompt, attempt) => {
      if (prompt === 'late' && attempt < 3) throw soon();
      if (prompt === 'never') throw soon();
      return prompt;
    });
    const questions = [...letters, 'late', 'never', 'late', 'never', 'late', 'never'];
    const folder = await makeFolder();
    const { summary } = await run(folder, { model, questions });
    expect([model.asked.get('late'), model.asked.get('never')]).toEqual([3, 3]);
    expect(summary.results[0]?.rows).toMatchObject({ scored: 29, failed: 3, missing: 0 });
  });
});

describe('failures', () => {
  it('of a row do not end the run', async () => {
    const model = new FakeModel((prompt) => {
      if (prompt < 'e') throw refusal();
      return prompt;
    });
    const folder = await makeFolder();
    const { summary, failure } = await run(folder, { model, questions: letters });
    expect(failure).toBeUndefined();
    expect(summary).toMatchObject({
      complete: true,
      results: [{ rows: { scored: 22, failed: 4 }, reasons: [{ reason: 'refused', rows: 4 }] }],
    });
    const again = await run(folder, { model, questions: letters });
    expect(again).toMatchObject({ summary: { complete: true } });
    expect(again.failure).toBeUndefined();
  });

  it.each([
    ['model.request_refused', 'refused', false],
    ['model.too_long', 'too_long', false],
    ['model.content_filter', 'content_filter', false],
    ['model.server_error', 'server_error', true],
    ['model.timeout', 'timeout', true],
    ['model.unauthorized', 'auth', true],
    ['something.else', 'other', true],
  ] as const)('by %s have the kind %s; asked again: %j', async (code, kind, isAskedAgain) => {
    const model = new FakeModel((prompt) => {
      if (prompt < 'c') throw new ModelError(code, 'no', { retryable: false });
      return prompt;
    });
    const folder = await makeFolder();
    const plan = { model, questions: letters };
    const { summary } = await run(folder, plan);
    expect(summary.results[0]?.failures).toEqual([{ kind, rows: 2 }]);
    const asked = async (retry?: RetryKinds, template?: string) => {
      model.count();
      const again = await run(folder, {
        ...plan,
        ...(retry && { retry }),
        ...(template && { template }),
      });
      expect(again.summary.results[0]?.rows).toMatchObject({ scored: 24, failed: 2, missing: 0 });
      const [failure] = again.summary.results[0]?.failures ?? [];
      expect(failure).toMatchObject({ kind, rows: 2 });
      return [model.count(), failure?.left ?? 0];
    };
    expect(await asked()).toEqual(isAskedAgain ? [2, 0] : [0, 2]);
    expect(await asked('all')).toEqual([2, 0]);
    expect(await asked('none')).toEqual([0, 2]);
    expect(await asked([kind])).toEqual([2, 0]);
    expect(await asked(['data'])).toEqual([0, 2]);
    // Another request is always asked.
    expect(await asked('none', '{question} ')).toEqual([26, 0]);
  });

  it('of all rows do', async () => {
    const model = new FakeModel(() => {
      throw refusal();
    });
    const many = await run(await makeFolder(), { model, questions: letters });
    expect(many).toMatchObject({ failure: { message: 'refused' }, summary: { complete: false } });
    expect(model.count()).toBeLessThan(letters.length);
    const folder = await makeFolder();
    const few = await run(folder, { model, questions: ['a', 'b'] });
    expect(few).toMatchObject({ failure: { message: 'refused' }, summary: { complete: false } });
    expect(few.summary.results[0]?.rows).toMatchObject({ failed: 2, missing: 0 });
  });

  it('in the data let the requests in flight finish', async () => {
    const model = new FakeModel(async (prompt) => {
      await new Promise((done) => setTimeout(done, 10));
      return prompt;
    });
    const torn = () => new DataError('data.bad_row', 'row 300 is broken');
    const rows: RowStream = {
      async *batches() {
        yield Array.from({ length: 300 }, (_, id) => ({
          id,
          row: { question: `${id}`, gold: '' },
        }));
        throw torn();
      },
      count: async () => {
        throw torn();
      },
      describe: async () => ({ files: [], rowsRead: 300 }),
    };
    const folder = await makeFolder();
    const { summary, failure } = await run(folder, { model, questions: [], rows });
    expect(failure).toMatchObject({ code: 'data.bad_row' });
    expect(summary.complete).toBe(false);
    const { unscored = 0 } = summary.results[0]?.rows ?? {};
    expect(unscored).toBeGreaterThan(0);
    expect(model.count()).toBe(unscored);
  });
});
