import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/load-config.ts';
import { heldRows, positionRows } from '../data/row-stream.ts';
import { writeFiles } from '../data/test-sources.ts';
import type { Model } from '../model/model.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
import { compileScorer } from '../score/compile-scorer.ts';
import { createEvaluation, type EvaluationParts } from './create-evaluation.ts';
import { untracePlan } from './evaluation.ts';
import type { CompositeInference, SingleInference } from './inference.ts';
import { openEvaluations } from './open-evaluations.ts';

const model: Model = {
  name: 'm',
  abilities: new Set(['generate']),
  identity: { name: 'm' },
  encode: ({ prompt, maxOutLen, stop, seed }) => JSON.stringify({ prompt, maxOutLen, stop, seed }),
  generate: () => Promise.reject(new Error('not asked')),
  close: async () => undefined,
};

const promptOf = (row: Row) => ({ type: 'text', text: String(row.q) }) as const;
const single: SingleInference = {
  type: 'single',
  ask: ({ row }) => ({
    request: { type: 'generate', prompt: promptOf(row) },
    shots: [],
    dropped: 0,
  }),
  trace: ({ row }) => ({
    request: { type: 'generate', prompt: promptOf(row) },
    shots: [],
    dropped: 0,
    examples: [],
    texts: [],
  }),
};
const composite: CompositeInference = {
  type: 'composite',
  identityOf: ({ row }) => String(row.q),
  next: ({ row }, answers) =>
    answers.length < 2
      ? [
          {
            kind: 'turn',
            dialogue: { before: [], isLast: true },
            name: answers.length + 1,
            followsAnswers: answers.length > 0,
            request: {
              type: 'generate',
              prompt: { type: 'text', text: [row.q, ...answers].join(' ') },
              ...(answers.length > 0 && { maxOutLen: 2, seed: 5 }),
            },
            shots: [],
            dropped: 0,
            row,
            gold: 'g',
          },
        ]
      : [],
  traceNext: () => [],
  combine: (parts) => ({
    text: parts.map(({ text }) => text).join(),
    score: { type: 'unscored', reason: '' },
  }),
};

function make(parts: Partial<EvaluationParts> = {}) {
  return createEvaluation({
    model,
    modelName: 'm',
    task: { name: 'd', inferencer: 'GenInferencer', mode: 'gen', outputColumn: 'a' },
    rows: positionRows(heldRows([])),
    inference: single,
    scorer: compileScorer({ evaluator: { type: 'exact' } }),
    scorerIdentity: 'exact',
    pace: { maxConcurrency: 1, maxAttempts: 1 },
    ...parts,
  });
}

const row: PositionedRow = { id: 3, position: 1, row: { q: 'Q', a: 'A' } };
const encodedOf = async (parts: Partial<EvaluationParts>, answers: readonly string[] = []) => {
  const { requests } = await make(parts).plan(row, answers);
  return requests.map(({ encoded }) => JSON.parse(encoded));
};

describe('a row of one request', () => {
  it('is asked once', async () => {
    const evaluation = make();
    const plan = await evaluation.plan(row);
    expect(plan).toMatchObject({ ...row, key: plan.requests[0]?.key });
    expect(plan.requests).toMatchObject([{ id: 3, gold: 'A', row: row.row, part: undefined }]);
    const after = await evaluation.plan(row, ['said']);
    expect(after).toEqual({ ...plan, requests: [] });
    expect(untracePlan(await evaluation.trace(row, ['said']))).toEqual(after);
    expect(() => evaluation.combine([], row)).toThrow(TypeError);
  });

  it('has the limit and the ends of its task', async () => {
    const settings = { stop: ['.'], maxOutLenOf: () => 7 };
    expect(await encodedOf(settings)).toMatchObject([{ maxOutLen: 7, stop: ['.'] }]);
    const [request] = (await make(settings).plan(row)).requests;
    expect(request?.request).toMatchObject({
      maxOutLen: 7,
      stop: ['.'],
      id: 3,
      body: request?.encoded,
      key: request?.key,
    });
  });
});

describe('a row of several requests', () => {
  const inference = composite;

  it('goes on from the answers', async () => {
    const evaluation = make({ inference });
    const plans = [
      await evaluation.plan(row),
      await evaluation.plan(row, ['one']),
      await evaluation.plan(row, ['one', 'two']),
    ];
    expect(plans.map(({ requests }) => requests.map(({ part }) => part?.name))).toEqual([
      [1],
      [2],
      [],
    ]);
    const parts = plans.map(({ requests }) => requests.map(({ part }) => part));
    expect(parts).toMatchObject([[{ isFirst: true }], [{ isFirst: false }], []]);
    expect(await encodedOf({ inference }, ['one'])).toMatchObject([{ prompt: { text: 'Q one' } }]);
    expect(new Set(plans.map(({ key }) => key)).size).toBe(1);
    expect(new Set(plans.flatMap(({ requests }) => requests.map(({ key }) => key))).size).toBe(2);
  });

  it('may have limits and seeds of its own, before those of the task', async () => {
    const settings = { inference, maxOutLenOf: () => 7 };
    expect(await encodedOf(settings)).toMatchObject([{ maxOutLen: 7 }]);
    expect(await encodedOf(settings, ['one'])).toMatchObject([{ maxOutLen: 2, seed: 5 }]);
  });

  it('is another row with other settings, another model or other questions', async () => {
    const keyOf = async (parts: Partial<EvaluationParts>, own = row) =>
      (await make({ inference, ...parts }).plan(own)).key;
    const keys = [
      await keyOf({}),
      await keyOf({ stop: ['.'] }),
      await keyOf({ maxOutLenOf: () => 7 }),
      await keyOf({ model: { ...model, identity: { name: 'other' } } }),
      await keyOf({}, { ...row, row: { q: 'other' } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(await keyOf({}, { ...row, id: 9, position: 9 })).toBe(keys[0]);
  });
});

describe('rows that have to be made ready', () => {
  function prepared() {
    const calls: unknown[][] = [];
    const prepare = async (rows: readonly PositionedRow[]) => {
      calls.push(rows.map(({ id }) => id));
    };
    return { calls, evaluation: make({ prepare }) };
  }
  const other = { ...row, id: 4, row: { q: 'other', a: 'A' } };

  it('are, when they are first asked about', async () => {
    const { calls, evaluation } = prepared();
    const plan = evaluation.plan(row);
    expect(plan).toBeInstanceOf(Promise);
    await plan;
    expect(evaluation.plan(row)).not.toBeInstanceOf(Promise);
    expect(evaluation.trace(row)).not.toBeInstanceOf(Promise);
    await evaluation.trace(other);
    expect(calls).toEqual([[3], [4]]);
  });

  it('are, many at once', async () => {
    const { calls, evaluation } = prepared();
    const { prepare } = evaluation;
    await prepare?.([row, other]);
    expect([evaluation.plan(row), evaluation.plan(other)]).toMatchObject([{ id: 3 }, { id: 4 }]);
    expect(calls).toEqual([[3, 4]]);
  });

  it('are tried again if that failed', async () => {
    let fails = true;
    const prepare = async () => {
      if (fails) throw new Error('no vectors');
    };
    const evaluation = make({ prepare });
    await expect(evaluation.plan(row)).rejects.toThrow('no vectors');
    fails = false;
    expect(await evaluation.plan(row)).toMatchObject({ id: 3 });
  });

  it('without need are planned at once', () => {
    expect(make().prepare).toBeUndefined();
    expect(make().plan(row)).not.toBeInstanceOf(Promise);
  });
});

it.each([undefined, 2])('media are shown as they are sent, n %s', async (n) => {
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]);
  const folder = await writeFiles({ 'a.png': png, 'rows.jsonl': '{"image": "a.png", "q": "Q"}\n' });
  const config = await parseConfig(
    {
      models: [{ abbr: 'm', type: 'OpenAI', base_url: 'http://127.0.0.1:9/v1', model: 'm' }],
      datasets: [
        {
          abbr: 'd',
          path: join(folder, 'rows.jsonl'),
          ...(n && { n }),
          reader_cfg: { input_columns: ['q'], output_column: null },
          infer_cfg: {
            prompt_template: {
              type: 'MMPromptTemplate',
              template: {
                round: [{ role: 'HUMAN', prompt_mm: { image: '{image}', text: '{q}' } }],
              },
            },
          },
        },
      ],
    },
    { folder },
  );
  await using evaluations = await openEvaluations(config, { purpose: 'plan' });
  const [evaluation] = evaluations;
  for await (const [first] of evaluation?.rows.batches() ?? []) {
    if (!evaluation || !first) throw new Error('no row');
    const plan = await evaluation.plan(first);
    const traced = await evaluation.trace(first);
    expect(untracePlan(traced)).toEqual(plan);
    expect(plan.requests).toHaveLength(n ?? 1);
    expect(plan.requests[0]?.encoded).toMatch(/[0-9a-f]{64}/);
    const shown = traced.requests[0]?.texts[0]?.prompt;
    const spans = shown?.type === 'messages' ? shown.messages[0]?.spans : undefined;
    expect(spans?.find(({ media }) => media)?.media?.content).toMatchObject({ bytes: png.length });
  }
});
