import type { RowRecord } from './row-record.ts';

/** What records of earlier versions have under other names, or in another form. */
export interface OldFields {
  readonly weights?: RowRecord['loglikelihoods'];
  /** With nothing in place of a part that failed before others were answered. */
  readonly parts?: readonly (string | null)[] | undefined;
}

const oldMeasures: Readonly<Record<string, string>> = {
  ppl: 'row_ppl',
  bits_per_byte: 'row_bits_per_byte',
};

/** A record as this version writes it. */
export function toCurrentRecord(record: Omit<RowRecord, 'parts'> & OldFields): RowRecord {
  const { weights, parts, metrics, ...rest } = record;
  const hasHoles = parts?.includes(null);
  if (weights === undefined && !hasHoles) return record as RowRecord;
  const isRenamed = weights !== undefined && record.label === undefined;
  return {
    ...rest,
    ...(weights && { loglikelihoods: weights }),
    ...(metrics && { metrics: isRenamed ? renamed(metrics) : metrics }),
    ...(parts && { parts: parts.filter((part) => part !== null) }),
  };
}

function renamed(metrics: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [oldMeasures[name] ?? name, value]),
  );
}
