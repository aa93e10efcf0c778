import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRows } from '../../../data/open-rows.ts';
import { collect, collectIds, writeFiles } from '../../../data/test-sources.ts';
import { applyCustomMeta } from './apply-custom-meta.ts';
import { parseCustomMeta, readCustomMeta } from './custom-meta.ts';
import { customTextTask } from './custom-text-task.ts';

it.each([
  [{ question: 'q', A: 1, B: 2, D: 4, answer: 'A' }, 'mcq', ['A', 'B'], 'A. {A}\nB. {B}\n'],
  [{ question: 'q', B: 2, C: 3, answer: 'x' }, 'qa', [], ''],
  [{ question: 'q', A: 1, answer: 'x' }, 'qa', [], ''],
])('%j is %s', (row, type, options, lines) => {
  expect(customTextTask(row)).toEqual({
    type,
    options,
    template: `Question: {question}\n${lines}Answer: `,
    inputColumns: ['question', ...options],
    outputColumn: 'answer',
  });
});

it('needs a question, but no answer', () => {
  expect(customTextTask({ question: 'q' })).not.toHaveProperty('outputColumn');
  expect(() => customTextTask({ Question: 'q' })).toThrow(
    expect.objectContaining({
      code: 'data.unknown_column',
      hint: expect.stringContaining('Rename `Question`'),
    }),
  );
});

async function apply(meta: object | undefined, rows = 'question,max_tokens\na,5\nb,\nc,7\nd,8\n') {
  const folder = await writeFiles({ 'rows.csv': rows });
  const stream = await openRows('rows.csv', { folder });
  return applyCustomMeta(stream, {
    meta: meta && parseCustomMeta(JSON.stringify(meta), 'rows.csv.meta.json'),
    seed: 1,
  });
}

async function limitsOf(meta: object | undefined): Promise<unknown[]> {
  return (await collect(await apply(meta))).map(({ row }) => row.max_out_len);
}

const shares = (...parts: unknown[]) => ({
  output_config: { method: 'percentage', params: { percentage_distribute: parts } },
});

it.each([
  [undefined, [5, undefined, 7, 8]],
  [{}, [5, undefined, 7, 8]],
  [shares([100, 0.5], ['200', 0.5]), [100, 100, 200, 200]],
  [shares([1, 0.1], [2, 0.2], [3, 0.7]), [2, 3, 3, 3]],
  [{ request_count: '6', ...shares([10, 0.5], [20, 0.5]) }, [10, 10, 10, 20, 20, 20]],
])('%j limits the answers to %j', async (meta, limits) => {
  expect(await limitsOf(meta)).toEqual(limits);
});

it('draws lengths evenly, the same for the same seed', async () => {
  const uniform = { method: 'uniform', params: { min_value: 10, max_value: '12' } };
  const meta = { request_count: 200, output_config: uniform };
  const limits = await limitsOf(meta);
  expect([...new Set(limits)].sort()).toEqual([10, 11, 12]);
  expect(await limitsOf(meta)).toEqual(limits);
});

it.each([
  [{ request_count: 2 }, [0, 1]],
  [{ request_count: 9 }, [0, 1, 2, 3, '0#1', '1#1', '2#1', '3#1', '0#2']],
])('%j begins again or stops', async (meta, ids) => {
  expect(await collectIds(await apply(meta))).toEqual(ids);
});

it('shuffles all rows before it begins again', async () => {
  const ids = await collectIds(await apply({ sampling_mode: 'shuffle', request_count: 6 }));
  expect([...ids.slice(0, 4)].sort()).toEqual([0, 1, 2, 3]);
  expect(ids.slice(4)).toEqual([`${ids[0]}#1`, `${ids[1]}#1`]);
});

it('draws rows at random, with unique ids and the same for the same seed', async () => {
  const meta = { sampling_mode: 'random', request_count: 1_500 };
  const ids = await collectIds(await apply(meta));
  expect(new Set(ids).size).toBe(1_500);
  expect(new Set(ids.map((id) => String(id).split('#')[0])).size).toBe(4);
  expect(await collectIds(await apply(meta))).toEqual(ids);
});

it.each(['default', 'random', 'shuffle'])('%s sampling of no rows gives none', async (mode) => {
  const meta = { sampling_mode: mode, request_count: 3 };
  expect(await collectIds(await apply(meta, 'question\n'))).toEqual([]);
});

it('refuses a limit that is no number', async () => {
  const stream = await apply(undefined, 'question,max_tokens\na,many\n');
  await expect(collect(stream)).rejects.toMatchObject({
    code: 'data.bad_value',
    message: 'Row 0: max_tokens is many',
  });
});

it.each([
  [{ request_counts: 1 }, 'data.unknown_key', 'Did you mean `request_count`?'],
  [{ output_config: { mehtod: 'uniform' } }, 'data.unknown_key', 'Did you mean `method`?'],
  [{ request_count: 0 }, 'data.bad_meta', 'a whole number above 0'],
  [{ request_count: 'two' }, 'data.bad_meta', 'a whole number above 0'],
  [{ sampling_mode: 'sorted' }, 'data.bad_meta', 'one of default, random, shuffle'],
  [{ output_config: 5 }, 'data.bad_meta', 'an object'],
  [{ output_config: { method: 'normal', params: {} } }, 'data.bad_meta', 'uniform or percentage'],
  [
    { output_config: { method: 'uniform', params: { min_value: 3, max_value: 2 } } },
    'data.bad_meta',
    'at most max_value, 2',
  ],
  [shares([10, 0.5], [20, 0.4]), 'data.bad_meta', 'shares that add up to 1'],
  [shares([10]), 'data.bad_meta', 'a pair [length, share]'],
  [shares([10, 1.5]), 'data.bad_meta', 'a share above 0 and at most 1'],
])('refuses %j', (meta, code, hint) => {
  expect(() => parseCustomMeta(JSON.stringify(meta), 'rows.meta.json')).toThrow(
    expect.objectContaining({
      code,
      message: expect.stringContaining('rows.meta.json'),
      hint: expect.stringContaining(hint),
    }),
  );
});

it('reads the settings beside a file, if there are any', async () => {
  const folder = await writeFiles({ 'a.meta.json': '{"request_count": 3}', 'b.meta.json': '{' });
  const read = (name: string) => readCustomMeta(join(folder, name));
  expect(await read('a.meta.json')).toEqual({ requestCount: 3, samplingMode: 'default' });
  expect(await read('none.meta.json')).toBeUndefined();
  await expect(read('b.meta.json')).rejects.toMatchObject({ code: 'data.syntax' });
});
