import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import {
  asObject,
  type ForeignEvaluation,
  type Json,
  type OtherNumber,
  objectsIn,
  promptText,
  type RecordedNumber,
} from './foreign-results.ts';
import { readJson } from './read-json.ts';

/** Reads what `promptfoo eval --output results.json` wrote: an evaluation for each provider and prompt. */
export function readPromptfoo(path: string): readonly ForeignEvaluation[] | undefined {
  if (!existsSync(path) || !statSync(path).isFile() || !path.endsWith('.json')) return undefined;
  const content = asObject(readJson(path));
  const results = asObject(content?.results) ?? content;
  const rows = objectsIn(results?.results);
  if (rows.length === 0 || !rows.every((row) => 'success' in row || 'gradingResult' in row))
    return undefined;
  const groups = new Map<string, Json[]>();
  const prompts = new Map<string, number>();
  for (const row of rows) {
    const name = promptName(row);
    if (!prompts.has(name)) prompts.set(name, prompts.size);
    const key = JSON.stringify([providerOf(row), prompts.get(name)]);
    const group = groups.get(key) ?? [];
    group.push(row);
    groups.set(key, group);
  }
  const name = basename(path, '.json');
  const columns = objectsIn(results?.prompts);
  const names = new Map<number, string>();
  const taken = new Set<string>();
  return [...groups].map(([key, own]) => {
    const [model, prompt] = JSON.parse(key) as [string, number];
    if (!names.has(prompt)) {
      const plain = labelOf(columns, own) ?? `prompt-${prompt + 1}`;
      const named = taken.has(plain) ? `${plain}-${prompt + 1}` : plain;
      names.set(prompt, named);
      taken.add(named);
    }
    return {
      model,
      dataset: (prompts.size > 1 && names.get(prompt)) || name,
      isSpoken: true,
      rows: own.map((row, index) => ({
        id: Number(row.testIdx ?? index),
        prompt: promptText(asObject(row.prompt)?.raw),
        answer: promptText(asObject(row.response)?.output),
        gold: undefined,
        score: Number(row.success === true),
        columns: asObject(row.vars),
      })),
      recorded: recordedIn(columns, own),
      others: namedIn(columns, own),
    };
  });
}

/** What its own counts come to; those of the rows where it has none, as older versions. */
function recordedIn(prompts: readonly Json[], rows: readonly Json[]): RecordedNumber {
  const counts = asObject(prompts[Number(rows[0]?.promptIdx)]?.metrics) ?? {};
  const [passed, failed, broken] = ['testPassCount', 'testFailCount', 'testErrorCount'].map((key) =>
    Number(counts[key] ?? 0),
  ) as [number, number, number];
  const all = passed + failed + broken;
  const here = rows.filter((row) => row.success === true).length / rows.length;
  return { metric: 'pass', value: all > 0 ? passed / all : here, scale: 1 };
}

/** The numbers of metrics that assertions name, with what the tests say of them; those that are derived have none. */
function namedIn(prompts: readonly Json[], rows: readonly Json[]): readonly OtherNumber[] {
  const { namedScores, namedScoresCount, namedScoreWeights } =
    asObject(asObject(prompts[Number(rows[0]?.promptIdx)])?.metrics) ?? {};
  return Object.entries(asObject(namedScores) ?? {}).flatMap(([metric, sum]) => {
    const all = asObject(namedScoreWeights)?.[metric] ?? asObject(namedScoresCount)?.[metric];
    const parts = rows.flatMap((row) => namedPart(row, metric) ?? []);
    const weight = parts.reduce((total, one) => total + one.weight, 0);
    if (!(Number(all) > 0) || weight === 0) return [];
    const here = parts.reduce((total, one) => total + one.sum, 0) / weight;
    return [{ metric, names: [], value: Number(sum) / Number(all), scale: 1, here }];
  });
}

/** What a test adds to a metric; older versions do not say with which weight. */
function namedPart(
  { namedScores, gradingResult }: Json,
  metric: string,
): { readonly sum: number; readonly weight: number } | undefined {
  const score = asObject(namedScores)?.[metric];
  if (typeof score !== 'number') return undefined;
  const { namedScoreWeights, componentResults } = asObject(gradingResult) ?? {};
  const weight = asObject(namedScoreWeights)?.[metric];
  if (typeof weight === 'number') return { sum: score * weight, weight };
  const count = objectsIn(componentResults).filter(
    ({ assertion }) => asObject(assertion)?.metric === metric,
  ).length;
  return { sum: score, weight: Math.max(1, count) };
}

/** What tells prompts apart; their places count those of each provider anew. */
function promptName({ promptId, prompt, promptIdx }: Json): string {
  return String(promptId ?? asObject(prompt)?.label ?? promptIdx ?? 0);
}

/** The label that a prompt was given: without one it is the prompt itself, after its file. */
function labelOf(columns: readonly Json[], [first]: readonly Json[]): string | undefined {
  const { label, raw } = asObject(columns[Number(first?.promptIdx)]) ?? {};
  const isGiven = typeof label === 'string' && typeof raw === 'string' && !label.endsWith(raw);
  return isGiven && label !== '' ? label : undefined;
}

function providerOf({ provider }: Json): string {
  if (typeof provider === 'string') return provider;
  const { label, id } = asObject(provider) ?? {};
  return String(label || id || 'provider');
}
