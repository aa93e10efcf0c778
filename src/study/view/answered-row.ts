import { DataError } from '../../errors.ts';
import type { Evaluation, JudgeRequest, PlannedRequest } from '../../evaluation/evaluation.ts';
import type { AnswerStep } from '../../model/model.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import { factsBefore, recordedReply } from '../../run/make-record.ts';
import { ResponseCache } from '../../run/response-cache.ts';
import { inputOf, spokenText } from '../../run/score-answer.ts';
import { RecordedAnswers } from '../../run/store/recorded-answers.ts';
import { rowFiles } from '../../run/store/run-folder.ts';
import { verdictFolder } from '../../run/verdict-memory.ts';
import { judgeRequests } from '../judge-requests.ts';

/** What a run recorded of the requests that a row makes now. */
export interface AnsweredRow {
  /**
   * The answers to its requests, in their order, each with the mark of a thought that its prompt
   * opened; fewer where it was not asked all of them.
   */
  readonly answers: readonly string[];
  /** For each answer the requests that led to it, where tools were called on the way. */
  readonly steps: readonly (readonly AnswerStep[])[];
  /** What its judges were asked, if it has any. */
  readonly judge?: readonly JudgedRequest[];
  /** Why a judge cannot be asked about one of its answers. */
  readonly unjudged?: DataError | undefined;
  /** Whether the row was asked something else, or judged otherwise, when the run was made. */
  readonly isChanged: boolean;
  /** Why it failed, asked as it is now. */
  readonly failure?: string | undefined;
}

/** What a judge is asked about one of the row's answers. */
export interface JudgedRequest extends JudgeRequest {
  readonly part?: PlannedRequest['part'];
  /** What it said; left out where the run did not ask it this. */
  readonly said?: string | undefined;
}

/** The rows of an evaluation as a run recorded them. */
export interface AnsweredRows {
  of(row: PositionedRow): Promise<AnsweredRow | undefined>;
  close(): Promise<void>;
}

export async function openAnsweredRows(
  folder: string,
  evaluation: Evaluation,
): Promise<AnsweredRows> {
  const { modelName, task } = evaluation;
  const recorded = await RecordedAnswers.open(rowFiles(folder, modelName, task.name), evaluation);
  const saidTo = keptReplies(folder);
  return {
    async of(row) {
      try {
        return await answeredRow(row, { evaluation, recorded, saidTo });
      } catch (error) {
        // A row that cannot be asked about has no answer; its prompts say why.
        if (error instanceof DataError) return undefined;
        throw error;
      }
    },
    close: () => recorded.close(),
  };
}

interface Source {
  readonly evaluation: Evaluation;
  readonly recorded: RecordedAnswers;
  readonly saidTo: (request: JudgeRequest) => Promise<string | undefined>;
}

/** What judges said in a run, by the hash of what they were asked. */
function keptReplies(folder: string): Source['saidTo'] {
  const kept = new Map<string, ReturnType<typeof ResponseCache.read>>();
  return async ({ judge, key }) => {
    const replies = kept.get(judge) ?? ResponseCache.read(verdictFolder(folder, judge));
    kept.set(judge, replies);
    const result = (await replies).get(key);
    return result && 'text' in result ? result.text : undefined;
  };
}

/** Answers are found by what was asked, as a run finds them: rows may have moved since. */
async function answeredRow(
  row: PositionedRow,
  { evaluation, recorded, saidTo }: Source,
): Promise<AnsweredRow | undefined> {
  const answers: string[] = [];
  const steps: (readonly AnswerStep[])[] = [];
  const judge: JudgedRequest[] = [];
  let unjudged: DataError | undefined;
  const thinking = evaluation.modelConfig?.thinking;
  const plan = await evaluation.plan(row);
  let requests = plan.requests;
  while (requests.length > 0) {
    for (const { key, asked, gold, row: scored, dialogue, part } of requests) {
      const record = await recorded.record(key);
      if (record?.answer === undefined) return partly();
      const reply = recordedReply(record, asked, thinking);
      answers.push((reply.opened ?? '') + spokenText(reply));
      steps.push(record.steps ?? []);
      const facts = factsBefore(asked);
      const input = inputOf({ reply, gold, row: scored, dialogue, thinking, facts });
      const verdicts = await judgeRequests(evaluation, input);
      if (verdicts instanceof DataError) unjudged ??= verdicts;
      else
        for (const request of verdicts)
          judge.push({ ...request, part, said: await saidTo(request) });
    }
    requests = evaluation.type === 'composite' ? await following() : [];
  }
  const { scorer } = evaluation;
  const { state } = recorded.stateOf(plan);
  const isCurrent = state === 'done' || (state === 'answered' && !scorer.judge);
  return { answers, steps, ...(scorer.judge && { judge, unjudged }), isChanged: !isCurrent };

  async function following() {
    return (await evaluation.plan(row, answers)).requests;
  }

  async function partly(): Promise<AnsweredRow | undefined> {
    const known = await recorded.row(Number(row.id));
    if (answers.length === 0 && !known) return undefined;
    const judged = evaluation.scorer.judge && { judge, unjudged };
    const failure = recorded.stateOf(plan).state === 'failed' ? known?.reason : undefined;
    const isChanged = known !== undefined && failure === undefined;
    return { answers, steps, ...judged, isChanged, failure };
  }
}
