import { InvalidArgumentError } from 'commander';
import {
  type FailUnder,
  readMark,
  readRowLimit,
  readShare,
  rowLimitForm,
  type WrittenRowLimit,
  writeRowLimit,
} from '../config/gate.ts';

/** Reads values of options; what does not fit is refused with what would. */

export function countValue(value: string): number {
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Expected a whole number, 1 or more.');
}

export function portValue(value: string): number {
  if (/^\d+$/.test(value) && Number(value) < 65_536) return Number(value);
  throw new InvalidArgumentError('Expected a whole number from 0 to 65535.');
}

export function positiveValue(value: string): number {
  if (Number(value) > 0) return Number(value);
  throw new InvalidArgumentError('Expected a number above 0.');
}

export function amountValue(value: string): number {
  if (value.trim() !== '' && Number(value) >= 0) return Number(value);
  throw new InvalidArgumentError('Expected a number, 0 or more.');
}

export function shareValue(value: string): number {
  const share = readShare(value);
  if (share !== undefined) return share;
  throw new InvalidArgumentError('Expected a share from 0 to 1, or a percentage such as 5%.');
}

/** A share of the first metric, or a metric with its score; the option may be given for several. */
export function failUnderValue(value: string, before?: FailUnder): FailUnder {
  const place = value.lastIndexOf('=');
  if (place < 0) {
    const share = readShare(value);
    if (share !== undefined && before === undefined) return share;
  }
  const mark = readMark(value.slice(place + 1));
  if (place > 0 && mark !== undefined && typeof before !== 'number')
    return { ...before, [value.slice(0, place).trim()]: mark };
  throw new InvalidArgumentError(
    'Expected a score from 0 to 1, a percentage such as 80%, or metrics with scores, such as grade=7.',
  );
}

export function rowLimitValue(value: string): WrittenRowLimit {
  const limit = readRowLimit(value);
  if (limit) return writeRowLimit(limit);
  throw new InvalidArgumentError(`Expected ${rowLimitForm}.`);
}

/** Row numbers of an option that may be given again. */
export function collectRows(value: string, before: readonly number[] = []): readonly number[] {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('Rows are counted from 0.');
  return [...before, Number(value)];
}
