import { existsSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { displayPath } from '../../base/display-path.ts';
import { DataError } from '../../errors.ts';
import {
  asObject,
  type ForeignEvaluation,
  type ForeignRow,
  type Json,
  type MeasuredText,
  type OtherNumber,
  objectsIn,
  promptText,
  type RecordedNumber,
} from './foreign-results.ts';
import { readJson, readLines } from './read-json.ts';

/** Reads `predictions` and `results` of OpenCompass or AISBench, below a folder or a time in it. */
export function readOpenCompass(folder: string): readonly ForeignEvaluation[] | undefined {
  const root = findRoot(folder);
  if (root === undefined) return undefined;
  const predictions = join(root, 'predictions');
  return modelsIn(predictions).flatMap((model) =>
    datasetsIn(join(predictions, model), join(root, 'results', model)).map(({ dataset, files }) => {
      const entries = files.flatMap(entriesOf);
      const result = asObject(readIfThere(join(root, 'results', model, `${dataset}.json`)));
      const details = entries.map((_, id) => detailOf(result, id));
      const rows = entries.map((entry, id) => rowOf(entry, id, details[id]));
      const recorded = result && recordedIn(result, rows);
      return {
        model,
        dataset,
        isSpoken: entries.some(({ origin_prompt: prompt }) => Array.isArray(prompt)),
        rows,
        recorded,
        others: result && othersIn(result, { details, except: recorded?.metric }),
      };
    }),
  );
}

const isPrediction = (name: string) => /\.jsonl?$/.test(name);

/** Folders that hold predictions: a slash in the name of a model makes a folder in a folder. */
function modelsIn(folder: string, name = ''): string[] {
  const entries = readdirSync(join(folder, name), { withFileTypes: true });
  if (entries.some((entry) => !entry.isDirectory() && isPrediction(entry.name))) return [name];
  return entries
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => modelsIn(folder, name === '' ? entry.name : `${name}/${entry.name}`));
}

/** The folder itself, or the latest of the times in it. */
function findRoot(folder: string): string | undefined {
  if (isFolder(join(folder, 'predictions'))) return folder;
  const times = isFolder(folder) ? readdirSync(folder).sort() : [];
  const found = times.filter((name) => isFolder(join(folder, name, 'predictions')));
  const last = found.at(-1);
  return last === undefined ? undefined : join(folder, last);
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/**
 * Predictions of a dataset may stand in several files, `name_0.json` and so on. A slash in its name makes a folder;
 * files that begin with `tmp_` are left of answers that were not finished.
 */
function datasetsIn(
  folder: string,
  results: string,
): { readonly dataset: string; readonly files: string[] }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => isPrediction(name) && !/(?:^|\/)tmp_[^/]*$/.test(name))
    .sort();
  const groups = new Map<string, { index: number; file: string }[]>();
  const stemOf = (file: string) => file.slice(0, -extname(file).length);
  const stems = new Set(files.map(stemOf));
  for (const file of files) {
    const stem = stemOf(file);
    const [, base = stem, index = '0'] = /^(.*)_(\d+)$/.exec(stem) ?? [];
    const hasOwn = existsSync(join(results, `${stem}.json`));
    const isPart = base !== stem && stems.has(`${base}_0`) && !stems.has(base) && !hasOwn;
    const name = isPart ? base : stem;
    const list = groups.get(name) ?? [];
    list.push({ index: isPart ? Number(index) : 0, file: join(folder, file) });
    groups.set(name, list);
  }
  return [...groups].map(([dataset, parts]) => {
    const sorted = parts.sort((left, right) => left.index - right.index);
    const missing = sorted.findIndex(({ index }, place) => index !== place);
    if (missing >= 0) throw missingPart(join(folder, `${dataset}_${missing}.json`));
    return { dataset, files: sorted.map(({ file }) => file) };
  });
}

function missingPart(file: string): DataError {
  return new DataError(
    'results.bad_file',
    `${displayPath(file)} is missing, although later parts exist`,
    {
      hint: 'Let the harness finish, or remove the later parts.',
    },
  );
}

function entriesOf(file: string): readonly Json[] {
  if (file.endsWith('.jsonl')) return inOrder(objectsIn(readLines(file)));
  const content = asObject(readJson(file)) ?? {};
  return Object.keys(content)
    .sort((left, right) => Number(left) - Number(right))
    .map((key) => asObject(content[key]) ?? {});
}

/** Lines may be written as answers come: their numbers say where they belong. */
function inOrder(entries: readonly Json[]): readonly Json[] {
  const isNumbered = entries.every(({ id }) => typeof id === 'number');
  return isNumbered ? entries.toSorted((a, b) => Number(a.id) - Number(b.id)) : entries;
}

function readIfThere(file: string): unknown {
  return existsSync(file) ? readJson(file) : undefined;
}

function detailOf(result: Json | undefined, id: number): Json | undefined {
  const { details } = result ?? {};
  return Array.isArray(details) ? asObject(details[id]) : asObject(asObject(details)?.[String(id)]);
}

function rowOf(entry: Json, id: number, detail: Json | undefined): ForeignRow {
  const measured = labelsIn(entry);
  const { prediction, gold, origin_prompt } = entry;
  const correct = detail?.correct ?? detail?.is_correct;
  return {
    id,
    prompt: measured[0]?.text ?? promptText(origin_prompt),
    answer: promptText(Array.isArray(prediction) ? prediction[0] : prediction),
    extracted: detail?.pred ?? detail?.predictions,
    gold: gold ?? detail?.references ?? detail?.answer,
    ...(measured.length > 0 && { measured }),
    ...((typeof correct === 'boolean' || typeof correct === 'number') && {
      score: Number(correct),
    }),
  };
}

/** Of `ppl`: the text of each label with its mean loss. */
function labelsIn(entry: Json): readonly MeasuredText[] {
  return Object.entries(entry).flatMap(([key, value]) => {
    const label = /^label: ([\s\S]*)$/.exec(key)?.[1];
    const { prompt, PPL, 'testing input': input } = asObject(value) ?? {};
    if (label === undefined || typeof PPL !== 'number') return [];
    return [{ label, text: promptText(prompt ?? input), value: -PPL }];
  });
}

const usual = ['accuracy', 'score', 'exact_match', 'pass@1', 'bleu', 'rouge1'];

function recordedIn(result: Json, rows: readonly ForeignRow[]): RecordedNumber | undefined {
  const names = [...usual, ...Object.keys(result)];
  const metric = names.find((name) => typeof result[name] === 'number');
  if (metric === undefined) return undefined;
  const value = Number(result[metric]);
  const scores = rows.flatMap(({ score }) => score ?? []);
  return { metric, value, scale: scores.length === rows.length ? scaleOf(value, scores) : 100 };
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

/** Most evaluators give percentages, and some give shares. */
function scaleOf(value: number, scores: readonly number[]): 1 | 100 {
  return Math.abs(meanOf(scores) - value) < 1e-4 ? 1 : 100;
}

/** The numbers of which every detail says what the row has, under the same name or as IFEval calls it. */
function othersIn(
  result: Json,
  { details, except }: { details: readonly (Json | undefined)[]; except: string | undefined },
): readonly OtherNumber[] {
  return Object.entries(result).flatMap(([metric, value]) => {
    if (typeof value !== 'number' || metric === except) return [];
    const level = /^Prompt-level-(strict|loose)-accuracy$/.exec(metric)?.[1];
    const key = level === undefined ? metric : `is_${level}_correct`;
    const values = details.map((detail) => detail?.[key]);
    const isKnown = values.every((one) => typeof one === 'number' || typeof one === 'boolean');
    if (!isKnown || values.length === 0) return [];
    const scores = values.map(Number);
    const scale = scaleOf(value, scores);
    return [{ metric, names: [], value, scale, here: meanOf(scores) * scale }];
  });
}
