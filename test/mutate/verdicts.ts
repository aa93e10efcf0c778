import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** A line of the file that a judge writes while it works. */
export type Verdict =
  /** A test that passes: what it reached, and whether it is run again for changes. */
  | {
      readonly type: 'test';
      readonly test: string;
      readonly cpuMs: number;
      readonly changes: readonly number[];
      readonly judges: boolean;
    }
  /** What was reached while a file of tests was loaded or its hooks ran. */
  | { readonly type: 'outside'; readonly file: string; readonly changes: readonly number[] }
  | { readonly type: 'trying'; readonly change: number; readonly test: string }
  | { readonly type: 'missed'; readonly change: number; readonly test: string }
  | {
      readonly type: 'noticed';
      readonly change: number;
      readonly test: string;
      readonly how: string;
    }
  /** The test fails without a change as well once it has run with one; it judges no more. */
  | { readonly type: 'spoiled'; readonly change: number; readonly test: string };

export function writeVerdict(file: string, verdict: Verdict): void {
  appendFileSync(file, `${JSON.stringify(verdict)}\n`);
}

export function readVerdicts(file: string): Verdict[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** What was tried when the process ended, if it ended before its time. */
export function unfinished(verdicts: readonly Verdict[]) {
  const last = verdicts.at(-1);
  return last?.type === 'trying' ? last : undefined;
}
