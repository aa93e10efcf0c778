import { formatValue } from '../../prompt/values.ts';
import { type Verdict, verdicts } from '../../run/row-sample.ts';
import { answerOrCalls, type RowRecord } from '../../run/store/row-record.ts';
import { excerpt } from './cut-texts.ts';
import { type RowColumns, unknown } from './row-columns.ts';

const maxColumns = 40;

/** What a list says of a row in numbers. */
export interface CellFigures {
  readonly verdict: Verdict;
  readonly length: number;
  readonly ms?: number;
  readonly tokensIn?: number;
  readonly tokensOut?: number;
}

/** What a list says of a row in words. */
export interface CellTexts {
  readonly answer: string;
  readonly score?: number;
  readonly extracted?: string;
  readonly gold?: string;
  readonly reason?: string;
  readonly kind?: string;
  readonly finish?: string;
}

export function cellFigures(columns: RowColumns, slot: number): CellFigures {
  const known = (value: number | undefined, name: string) =>
    value === undefined || value === unknown || Number.isNaN(value) ? {} : { [name]: value };
  return {
    verdict: verdicts[columns.verdicts[slot] ?? 0] ?? 'failed',
    length: columns.lengths[slot] ?? 0,
    ...known(columns.ms[slot], 'ms'),
    ...known(columns.tokensIn[slot], 'tokensIn'),
    ...known(columns.tokensOut[slot], 'tokensOut'),
  };
}

export function cellTexts(record: RowRecord): CellTexts {
  const { score, extracted, gold, reason, kind, finish, label } = record;
  const shown = extracted === '' && !record.answer ? undefined : (extracted ?? label);
  return {
    answer: excerpt(answerOrCalls(record)),
    ...(score !== undefined && { score }),
    ...(shown !== undefined && { extracted: excerpt(formatValue(shown)) }),
    ...(gold !== undefined && { gold: excerpt(formatValue(gold)) }),
    ...(reason !== undefined && { reason: excerpt(reason) }),
    ...(kind !== undefined && { kind }),
    ...(finish !== undefined && { finish }),
  };
}

/** The columns of the data of a row, in short. */
export function columnTexts(row: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row)
      .slice(0, maxColumns)
      .map(([name, value]) => [name, excerpt(formatValue(value))]),
  );
}
