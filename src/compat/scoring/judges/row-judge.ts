import type * as z from 'zod';
import type { Row } from '../../../prompt/values.ts';
import { pyStr } from '../../../python/repr.ts';
import { isList, listItems, type PyValue } from '../../../python/values.ts';
import { type ComponentType, componentType } from '../../../score/component/component.ts';
import type { ScorerMetrics } from '../../../score/scorer.ts';
import type { Entry } from '../replies/reply-reader.ts';

/** What an evaluator of OpenCompass or AISBench says of one answer. */
export interface RowJudge extends Partial<Omit<ScorerMetrics, 'metric'>> {
  readonly metric: string;
  /** From 0 to 1, also where they count to 100; nothing where the gold answer cannot be used. */
  readonly judge: (
    prediction: PyValue,
    reference: PyValue,
    row: Row,
  ) => number | boolean | Judged | undefined;
}

export interface Judged {
  readonly value: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** Averages to report for measures of all rows together. */
  readonly counts?: readonly number[];
  /** What other measures of all rows are worked out from. */
  readonly entry?: Entry;
  /** Why the answer has no score. */
  readonly skipped?: string;
}

export type JudgeType = ComponentType<RowJudge>;

/** An evaluator that compares texts and has no settings. */
export function plainJudge(
  metric: string,
  judge: (prediction: string, reference: PyValue, row: Row) => ReturnType<RowJudge['judge']>,
): JudgeType {
  return valueJudge(metric, (prediction, ...rest) => judge(pyStr(prediction), ...rest));
}

/** One that takes what a post-processor gives as it is. */
export function valueJudge(metric: string, judge: RowJudge['judge']): JudgeType {
  return componentType({ summary: '', build: (): RowJudge => ({ metric, judge }) });
}

/** One with settings. */
export function judgeWith<Shape extends z.core.$ZodLooseShape>(
  options: Shape,
  build: (options: z.output<z.ZodObject<Shape>>) => RowJudge,
): JudgeType {
  return componentType({ summary: '', options, build: (read): RowJudge => build(read) });
}

/** The texts of a reference that lists several; a text stands for a list of one. */
export function textsOf(reference: PyValue): string[] {
  return (isList(reference) ? listItems(reference) : [reference]).map((item) => pyStr(item));
}
