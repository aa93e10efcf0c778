import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/** What a file of tests called, and how long it took. */
export interface Reach {
  readonly test: string;
  readonly ms: number;
  readonly functions: readonly number[];
}

declare global {
  var typecaseReached: Uint8Array;
}

/** More than there are functions. */
globalThis.typecaseReached = new Uint8Array(2 ** 16);
let startedAt = 0;

beforeAll(() => {
  startedAt = performance.now();
});

afterAll(() => {
  const folder = process.env.TYPECASE_REACH ?? 'reach';
  const { testPath = '' } = expect.getState();
  const reach: Reach = {
    test: testPath,
    ms: Math.round(performance.now() - startedAt),
    functions: [...globalThis.typecaseReached.keys()].filter(
      (number) => globalThis.typecaseReached[number],
    ),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${hash('sha1', testPath)}.json`), JSON.stringify(reach));
});
