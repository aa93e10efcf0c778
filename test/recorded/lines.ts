import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelError, type ModelErrorDetails } from '../../src/errors.ts';

/** What a file of this folder keeps: inputs, and what came of each when it was looked at last. */
export function readLines<Input>(name: string): { readonly input: Input; readonly is: unknown }[] {
  const lines = readFileSync(join(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter(Boolean);
  return lines.map((line) => {
    const [input, is] = JSON.parse(line);
    return { input, is };
  });
}

/** Whether files are written anew instead of compared: with TYPECASE_RECORD=1. */
export const isRecording = Boolean(process.env.TYPECASE_RECORD);

export function writeLines(name: string, lines: readonly (readonly [unknown, unknown])[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(import.meta.dirname, name), text);
}

/** As JSON keeps it, with nine digits of every number: other machines may differ in the last ones. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return String(value);
    if (Object.is(value, -0)) return '-0';
    return Number.isInteger(value) ? value : Number(value.toPrecision(9));
  }
  if (value instanceof Map) return { map: plain([...value]) };
  if (value instanceof Set) return { set: plain([...value]) };
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return Array.from(value as ArrayLike<unknown>, (item) => plain(item) ?? null);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, plain(item)]));
}

/** What is long is kept as its digest. */
export function short(value: unknown, longest = 6000): unknown {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length < longest) return value;
  return {
    digest: createHash('sha256').update(text).digest('hex').slice(0, 16),
    length: text.length,
  };
}

/** All that an error says: what is wrong, where, and what to do. */
export function refusal(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { refused: String(error) };
  const { message, code, hint, path, at } = error as Error & Record<string, unknown>;
  return { refused: message, code, hint, path, at };
}

/** A model's error, from what is said of it. */
export function plainError(details: ModelErrorDetails & { readonly code: string }): ModelError {
  return new ModelError(details.code, details.code, details);
}

export async function inFolder(step: (folder: string) => Promise<unknown>): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-recorded-'));
  try {
    return await step(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
