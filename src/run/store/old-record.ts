import type { RowRecord } from './row-record.ts';

/** What records of earlier versions have under other names. */
export interface OldFields {
  readonly weights?: RowRecord['loglikelihoods'];
}

const oldMeasures: Readonly<Record<string, string>> = {
  ppl: 'row_ppl',
  bits_per_byte: 'row_bits_per_byte',
};

/** A record in the names of this version. */
export function withCurrentNames(record: RowRecord & OldFields): RowRecord {
  if (record.weights === undefined) return record;
  const { weights, metrics, ...rest } = record;
  return {
    ...rest,
    loglikelihoods: weights,
    ...(metrics && { metrics: record.label === undefined ? renamed(metrics) : metrics }),
  };
}

function renamed(metrics: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [oldMeasures[name] ?? name, value]),
  );
}
