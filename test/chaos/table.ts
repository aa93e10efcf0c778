import { afterAll } from 'vitest';

/** The seed of all chance in these tests; another one by `TYPECASE_SEED`. */
export const seed = Number(process.env.TYPECASE_SEED ?? 7);

const lines: Record<string, Readonly<Record<string, string | number>>> = {};

/** Takes a line into the table that is printed when the file is through. */
export function report(what: string, cells: Readonly<Record<string, string | number>>): void {
  lines[what] = cells;
}

afterAll(() => {
  console.log(`seed ${seed}`);
  console.table(lines);
});
