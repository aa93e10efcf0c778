import { isSlowPattern } from '../../base/heavy-work.ts';
import type { JudgeReply } from '../scorer.ts';
import { splitAnswer } from '../split-thought.ts';
import { readMapping } from './read-mapping.ts';
import { findVerdict, type VerdictPattern } from './verdict-pattern.ts';

/** What a judge has to say: one of some values, each worth a score, or a grade on a scale. */
export type Verdict = ValuesVerdict | GradeVerdict;

interface WrittenVerdict {
  /** The key of the reply that holds it. */
  readonly field: string;
  /** Where in the reply it is written; left out, it is all of the reply. */
  readonly pattern?: VerdictPattern | undefined;
}

export interface ValuesVerdict extends WrittenVerdict {
  readonly type: 'values';
  /** What each value is worth, from 0 to 1. */
  readonly scores: ReadonlyMap<string, number>;
  /** The key of the reply that says how well, from 0 to 1; a wrong answer is worth 0 whatever it says. */
  readonly scoreField?: string | undefined;
}

export interface GradeVerdict extends WrittenVerdict {
  readonly type: 'grade';
  readonly scale: Scale;
  /** Further grades on the same scale: keys of the reply, or with a pattern what it finds. */
  readonly dimensions?: readonly Dimension[] | undefined;
}

type Scale = readonly [lowest: number, highest: number];

export interface Dimension {
  readonly name: string;
  readonly pattern?: VerdictPattern | undefined;
}

/** A judge's reply, understood. */
export interface ReadVerdict {
  /** From 0 to 1, or a grade on its scale. */
  readonly value: number;
  readonly written: string;
  /** Whether the answer will do, where its value does not say so. */
  readonly isRight?: boolean;
  readonly reason?: string;
  readonly dimensions?: Readonly<Record<string, number>>;
}

/** Why a reply is no verdict. */
export interface UnreadVerdict {
  readonly problem: string;
}

/**
 * Reads a judge's reply: one mapping and nothing else, fenced or not, or the bare verdict; with a
 * pattern, what the pattern finds. A verdict is never guessed from prose, which may quote the answer.
 */
export function readVerdict(
  { text, parts = splitAnswer(text), begun = '', isCut = false }: Omit<JudgeReply, 'asked'>,
  verdict: Verdict,
): ReadVerdict | UnreadVerdict {
  const { answer, unfinishedReasoning } = parts;
  if (unfinishedReasoning) return { problem: 'unfinished thinking' };
  try {
    return readSaid({ answer, begun, isCut }, verdict);
  } catch (error) {
    if (isSlowPattern(error)) return { problem: error.message };
    throw error;
  }
}

export function isRead(read: ReadVerdict | UnreadVerdict): read is ReadVerdict {
  return 'value' in read;
}

/** Why the row has no score, for people. */
export function unreadableReason({ problem }: UnreadVerdict): string {
  if (problem === cutOff) return cutOff;
  return problem === '' ? 'unreadable verdict' : `unreadable verdict: ${problem}`;
}

const cutOff = 'verdict cut off at the length limit';

interface Said {
  readonly answer: string;
  readonly begun: string;
  readonly isCut: boolean;
}

function readSaid(said: Said, verdict: Verdict): ReadVerdict | UnreadVerdict {
  const found = findIn(said, verdict.pattern);
  if ('problem' in found) return found;
  const mapping = readMapping(found.text);
  if (mapping && 'problem' in mapping) return mapping;
  if (!mapping && found.isOpen) return { problem: cutOff };
  const read = mapping
    ? readField(mapping, verdict)
    : readValue(found.text.replaceAll(/^[\s*_"'`([]+|[\s*_"'`)\].]+$/g, ''), verdict);
  if (!isRead(read)) return read;
  const dimensions = readDimensions({ ...said, mapping }, verdict);
  if ('problem' in dimensions) return dimensions;
  const reason = mapping?.get('reason');
  return {
    ...read,
    ...gradedBy(read, verdict, mapping),
    ...(typeof reason === 'string' && { reason }),
    ...dimensions,
  };
}

/** Of a reply that was cut off, only a mapping and what more text could not change are whole. */
function findIn(
  { answer, begun, isCut }: Said,
  pattern: VerdictPattern | undefined,
): { readonly text: string; readonly isOpen: boolean } | UnreadVerdict {
  if (!pattern) return { text: withoutFence(answer), isOpen: isCut };
  const found = findVerdict(begun + answer, pattern);
  if ('problem' in found) return isCut && found.problem === '' ? { problem: cutOff } : found;
  return { text: found.text, isOpen: isCut && found.mayGoOn };
}

function withoutFence(answer: string): string {
  return answer
    .trim()
    .replace(/^```[a-z]*\s/i, '')
    .replace(/```$/, '')
    .trim();
}

type Mapping = ReadonlyMap<string, unknown>;

/** How well a right answer is right, where the reply says so. */
function gradedBy(
  { value }: ReadVerdict,
  verdict: Verdict,
  mapping: Mapping | undefined,
): Pick<ReadVerdict, 'value' | 'isRight'> | undefined {
  const field = verdict.type === 'values' ? verdict.scoreField : undefined;
  const score = field === undefined ? undefined : mapping?.get(field);
  if (typeof score !== 'number' || value !== 1) return undefined;
  return { value: Math.min(1, Math.max(0, score)), isRight: true };
}

function readField(mapping: Mapping, verdict: Verdict): ReadVerdict | UnreadVerdict {
  const written = mapping.get(verdict.field);
  return isPlain(written) ? readValue(String(written), verdict) : { problem: '' };
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function readValue(text: string, verdict: Verdict): ReadVerdict | UnreadVerdict {
  const written = text.trim();
  if (verdict.type === 'grade') return readGrade(written, verdict.scale);
  const plain = written.toLowerCase();
  const found = [...verdict.scores].find(([name]) => name.toLowerCase() === plain);
  return found ? { value: found[1], written: found[0] } : { problem: '' };
}

function readGrade(written: string, [lowest, highest]: Scale): ReadVerdict | UnreadVerdict {
  if (!/^-?\d+(?:\.\d+)?$/.test(written)) return { problem: '' };
  const value = Number(written);
  if (value >= lowest && value <= highest) return { value, written };
  return { problem: `a grade that is not from ${lowest} to ${highest}` };
}

interface Dimensioned extends Said {
  readonly mapping: Mapping | undefined;
}

function readDimensions(
  { mapping, ...said }: Dimensioned,
  verdict: Verdict,
): Pick<ReadVerdict, 'dimensions'> | UnreadVerdict {
  if (verdict.type !== 'grade' || !verdict.dimensions) return {};
  const dimensions: Record<string, number> = {};
  for (const { name, pattern } of verdict.dimensions) {
    const found = pattern
      ? findIn(said, pattern)
      : { text: String(mapping?.get(name) ?? ''), isOpen: false };
    const isCutOff = 'problem' in found ? found.problem === cutOff : found.isOpen;
    if (isCutOff) return { problem: cutOff };
    const read = 'problem' in found ? found : readGrade(found.text.trim(), verdict.scale);
    if (!isRead(read)) return { problem: `${name}${read.problem && `, ${read.problem}`}` };
    dimensions[name] = read.value;
  }
  return { dimensions };
}

/** The values that a verdict may have, in words. */
export function describeVerdict(verdict: Verdict): string {
  if (verdict.type === 'grade') return `a number from ${verdict.scale.join(' to ')}`;
  return [...verdict.scores.keys()].map((name) => JSON.stringify(name)).join(' or ');
}
