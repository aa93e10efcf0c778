import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { evaluate, type RunResult, rescore } from '../../src/index.ts';
import { type LogprobServer, startLogprobServer, type Telling } from './logprob-server.ts';

/**
 * What a server says of a text serves every inferencer that asks about the text: none may get
 * what another made of it.
 */

const words = ['Is snow cold', 'Do cats bark', 'Is it so', 'Are we there yet'];
const rows = words.map((q, index) => ({
  q,
  a: index % 2 === 0 ? 'yes' : 'no',
  choices: [' yes', ' no'],
}));

type Dataset = NonNullable<ConfigInput['datasets']>[number];
type Asking = Pick<Dataset, 'infer_cfg' | 'rows'>;

const labels = fc.constantFrom(['yes', 'no'], ['no', 'yes']);
/** Ways to write one and the same texts, with answers that begin at other places, or mean another label. */
const template = fc.constantFrom<unknown>(
  { template: '{q}? {a}' },
  { template: { yes: '{q}? yes', no: '{q}? no' } },
  { template: { yes: '{q}? no', no: '{q}? yes' } },
  { template: '{q}</S>? {a}', sep_token: '</S>' },
  { template: '{q}?</S> {a}', sep_token: '</S>' },
);
const byLabel = (inferencer: fc.Arbitrary<object>): fc.Arbitrary<Asking> =>
  fc
    .tuple(template, inferencer, labels, fc.boolean())
    .map(([prompt_template, given, ordered, hasContinuation]) => {
      const isWritten = typeof (prompt_template as { template: unknown }).template === 'string';
      return {
        rows: hasContinuation ? rows.map((row) => ({ ...row, cont: '!' })) : rows,
        infer_cfg: {
          prompt_template,
          inferencer: { ...given, ...(isWritten && { labels: ordered }) },
        },
      } as unknown as Asking;
    });
const choosing = fc.constantFrom<Asking>(
  ...[
    {},
    { labels: [' yes', ' no'] },
    { labels: [' no', ' yes'] },
    { labels: [' yes', ' perhaps'] },
  ].map(
    (given): Asking => ({
      rows,
      infer_cfg: {
        prompt_template: { template: '{q}?' },
        inferencer: { type: 'CLPInferencer', ...given },
      },
    }),
  ),
);
const measuring = fc.constantFrom<Asking>({
  rows,
  infer_cfg: {
    prompt_template: { template: '{q}? {a}' },
    inferencer: { type: 'PPLOnlyInferencer' },
  },
});
const asking = fc.oneof(
  byLabel(
    fc.constantFrom({ type: 'PPLInferencer' }, { type: 'PPLInferencer', normalizing_str: 'So? ' }),
  ),
  byLabel(fc.constant({ type: 'LLInferencer' })),
  choosing,
  measuring,
);

const servers = new Map<Telling, Promise<LogprobServer>>();
const serverFor = (telling: Telling) => {
  const server = servers.get(telling) ?? startLogprobServer(telling);
  servers.set(telling, server);
  return server;
};
const scratch = await mkdtemp(join(tmpdir(), 'typecase-apart-'));
afterAll(async () => {
  for (const server of servers.values()) await (await server)[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true });
});
let folders = 0;
const newFolder = () => join(scratch, String(folders++));

async function configOf(telling: Telling, askings: readonly Asking[], sameName = false) {
  const { url } = await serverFor(telling);
  return {
    models: [{ abbr: 'm', type: 'OpenAICompletions', base_url: url, model: 'x' }],
    datasets: askings.map((one, index) => ({
      abbr: sameName ? 'd' : `d${index}`,
      reader_cfg: { input_columns: ['q'], output_column: 'a' },
      ...one,
      ...(JSON.stringify(one).includes('PPLOnly')
        ? {}
        : { eval_cfg: { evaluator: { type: 'exact' } } }),
    })),
  } as ConfigInput;
}

/** All that readers see of the results of a dataset, and nothing of how they came about. */
async function resultsOf({ summary, rows: read }: RunResult, dataset: string) {
  const found = [];
  for await (const row of read({ dataset })) {
    const { ms: _, from: __, tokens: ___, dataset: ____, ...kept } = row;
    found.push(kept);
  }
  const result = summary.results.find((one) => one.dataset === dataset);
  const { metric, score, metrics, ties } = result ?? {};
  return { rows: found.sort((a, b) => a.id - b.id), metric, score, metrics, ties };
}

const ways = {
  /** In one run, which asks about equal texts once. */
  async together(telling: Telling, askings: readonly Asking[]) {
    const run = await evaluate(await configOf(telling, askings), { out: newFolder() });
    return Promise.all(askings.map((_, index) => resultsOf(run, `d${index}`)));
  },
  /** In one folder, one after the other under one name, and then the first once more. */
  async 'one folder'(telling: Telling, askings: readonly Asking[]) {
    const out = newFolder();
    const found = [];
    for (const one of [...askings, ...askings.slice(0, 1)]) {
      found.push(
        await resultsOf(await evaluate(await configOf(telling, [one], true), { out }), 'd'),
      );
    }
    expect(found.at(-1)).toEqual(found[0]);
    return found.slice(0, -1);
  },
  /** Over one cache. */
  async 'one cache'(telling: Telling, askings: readonly Asking[]) {
    const cache = newFolder();
    const found = [];
    for (const one of askings) {
      const config = await configOf(telling, [one], true);
      found.push(await resultsOf(await evaluate(config, { out: newFolder(), cache }), 'd'));
    }
    return found;
  },
  /** Scored again by what the folder holds. */
  async rescored(telling: Telling, askings: readonly Asking[]) {
    const out = newFolder();
    const config = await configOf(telling, askings);
    await evaluate(config, { out });
    const run = await rescore(out, { config });
    return Promise.all(askings.map((_, index) => resultsOf(run, `d${index}`)));
  },
};

const withoutScoring = (found: Awaited<ReturnType<typeof resultsOf>>) => ({
  ...found,
  rows: found.rows.map(({ scoring: _, ...row }) => row),
});

test.each(Object.entries(ways))(
  '%s gives what each gives alone',
  { timeout: 120_000 },
  async (_, way) => {
    const telling = fc.constantFrom<Telling>('echo', 'echo', 'echo-one', 'prompt-logprobs');
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.tuple(telling, fc.array(asking, { minLength: 2, maxLength: 3 })),
          fc.tuple(
            fc.constant<Telling>('next-token'),
            fc.array(choosing, { minLength: 2, maxLength: 3 }),
          ),
        ),
        async ([told, askings]) => {
          const found = await way(told, askings);
          for (const [index, one] of askings.entries()) {
            const alone = await evaluate(await configOf(told, [one], true), { out: newFolder() });
            const expected = withoutScoring(await resultsOf(alone, 'd'));
            expect(expected.rows).toHaveLength(rows.length);
            const own = found[index];
            expect(own && withoutScoring(own)).toEqual(expected);
          }
        },
      ),
      { seed: 16, numRuns: 12 },
    );
  },
);
