import { scanJson } from '../extract/scan-json.ts';
import { splitAnswer } from '../split-answer.ts';

/** What a judge has to say: one of some values, each worth a score, or a grade on a scale. */
export type Verdict =
  | {
      readonly type: 'values';
      /** The key of the reply that holds it. */
      readonly field: string;
      /** What each value is worth, from 0 to 1. */
      readonly scores: ReadonlyMap<string, number>;
    }
  | {
      readonly type: 'grade';
      readonly field: string;
      readonly scale: readonly [lowest: number, highest: number];
    };

/** A judge's reply, understood. */
export interface ReadVerdict {
  /** From 0 to 1, or a grade on its scale. */
  readonly value: number;
  readonly written: string;
  readonly reason?: string;
}

/**
 * Reads a judge's reply: one JSON object and nothing else, fenced or not, or the bare verdict.
 * Nothing if it is anything else: a verdict is never guessed from prose, which may quote the answer.
 */
export function readVerdict(reply: string, verdict: Verdict): ReadVerdict | undefined {
  const { answer, unfinishedReasoning } = splitAnswer(reply);
  if (unfinishedReasoning) return undefined;
  const body = answer
    .trim()
    .replace(/^```[a-z]*\s/i, '')
    .replace(/```$/, '')
    .trim();
  const object = parseWhole(body);
  if (!object) return readValue(body.replaceAll(/^[\s*_"'`([]+|[\s*_"'`)\].]+$/g, ''), verdict);
  const written = object[verdict.field];
  const read = isPlain(written) ? readValue(String(written), verdict) : undefined;
  const { reason } = object;
  return read && { ...read, ...(typeof reason === 'string' && { reason }) };
}

function parseWhole(text: string): Record<string, unknown> | undefined {
  const [object] = scanJson(text).objects;
  if (object?.start !== 0 || object.end !== text.length) return undefined;
  return JSON.parse(text) as Record<string, unknown>;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function readValue(text: string, verdict: Verdict): ReadVerdict | undefined {
  const written = text.trim();
  if (verdict.type === 'values') {
    const plain = written.toLowerCase();
    const found = [...verdict.scores].find(([name]) => name.toLowerCase() === plain);
    return found && { value: found[1], written: found[0] };
  }
  const [lowest, highest] = verdict.scale;
  const grade = /^-?\d+(?:\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  if (!(grade >= lowest && grade <= highest)) return undefined;
  return { value: grade, written };
}

/** The values that a verdict may have, in words. */
export function describeVerdict(verdict: Verdict): string {
  if (verdict.type === 'grade') return `a number from ${verdict.scale.join(' to ')}`;
  return [...verdict.scores.keys()].map((name) => JSON.stringify(name)).join(' or ');
}
