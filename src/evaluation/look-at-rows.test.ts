import { describe, expect, it } from 'vitest';
import type { OwnDatasetInput } from '../config/config-input.ts';
import { parseConfig } from '../config/load-config.ts';
import { HeadRows } from '../data/head-rows.ts';
import { positionRows, type RowStream } from '../data/row-stream.ts';
import type { RowSelection } from '../data/select/select-rows.ts';
import { collectIds } from '../data/test-sources.ts';
import type { Row } from '../prompt/values.ts';
import type { Scorer } from '../score/scorer.ts';
import { answersAsLabels } from './evaluation-diagnostics.ts';
import { lookAtRows } from './look-at-rows.ts';

type DatasetInput = OwnDatasetInput;

interface Settings extends Partial<DatasetInput['reader_cfg']> {
  readonly selection?: RowSelection;
  readonly scored?: Scorer['columns'];
  readonly inferencer?: NonNullable<DatasetInput['infer_cfg']['inferencer']>;
}

/** Rows one a batch, and how many were read. */
function rowsOf(rows: readonly Row[]) {
  const counts = { passes: 0, read: 0 };
  const stream: RowStream = {
    async *batches() {
      counts.passes += 1;
      for (const [id, row] of rows.entries()) {
        counts.read += 1;
        yield [{ id, row }];
      }
    },
    count: async () => rows.length,
    describe: async () => ({ files: [], rowsRead: rows.length }),
  };
  return { stream, counts };
}

async function look(rows: readonly Row[], settings: Settings = {}) {
  const { selection = {}, inferencer, scored, ...reader } = settings;
  const config = await parseConfig({
    datasets: [
      {
        abbr: 'd',
        rows: [],
        reader_cfg: { input_columns: ['n'], output_column: null, ...reader },
        infer_cfg: { prompt_template: { template: '{n}' }, ...(inferencer && { inferencer }) },
      },
    ],
  });
  const [dataset] = config.datasets;
  if (!dataset) throw new Error('no dataset');
  const { stream: all, counts } = rowsOf(rows);
  const stream = new HeadRows(positionRows(all));
  const { samples } = await lookAtRows(stream, dataset, {
    selection,
    scorer: { columns: scored },
  });
  return { samples: samples.map(({ id }) => id), stream, counts };
}

/** Ten rows; one has a column more, and one has a column less. */
const ten = Array.from({ length: 10 }, (_, n): Row => {
  if (n === 7) return { n, rare: true };
  return n === 2 ? { other: n } : { n };
});

describe('columns', () => {
  it.each<[Settings, string, string, unknown]>([
    [
      { selection: { where: 'rae' } },
      'where: no row has a column `rae`',
      'Did you mean `rare`? Columns: n, other, rare.',
      undefined,
    ],
    [
      { selection: { where: 'm > 3 or rare' } },
      'where: no row has a column `m`',
      'Did you mean `n`? ',
      undefined,
    ],
    [
      { input_columns: ['n', 'question'] },
      'No row of the dataset `d` has a column `question`',
      'Columns: n, other, rare.',
      ['datasets', 0, 'reader_cfg'],
    ],
    [
      { output_column: 'others' },
      'No row of the dataset `d` has a column `others`',
      'Did you mean `other`? ',
      ['datasets', 0, 'reader_cfg'],
    ],
  ])('%j that no row has are refused', async (settings, message, hint, path) => {
    await expect(look(ten, settings)).rejects.toMatchObject({
      code: 'data.unknown_column',
      message,
      hint: expect.stringContaining(hint),
      path,
    });
  });

  it.each<[Settings, number[], number]>([
    [{}, [0], 2],
    [{ selection: { where: 'rare' } }, [0, 2, 7], 10],
    [{ input_columns: ['n', 'max_out_len'] }, [0], 2],
    [{ output_column: 'other' }, [0, 2], 3],
    [{ output_column: 'other', selection: { limit: 1 } }, [0, 2], 4],
    [{ selection: { ids: new Set([2]) } }, [0, 2], 4],
  ])(
    '%j that some row has are not, and the rows that bring them are samples',
    async (settings, samples, read) => {
      const found = await look(ten, settings);
      expect(found.samples).toEqual(samples);
      expect(found.counts.read).toBeLessThanOrEqual(read);
    },
  );

  it('are seen in one pass, which the first pass over the rows goes on with', async () => {
    const { stream, counts } = await look(ten, { output_column: 'other' });
    expect(await collectIds(stream)).toEqual(ten.map((_, id) => id));
    expect(counts).toEqual({ passes: 1, read: 10 });
  });
});

describe('labels', () => {
  const labelled = (...labels: unknown[]) => labels.map((a, n): Row => ({ n, a }));
  const ppl = { output_column: 'a', inferencer: { type: 'PPLInferencer' as const } };

  it('are looked for in all rows, if none are given', async () => {
    const { samples } = await look(labelled('x', 'y', 'x', 1, '1', 'z'), ppl);
    expect(samples).toEqual([0, 1, 3, 5]);
    const given = { ...ppl, inferencer: { type: 'PPLInferencer' as const, labels: ['x', 'y'] } };
    const { counts, ...found } = await look(labelled('x', 'y', 'x'), given);
    expect([found.samples, counts.read]).toEqual([[0, 1], 2]);
  });

  it('are no more than a thousand', async () => {
    const answers = Array.from({ length: 3000 }, (_, n) => `answer ${n}`);
    const { samples, counts } = await look(labelled(...answers), ppl);
    expect([samples.length, counts.read]).toEqual([1001, 1001]);
  });
});

it.each<[string, readonly Row[], RowSelection]>([
  ['an empty file', [], {}],
  ['an empty file with a condition', [], { where: 'rare' }],
  ['nothing selected', ten, { limit: 0 }],
  ['a condition that nothing meets', ten, { where: 'n > 99' }],
])('no rows are refused: %s', async (_, rows, selection) => {
  await expect(look(rows, { selection })).rejects.toMatchObject({
    code: 'data.no_rows',
    path: ['datasets', 0],
    hint: expect.stringContaining('--where'),
  });
});

it.each([
  [8, 8, 0],
  [9, 9, 1],
  [10, 20, 1],
  [10, 21, 0],
])(
  '%d labels in %d gold answers: %d notes that they are hardly labels',
  async (labels, rows, notes) => {
    const config = await parseConfig({
      datasets: [
        {
          abbr: 'd',
          rows: [],
          reader_cfg: { input_columns: ['n'], output_column: 'a' },
          infer_cfg: {
            prompt_template: { template: '{n} {a}' },
            inferencer: { type: 'PPLInferencer' },
          },
        },
      ],
    });
    const [dataset] = config.datasets;
    if (!dataset) throw new Error('no dataset');
    const seen = {
      labels: Array.from({ length: labels }, (_, n) => `label ${n}`),
      head: Array.from({ length: rows }, (_, id) => ({ id, position: id, row: { n: id } })),
    };
    const codes = [...answersAsLabels(dataset, seen)].map(({ code }) => code);
    expect(codes).toEqual(Array.from({ length: notes }, () => 'data.answers_as_labels'));
  },
);

it('says what a prompt of a judge may name beside columns', async () => {
  const path = ['datasets', 0, 'eval_cfg', 'evaluator', 'prompt'];
  await expect(look(ten, { scored: [{ name: 'answer', path }] })).rejects.toMatchObject({
    hint: expect.stringContaining('names the answer `{prediction}`'),
  });
});
