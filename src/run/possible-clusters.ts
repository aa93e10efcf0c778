import { formatValue, type Row } from '../prompt/values.ts';
import type { PossibleClusterCount } from './summary.ts';

/** Texts that are shorter may be the same by chance. */
const shortestText = 200;
/** How many characters decide whether a text is followed. */
const sampledCharacters = 32;
/** A text is told from others by so many characters at its beginning, and as many of the rest. */
const comparedCharacters = 1024;
/** Names of columns that say which document, dialogue or person a row belongs to. */
const groupNames =
  /^(?:doc|document|passage|context|article|paragraph|page|book|story|text|conversation|conv|dialog|dialogue|session|thread|chat|user|author|speaker|customer|patient|student|image|img|video|audio|repo|group|cluster)[_-]?(?:id|ids|idx|index|key|uuid|no|num|number)$/i;
/** Fewer groups may be chance, or kinds of tasks. */
const fewestGroups = 3;
/** Of fewer rows an interval says little as it is. */
const fewestCopied = 10;
/** The share of rows that must be in groups. */
const leastShare = 0.2;

/**
 * Looks for a column by which rows come in groups: one that repeats long texts, or the id of a
 * document and the like. Rows are seen as they stream by, in memory that does not grow.
 */
export class PossibleClusters {
  readonly #ignored: string | undefined;
  readonly #columns = new Map<string, RepeatedValues>();
  readonly #prompts = new RepeatedValues();
  readonly #isNamed = new Map<string, boolean>();
  #rows = 0;

  /** The gold answer may repeat as it likes. */
  constructor(outputColumn: string | undefined) {
    this.#ignored = outputColumn;
  }

  /** `prompt` tells what a row is asked from what others are; none tells nothing. */
  see(row: Row, prompt: string): void {
    this.#rows += 1;
    if (prompt !== '') this.#prompts.add(prompt);
    for (const column of Object.keys(row)) {
      if (column === this.#ignored) continue;
      const value = row[column];
      if (typeof value === 'string' && value.length >= shortestText) this.#add(column, value);
      else if (this.#namesGroup(column) && value !== null && value !== '') {
        this.#add(column, typeof value === 'string' ? value : formatValue(value));
      }
    }
  }

  /** The column with the fewest groups, if rows plainly come in such; or that they are asked the same. */
  get found(): PossibleClusterCount | undefined {
    return this.#column ?? (this.#prompts.areCopies ? { count: this.#prompts.count } : undefined);
  }

  get #column(): PossibleClusterCount | undefined {
    return [...this.#columns]
      .filter(([, values]) => values.rows * 2 > this.#rows && values.areGroups)
      .map(([by, { count }]) => ({ by, count }))
      .toSorted((one, other) => one.count - other.count || (one.by < other.by ? -1 : 1))[0];
  }

  #namesGroup(column: string): boolean {
    const known = this.#isNamed.get(column) ?? groupNames.test(column);
    this.#isNamed.set(column, known);
    return known;
  }

  #add(column: string, value: string): void {
    const values = this.#columns.get(column) ?? new RepeatedValues();
    this.#columns.set(column, values);
    values.add(value);
  }
}

const maxValues = 2048;
/** With more different values than this many times as many, nothing is said. */
const maxMask = 2 ** 20 - 1;

interface FollowedValue {
  /** What decides whether the value is followed. */
  readonly sample: number;
  times: number;
}

/**
 * How often values occur. Past a number of different ones it follows a part of them, chosen by a few
 * of their characters: those are counted from their first occurrence on, whatever the order of rows.
 */
class RepeatedValues {
  readonly #followed = new Map<number, FollowedValue>();
  #mask = 0;
  rows = 0;

  add(value: string): void {
    this.rows += 1;
    const sample = hashOf(value, 0, sampledCharacters);
    if ((sample & this.#mask) !== 0) return;
    const isShort = value.length <= sampledCharacters;
    const hash = isShort ? sample : hashOf(value, comparedCharacters, comparedCharacters);
    const known = this.#followed.get(hash);
    if (known) known.times += 1;
    else this.#follow(hash, { sample, times: 1 });
  }

  #follow(hash: number, value: FollowedValue): void {
    this.#followed.set(hash, value);
    while (this.#followed.size > maxValues) {
      this.#mask = this.#mask * 2 + 1;
      const isLast = this.#mask >= maxMask;
      for (const [known, { sample }] of this.#followed) {
        if (isLast || (sample & this.#mask) !== 0) this.#followed.delete(known);
      }
    }
  }

  /** How many different values there are, about. */
  get count(): number {
    return this.#followed.size * (this.#mask + 1);
  }

  /** Whether many rows share their value with others. */
  get areCopies(): boolean {
    const times = Array.from(this.#followed.values(), (value) => value.times);
    const rows = sumOf(times);
    return rows >= fewestCopied && sumOf(times.filter((count) => count > 1)) >= leastShare * rows;
  }

  /** Whether many rows share their value with others, and no value is that of most rows. */
  get areGroups(): boolean {
    const times = Array.from(this.#followed.values(), (value) => value.times);
    const repeated = times.filter((count) => count > 1);
    const seen = sumOf(times);
    return (
      repeated.length >= fewestGroups &&
      sumOf(repeated) >= leastShare * seen &&
      Math.max(...times) * 2 <= this.rows
    );
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/**
 * FNV-1a over the first code units of a text and some of the rest, evenly spread; mixed so that its
 * low bits can be sampled by.
 */
function hashOf(text: string, first: number, spread: number): number {
  const { length } = text;
  const start = Math.min(first, length);
  const stride = Math.max(1, Math.ceil((length - start) / spread));
  let hash = 0x811c9dc5 ^ length;
  for (let index = 0; index < start; index++) hash = addUnit(hash, text.charCodeAt(index));
  for (let index = start; index < length; index += stride) {
    hash = addUnit(hash, text.charCodeAt(index));
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function addUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}
