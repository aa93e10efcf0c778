import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { meanLossOf } from '../../src/compat/scoring/mean-loss.ts';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { evaluate, loglikelihoodsOf, type RunResult, rescore } from '../../src/index.ts';
import { startLogprobServer } from './logprob-server.ts';

interface ExpectedText {
  readonly text: string;
  readonly context: number;
  readonly logprobs: readonly number[];
  readonly whole: number;
  readonly part: number;
  readonly wholeWithoutMark: number;
  readonly partWithoutMark: number;
}
/** What a batch in NumPy says: opencompass-division.py. */
const { texts }: { texts: readonly ExpectedText[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'opencompass-division.json'), 'utf8'),
);
const expected = new Map(texts.map((entry) => [entry.text, entry]));

const scratch = await mkdtemp(join(tmpdir(), 'typecase-division-'));
afterAll(() => rm(scratch, { recursive: true }));
let folders = 0;
const newFolder = () => join(scratch, String(folders++));

const labels = ['bad', 'no', 'yes, indeed', 'a'];
const contexts = ['', 'Is it so? ', '12+30='];
type Compat = NonNullable<ConfigInput['compat']>;

function configOf(
  model: object,
  { compat, inferencer = {} }: { compat?: Compat | undefined; inferencer?: object },
) {
  const template = Object.fromEntries(labels.map((label) => [label, `{context}</S>${label}`]));
  return {
    ...(compat && { compat }),
    models: [{ abbr: 'm', ...model }],
    datasets: [
      {
        abbr: 'd',
        rows: contexts.map((context) => ({ context, gold: 'no' })),
        reader_cfg: { input_columns: ['context'], output_column: 'gold' },
        infer_cfg: {
          prompt_template: { template, sep_token: '</S>' },
          inferencer: { type: 'PPLInferencer', ...inferencer },
        },
        eval_cfg: { evaluator: { type: 'exact' } },
      },
    ],
  } as unknown as ConfigInput;
}

interface Found {
  readonly label: unknown;
  readonly values: readonly (number | null)[];
}

async function found({ rows }: RunResult): Promise<Found[]> {
  const all: (Found & { readonly id: number })[] = [];
  for await (const { id, label, loglikelihoods } of rows()) {
    all.push({ id, label, values: (loglikelihoods ?? []).map(({ value }) => value) });
  }
  return all.sort((left, right) => left.id - right.id).map(({ id: _, ...row }) => row);
}

const tiny = { type: 'Local', path: 'typecase-tiny' };
const least = (values: readonly number[]) => labels[values.indexOf(Math.min(...values))];
const mean = ({ logprobs }: ExpectedText) =>
  -logprobs.reduce((sum, value) => sum + value, 0) / logprobs.length;
const entryOf = (text: string) => {
  const entry = expected.get(text);
  if (!entry) throw new Error(`no ${text}`);
  return entry;
};

test.each([
  ['opencompass' as const, ({ whole }: ExpectedText) => whole],
  ['aisbench' as const, mean],
  [undefined, mean],
])('whole texts of typecase-tiny with compat %s', async (compat, expectedOf) => {
  const run = await evaluate(configOf(tiny, { compat }), { out: newFolder() });
  for (const [row, { label, values }] of (await found(run)).entries()) {
    const wanted = labels.map((text) => expectedOf(entryOf(`${contexts[row]}${text}`)));
    expect(values.length).toBe(wanted.length);
    for (const [index, value] of wanted.entries()) expect(values[index]).toBeCloseTo(value, 5);
    expect(label).toBe(least(wanted));
  }
});

test('short texts have another winner than by the tokens that have a probability', () => {
  const [bad, no] = [entryOf('bad'), entryOf('no')];
  expect([mean(bad), mean(no)].map((value) => value.toFixed(3))).toEqual(['4.225', '4.517']);
  expect([bad.whole, no.whole].map((value) => value.toFixed(3))).toEqual(['3.169', '3.011']);
});

test('normalizing_str takes away the part after a neutral text', async () => {
  const inferencer = { normalizing_str: 'So: ' };
  for (const compat of ['opencompass', undefined] as const) {
    const run = await evaluate(configOf(tiny, { compat, inferencer }), { out: newFolder() });
    for (const [row, { label, values }] of (await found(run)).entries()) {
      const wanted = labels.map(
        (text) => entryOf(`${contexts[row]}${text}`).part - entryOf(`So: ${text}`).part,
      );
      for (const [index, value] of wanted.entries()) {
        expect(values[2 * index]).toBeCloseTo(value, 5);
      }
      expect(label).toBe(least(wanted));
    }
  }
});

test('without a mark that begins texts their first token counts too', () => {
  const loss = meanLossOf('opencompass');
  for (const { text, context, logprobs, wholeWithoutMark, partWithoutMark } of texts) {
    const said = {
      starts: Array.from(text, (_, index) => index),
      values: [null, ...logprobs.slice(1)],
    };
    const [whole, part] = loglikelihoodsOf(
      [
        { text, from: 0 },
        { text, from: context },
      ],
      [said, said],
    );
    if (!whole || !part) throw new Error('nothing measured');
    expect(loss.ofText(whole)).toBeCloseTo(wholeWithoutMark, 10);
    expect(loss.ofPart(part)).toBeCloseTo(partWithoutMark, 10);
  }
});

test('what a server said is read anew under another compat, and nothing is asked', async () => {
  await using server = await startLogprobServer('echo');
  const model = { type: 'OpenAICompletions', base_url: server.url, model: 'x' };
  const modes = [undefined, 'opencompass', 'aisbench', undefined] as const;
  const alone = new Map<Compat | undefined, Found[]>();
  for (const compat of new Set(modes)) {
    const run = await evaluate(configOf(model, { compat }), { out: newFolder() });
    alone.set(compat, await found(run));
  }
  expect(alone.get('opencompass')).not.toEqual(alone.get(undefined));
  expect(alone.get('aisbench')).toEqual(alone.get(undefined));
  const [resumed, rescored] = [newFolder(), newFolder()];
  await evaluate(configOf(model, {}), { out: rescored });
  await evaluate(configOf(model, {}), { out: resumed });
  const asked = server.bodies.length;
  for (const compat of modes) {
    const config = configOf(model, { compat });
    expect(await found(await evaluate(config, { out: resumed }))).toEqual(alone.get(compat));
    expect(await found(await rescore(rescored, { config }))).toEqual(alone.get(compat));
    expect(await found(await rescore(rescored))).toEqual(alone.get(compat));
  }
  expect(server.bodies.length).toBe(asked);
});
