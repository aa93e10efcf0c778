import { TypecaseError } from '../../../errors.ts';
import { formatValue } from '../../../prompt/values.ts';
import type { RowRecord } from '../../../run/store/row-record.ts';
import { datasetOf, thinkingOf } from '../../../run/store/run-file-parts.ts';
import { recordedJudges, runsPrograms } from '../../recorded-evaluators.ts';
import { type Rescoring, rescoreRecord } from '../../rescore/rescore-record.ts';
import { loggedScoring } from '../../rescore/scored-evaluations.ts';
import type { LoggedTask } from '../load-flips.ts';
import type { RowPair } from '../pair-rows.ts';
import type { OtherScore, OtherScoring } from './explain.ts';
import type { RowTexts, SideTexts } from './row-texts.ts';

/** A side with its texts. */
export interface ReadTask {
  readonly task: LoggedTask;
  readonly texts: SideTexts;
}

interface Sides {
  readonly a: ReadTask;
  readonly b: ReadTask;
}

/** Answers scored as the other side scores, and by what. */
export interface ScoredOtherwise {
  readonly other: OtherScoring;
  readonly evaluator: string;
}

/**
 * Scores the answers of A as B scores them, or those of B as A does: what scoring changes in rows whose
 * answers differ as well. An evaluator counts only if it gives every row of its own side the score that
 * is recorded there.
 */
export async function scoreOtherwise(
  pairs: readonly RowPair[],
  sides: Sides,
): Promise<ScoredOtherwise | undefined> {
  const evaluators = { a: scoringOf(sides.a), b: scoringOf(sides.b) };
  const [ofA, ofB] = [JSON.stringify(evaluators.a), JSON.stringify(evaluators.b)];
  if (ofA === ofB) return undefined;
  const ways = [
    ['b', 'a'],
    ['a', 'b'],
  ] as const;
  // Which side comes first must not decide.
  for (const [by, of] of ofA < ofB ? ways : ways.toReversed()) {
    const scores = await scoreAs(pairs, { sides, by, of });
    if (scores) return { other: { of, scores }, evaluator: evaluators[by].type };
  }
  return undefined;
}

function scoringOf({ task: { run, task } }: ReadTask) {
  const { evalCfg } = datasetOf(run.file, task.dataset) ?? {};
  return { type: evalCfg?.evaluator?.type ?? 'task', evalCfg };
}

interface Scene {
  readonly sides: Sides;
  readonly by: 'a' | 'b';
  readonly of: 'a' | 'b';
}

async function scoreAs(
  pairs: readonly RowPair[],
  { sides, by, of }: Scene,
): Promise<ReadonlyMap<number, OtherScore> | undefined> {
  const rescoring = await openScoring(sides[by].task);
  if (!rescoring) return undefined;
  const scores = new Map<number, OtherScore>();
  for (const pair of pairs) {
    const own = sides[by].texts.rows.get(pair[by]);
    const theirs = sides[of].texts.rows.get(pair[of]);
    if (!own || !theirs || !isPlain(own) || !isPlain(theirs)) continue;
    const { gold } = own.record;
    const again = await scored(own.record, { gold, rescoring });
    if (again?.score !== own.record.score) return undefined;
    const otherwise = await scored({ ...theirs.record, gold }, { gold, rescoring });
    if (otherwise) scores.set(pair.a, otherwise);
  }
  return scores;
}

function isPlain({ record: { parts, answer, outcome } }: RowTexts): boolean {
  return outcome === 'scored' && parts === undefined && answer !== undefined;
}

async function scored(
  record: RowRecord,
  { gold, rescoring }: { readonly gold: unknown; readonly rescoring: Rescoring },
): Promise<OtherScore | undefined> {
  const made = await rescoreRecord(record, { gold }, rescoring);
  if (made?.outcome !== 'scored') return { score: 0, extracted: '' };
  const { score = 0, extracted } = made;
  return { score, ...(extracted !== undefined && { extracted: formatValue(extracted) }) };
}

/** What scores by the log alone, without asking anybody; nothing where it takes more. */
async function openScoring({ run, task }: LoggedTask): Promise<Rescoring | undefined> {
  const { file } = run;
  const recorded = datasetOf(file, task.dataset);
  const { evalCfg, inferCfg } = recorded ?? {};
  if (!recorded || !evalCfg?.evaluator || recordedJudges(file, recorded).length > 0)
    return undefined;
  if (runsPrograms(recorded)) return undefined;
  const compat = file.models.find(({ name }) => name === task.model)?.compat;
  const verdicts = { of: () => Promise.reject(new TypeError('nobody is asked')) as never };
  try {
    const { scorer } = await loggedScoring(task, {
      scoring: { evalCfg, inferencer: inferCfg?.inferencer?.type, compat },
      verdicts,
    });
    const parts = { read: async () => undefined, write: () => undefined };
    return { scorer, scoringOf: () => undefined, thinking: thinkingOf(file, task.model), parts };
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    return undefined;
  }
}
