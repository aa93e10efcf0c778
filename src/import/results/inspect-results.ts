import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Decompress } from 'fzstd';
import { readZip } from '../../base/zip.ts';
import {
  asObject,
  type ForeignEvaluation,
  type ForeignRow,
  type Json,
  objectsIn,
  promptText,
} from './foreign-results.ts';
import { checkedNumber, numbersIn } from './inspect-numbers.ts';
import { parseJson, readBytes, readJson } from './read-json.ts';

interface InspectLog {
  readonly header: Json;
  readonly samples: readonly Json[];
}

/** Reads logs of Inspect: `.eval` files, which are archives, or JSON; or a folder of them. */
export function readInspect(path: string): readonly ForeignEvaluation[] | undefined {
  if (!existsSync(path)) return undefined;
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.eval'))
        .sort()
        .map((name) => join(path, name))
    : [path];
  const found = new Map<string, ForeignEvaluation>();
  // Names begin with the time: of several logs of a task and a model the latest counts.
  for (const file of files) {
    const log = readLog(file);
    const evaluation = log && evaluationOf(log);
    if (evaluation) found.set(JSON.stringify([evaluation.model, evaluation.dataset]), evaluation);
  }
  return found.size > 0 ? [...found.values()] : undefined;
}

/** The number of zstd among the methods of archives. */
const zstd = 93;

const zstdSlice = 2 ** 16;

/** Gives up where there is more in it than the archive says. */
function unpackZstd(packed: Buffer, length: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Decompress((part) => {
    size += part.length;
    if (size > length) throw new RangeError('it is larger than declared');
    parts.push(part.slice());
  });
  for (let from = 0; from < packed.length; from += zstdSlice)
    stream.push(packed.subarray(from, from + zstdSlice), from + zstdSlice >= packed.length);
  return Buffer.concat(parts);
}

function readLog(file: string): InspectLog | undefined {
  if (file.endsWith('.eval')) {
    const entries = readZip(readBytes(file), file, { [zstd]: unpackZstd });
    const parse = (name: string, content: Buffer) =>
      asObject(parseJson(content.toString('utf8'), `${file}: ${name}`)) ?? {};
    const header = entries.find(({ name }) => name === 'header.json');
    if (!header) return undefined;
    const samples = entries.filter(({ name }) => /^samples\/.*\.json$/.test(name));
    return {
      header: parse('header.json', header.read()),
      samples: samples.map((entry) => parse(entry.name, entry.read())),
    };
  }
  const content = file.endsWith('.json') ? asObject(readJson(file)) : undefined;
  if (!content || !asObject(content.eval) || !Array.isArray(content.samples)) return undefined;
  return { header: content, samples: objectsIn(content.samples) };
}

function evaluationOf({ header, samples }: InspectLog): ForeignEvaluation {
  const { task, model } = asObject(header.eval) ?? {};
  const [headline, ...further] = numbersIn(header);
  const named = objectsIn(asObject(header.results)?.scores)[0]?.name;
  const scorer = typeof named === 'string' ? named : undefined;
  const sorted = samples.toSorted((left, right) => compareIds(left.id, right.id));
  const groups = samplesById(sorted);
  const rows = groups.map((group, index) => rowOf(group, index, scorer));
  const strange = sorted
    .map((sample) => gradeOf(sample, scorer)?.value ?? undefined)
    .find((grade) => grade !== undefined && !isShare(scoreOf(grade)));
  const isScored = strange === undefined;
  const gradesOf = (name: string) =>
    groups.map((group) =>
      group.flatMap((sample) => scoreOf(asObject(asObject(sample.scores)?.[name])?.value) ?? []),
    );
  // Rows have the mean of their epochs.
  const isMean = headline?.reducer === 'mean';
  const others = isMean || !headline ? further : [headline, ...further];
  return {
    model: String(model ?? 'model'),
    dataset: String(task ?? 'task').replaceAll('/', '_'),
    isSpoken: true,
    rows: isScored ? rows : rows.map(withoutScores),
    // Samples that ended in an error are not counted there.
    isOfScored: true,
    others: others.flatMap((number) => checkedNumber(number, gradesOf)),
    ...(isScored
      ? isMean && {
          recorded: { metric: headline.metric, value: headline.value, scale: 1 },
        }
      : {
          unscored: `grades such as ${promptText(strange)} are not from 0 to 1, and the log does not say on what scale they are: its rows have no score here`,
        }),
  };
}

/** The epochs of each sample together. */
function samplesById(samples: readonly Json[]): readonly (readonly Json[])[] {
  const found = new Map<unknown, Json[]>();
  for (const sample of samples) found.set(sample.id, [...(found.get(sample.id) ?? []), sample]);
  return [...found.values()];
}

function withoutScores({ score: _, sampleScores, ...row }: ForeignRow): ForeignRow {
  return { ...row, ...(sampleScores && { sampleScores: sampleScores.map(() => undefined) }) };
}

function isShare(score: number | undefined): boolean {
  return score !== undefined && score >= 0 && score <= 1;
}

/** What the first scorer made of a sample. */
function gradeOf(sample: Json, scorer: string | undefined): Json | undefined {
  const scores = asObject(sample.scores) ?? {};
  return asObject(scores[scorer ?? ''] ?? Object.values(scores)[0]);
}

function compareIds(left: unknown, right: unknown): number {
  const [first, second] = [Number(left), Number(right)];
  if (Number.isFinite(first) && Number.isFinite(second)) return first - second;
  return String(left) < String(right) ? -1 : 1;
}

/** A sample, of all its epochs. */
function rowOf(epochs: readonly Json[], id: number, scorer: string | undefined): ForeignRow {
  const ordered = epochs.toSorted((left, right) => Number(left.epoch) - Number(right.epoch));
  const [sample = {}] = ordered;
  const graded = ordered.map((one) => gradeOf(one, scorer));
  const scores = graded.map((grade) => scoreOf(grade?.value));
  const known = scores.filter((score) => score !== undefined);
  const answers = ordered.map(answerOf);
  return {
    id,
    prompt: promptText(sample.input),
    answer: answers[0] ?? '',
    extracted: graded.length === 1 ? graded[0]?.answer : undefined,
    gold: onlyOne(sample.target),
    score:
      known.length > 0 ? known.reduce((sum, score) => sum + score, 0) / known.length : undefined,
    ...(ordered.length > 1 && { samples: answers, sampleScores: scores }),
  };
}

/** Targets may be lists, of one as of several. */
function onlyOne(target: unknown): unknown {
  return Array.isArray(target) && target.length === 1 ? target[0] : target;
}

function answerOf({ output: given }: Json): string {
  const output = asObject(given);
  const [choice] = objectsIn(output?.choices);
  return promptText(output?.completion ?? asObject(choice?.message)?.content);
}

const grades = new Map(Object.entries({ C: 1, I: 0, P: 0.5, N: 0 }));

/** Grades are letters, numbers or truth values. */
function scoreOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? grades.get(value) : undefined;
}
