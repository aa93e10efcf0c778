import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import * as z from 'zod';
import { openRun } from '../../src/run/store/open-run.ts';

/** Whether each test of a config passes, and each of its assertions by its metric. */
export type Verdicts = Readonly<Record<string, TestVerdict>>;

interface TestVerdict {
  readonly pass: boolean;
  readonly assertions: Readonly<Record<string, boolean>>;
}

export const configs = fileURLToPath(new URL('configs', import.meta.url));
export const recorded = fileURLToPath(new URL('verdicts.json', import.meta.url));

export async function configNames(): Promise<readonly string[]> {
  return (await readdir(configs)).sort();
}

/** A config in a folder of its own, each assertion of it with a metric by which it can be told. */
export async function prepareConfig(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `promptfoo-${name}-`));
  await cp(join(configs, name), folder, { recursive: true });
  const file = join(folder, 'promptfooconfig.yaml');
  const config = withMetrics(parse(await readFile(file, 'utf8')), { count: 0 });
  await rm(file);
  await writeFile(join(folder, 'promptfooconfig.json'), JSON.stringify(config));
  return folder;
}

function withMetrics(value: unknown, counter: { count: number }): unknown {
  if (Array.isArray(value)) return value.map((item) => withMetrics(item, counter));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    if (key !== 'assert' || !Array.isArray(item)) return [key, withMetrics(item, counter)];
    const named = item.map((one: Readonly<Record<string, unknown>>) => ({
      ...(withMetrics(one, counter) as object),
      metric: `${one.type ?? 'ref'} ${++counter.count}`,
    }));
    return [key, named];
  });
  return Object.fromEntries(entries);
}

/** The environment in which both ask the server. */
export function environment(url: string): Readonly<Record<string, string>> {
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'none' };
}

const promptfooResults = z.object({
  results: z.object({
    results: z.array(
      z.object({
        testIdx: z.number(),
        promptIdx: z.number(),
        success: z.boolean(),
        provider: z.object({ id: z.string() }),
        gradingResult: z
          .object({
            componentResults: z
              .array(
                z.object({
                  pass: z.boolean(),
                  assertion: z.object({ metric: z.string().optional() }).nullish(),
                  metadata: z
                    .object({ assertionSet: z.object({ metric: z.string() }).optional() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    ),
  }),
});

/** What promptfoo says in a file of its results. */
export async function verdictsOfPromptfoo(file: string): Promise<Verdicts> {
  const { results } = promptfooResults.parse(JSON.parse(await readFile(file, 'utf8'))).results;
  const providers = [...new Set(results.map(({ provider }) => provider.id))];
  const tests = results.map(({ provider, testIdx, promptIdx, success, gradingResult }) => {
    const found = (gradingResult?.componentResults ?? []).flatMap(
      ({ pass, assertion, metadata }) => {
        const metric = metadata?.assertionSet?.metric ?? assertion?.metric;
        return metric === undefined ? [] : [[metric, pass] as const];
      },
    );
    // Its columns are prompts within providers.
    const columns = results.filter((one) => one.provider.id === provider.id);
    const prompt = promptIdx - Math.min(...columns.map((one) => one.promptIdx));
    return [
      `${providers.indexOf(provider.id)}/${prompt}/${testIdx}`,
      { pass: success, assertions: sorted(found) },
    ] as const;
  });
  return sorted(tests);
}

/** What a run says, by the order of its models and prompts. */
export async function verdictsOfRun(folder: string): Promise<Verdicts> {
  const run = await openRun(folder);
  const models: string[] = [];
  const datasets: string[] = [];
  const tests: (readonly [string, TestVerdict])[] = [];
  for await (const { model, dataset, id, checks = [], metrics } of run.rows()) {
    if (!models.includes(model)) models.push(model);
    if (!datasets.includes(dataset)) datasets.push(dataset);
    const own = checks.filter(({ name }) => / \d+$/.test(name));
    tests.push([
      `${models.indexOf(model)}/${datasets.indexOf(dataset)}/${id}`,
      {
        pass: metrics?.pass_rate === 1,
        assertions: sorted(own.map(({ name, passed }) => [name, passed] as const)),
      },
    ]);
  }
  return sorted(tests);
}

function sorted<Value>(
  entries: readonly (readonly [string, Value])[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    [...entries].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })),
  );
}
