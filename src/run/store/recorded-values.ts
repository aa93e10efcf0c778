import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { writeWhole } from './write-whole.ts';

/** What another harness recorded of a row that its answer and score do not tell. */
export interface RecordedValue {
  readonly id: number;
  /** What it read out of the answer. */
  readonly extracted?: string | undefined;
  /** The gold answer, where rows here have none of their own. */
  readonly gold?: string | undefined;
}

/** Where these values are kept: beside the log. */
function valuesFile(logFile: string): string {
  return `${logFile}.recorded`;
}

export async function writeRecordedValues(
  logFile: string,
  values: readonly RecordedValue[],
): Promise<void> {
  const lines = values.map((value) => `${JSON.stringify(value)}\n`);
  await writeWhole(valuesFile(logFile), lines.join(''));
}

/** The values of an evaluation by row; none where its harness recorded none. */
export async function readRecordedValues(
  logFile: string,
): Promise<ReadonlyMap<number, RecordedValue>> {
  const values = new Map<number, RecordedValue>();
  const file = valuesFile(logFile);
  if (!existsSync(file)) return values;
  for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
    try {
      const value = JSON.parse(line) as RecordedValue;
      values.set(value.id, value);
    } catch {
      return values;
    }
  }
  return values;
}
