import { shownPrompt } from '../evaluation/asked.ts';
import type { Evaluation, RowPlan } from '../evaluation/evaluation.ts';
import { RowCase } from './row-case.ts';
import type { RowCandidate, SampledRow, SampledTurn } from './row-sample.ts';
import type { RowRecord } from './store/row-record.ts';

export interface SampleSource {
  readonly evaluation: Evaluation;
  readonly readPart: (id: number, key: string) => Promise<RowRecord | undefined>;
}

/** The rows with what was asked; prompts that nobody kept are made again. */
export async function sampledRows(
  candidates: readonly RowCandidate[],
  source: SampleSource,
): Promise<SampledRow[]> {
  const unknown = candidates.filter((candidate) => !candidate.source);
  const plans = await plansOf(source.evaluation, new Set(unknown.map(({ record }) => record.id)));
  const rows: SampledRow[] = [];
  for (const { record, verdict, source: known } of candidates) {
    const turns =
      known && 'prompt' in known
        ? [{ prompt: known.prompt, answer: record.answer ?? '' }]
        : await turnsOf(known?.plan ?? plans.get(record.id), record, source);
    rows.push({ record, verdict, turns });
  }
  return rows;
}

/** The plans of some rows, in a pass of their own, as far as it gets. */
async function plansOf(evaluation: Evaluation, wanted: Set<number>): Promise<Map<number, RowPlan>> {
  const plans = new Map<number, RowPlan>();
  if (wanted.size === 0) return plans;
  try {
    for await (const batch of evaluation.rows.batches()) {
      const own = batch.filter(({ id }) => wanted.delete(Number(id)));
      if (own.length > 0) await evaluation.prepare?.(own);
      for (const row of own) plans.set(Number(row.id), await evaluation.plan(row));
      if (wanted.size === 0) break;
    }
  } catch {
    // Data or models that are gone: rows are shown without their prompts.
  }
  return plans;
}

/** What was asked, one request after the other, by the answers that were given. */
async function turnsOf(
  plan: RowPlan | undefined,
  { id, answer = '', parts = [] }: RowRecord,
  { evaluation, readPart }: SampleSource,
): Promise<SampledTurn[]> {
  const [first] = plan?.requests ?? [];
  if (!plan || !first) return [];
  if (evaluation.type === 'single') return [{ prompt: shownPrompt(first.asked), answer }];
  const turns: SampledTurn[] = [];
  const whole = new RowCase(evaluation, plan);
  for (let ready = whole.takeReady(); ready.length > 0; ready = whole.takeReady()) {
    for (const { index, planned } of ready) {
      const key = parts[index];
      const record = key === undefined ? undefined : await readPart(id, key);
      turns.push({
        prompt: shownPrompt(planned.asked),
        answer: record?.answer ?? '',
        ...(record && { record }),
      });
      if (key === undefined || !record) return turns;
      const score = { type: 'unscored', reason: '' } as const;
      const { answer: text = '', opened } = record;
      await whole.take(index, { text, opened, score, key });
    }
  }
  return turns;
}
