import { join } from 'node:path';
import * as z from 'zod';
import { formatPath } from '../../errors.ts';
import type { RunSummary } from '../summary.ts';
import { badFile, readJsonFile } from './run-file.ts';

const estimate = z.looseObject({ value: z.number(), low: z.number(), high: z.number() });
const count = z.number();

/** As much of a summary as is read back. */
const summarySchema = z.looseObject({
  complete: z.boolean(),
  results: z.array(
    z.looseObject({
      model: z.string(),
      dataset: z.string(),
      metric: z.string(),
      score: estimate.optional(),
      rows: z.looseObject({
        total: count,
        scored: count,
        unscored: count,
        failed: count,
        missing: count,
      }),
    }),
  ),
  groups: z.array(
    z.looseObject({ model: z.string(), group: z.string(), datasets: z.array(z.string()) }),
  ),
});

/** Reads the summary of a run; nothing if the run did not come to its end. */
export async function readSummary(folder: string): Promise<RunSummary | undefined> {
  const file = join(folder, 'summary.json');
  const value = await readJsonFile(file);
  if (value === undefined) return undefined;
  const read = summarySchema.safeParse(value);
  if (read.success) return value as RunSummary;
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).map((key) => (typeof key === 'symbol' ? String(key) : key));
  throw badFile(file, `${formatPath(path) || 'the file'}: ${issue?.message}`, { path });
}
