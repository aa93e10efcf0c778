import { requestKey } from '../../evaluation/key.ts';
import type { RowRecord } from './row-record.ts';

/** A record for tests: row `id`, scored 1. */
export function sampleRecord(id: number, change: Partial<RowRecord> = {}): RowRecord {
  return {
    id,
    key: requestKey(`question ${id}`, 'model'),
    prompt: '0123456789abcdef',
    outcome: 'scored',
    score: 1,
    answer: `${id}`,
    row: '0123456789ab',
    scoring: 'fedcba98',
    ...change,
  };
}
