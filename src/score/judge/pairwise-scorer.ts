import { JudgeError } from '../../errors.ts';
import { hideTags } from '../../prompt/parts/hidden-tags.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { judgeFailed, scoredWithLast, unscored } from '../row-score.ts';
import type { JudgeReply, RowScore, SaidMessage, Scored, ScoreInput, Scorer } from '../scorer.ts';
import { choosePrompt, type PromptChoice } from './choose-prompt.ts';
import { pairPrompt } from './default-prompts.ts';
import { compileJudgePrompt, type JudgePrompt } from './judge-prompt.ts';
import {
  askAbout,
  columnsOf,
  isAsked,
  isLeftToLast,
  type JudgeColumns,
  type JudgeSettings,
  judgeColumns,
  judgedMedia,
  measuresOf,
  noPrompt,
  ofWhole,
  ownPromptPath,
  promptCases,
  promptOf,
  scoredLater,
  shownColumns,
  verdictsOf,
  withWhole,
} from './judge-scorer.ts';
import { conversationValues, type JudgeValues, questionOf } from './judge-values.ts';
import {
  isRead,
  type ReadVerdict,
  readVerdict,
  unreadableReason,
  type ValuesVerdict,
} from './read-verdict.ts';
import { refuseUneven } from './uneven-columns.ts';
import type { VerdictPattern } from './verdict-pattern.ts';

export interface PairwiseSettings extends JudgeSettings {
  /** The column of the answer that it is held against. */
  readonly against: string;
  /** How the judge names the first answer, the second, and neither; 1, 2 and tie by default. */
  readonly names?: PairNames | undefined;
  /** Where in the reply the name is written; left out, it is all of the reply. */
  readonly pattern?: VerdictPattern | undefined;
  /** What becomes of a row whose two verdicts differ; a tie by default. */
  readonly disagreement?: 'tie' | 'unscored' | undefined;
}

/** One name, or several that mean the same. */
type Names = string | readonly string[];

export type PairNames = readonly [first: Names, second: Names, tie: Names];

/**
 * Lets a model choose between the answer and another one, in both orders; its prompt may use
 * `{first}` and `{second}`. A row scores 1 if the answer wins both times, 0 if it loses both times.
 *
 * @example
 * // a judge that takes whichever answer comes first
 * const ask = async () => ({ text: '{"verdict": "1"}' });
 * const scorer = createPairwiseScorer({ ask, against: 'other' });
 * const row = { question: 'What is the capital of France?', other: 'Rome' };
 * const input = { answer: splitAnswer('Paris'), gold: 'Paris', row };
 * await scorer.scoreLater?.(input, signal);
 * // { type: 'scored', value: 0.5, compared: { got: 'tie', want: 'win' }, … }
 */
export function createPairwiseScorer(settings: PairwiseSettings): Scorer {
  const { ask, against, disagreement = 'tie' } = settings;
  const verdict = pairVerdict(settings);
  const choice = promptChoice(settings, verdict);
  const ofPair = choice.prompts.flatMap(({ fields }) =>
    fields.filter((name) => /^(?:first|second)(?:_|$)/.test(name)),
  );
  const isAlone = ({ row }: Pick<ScoreInput, 'row'>) => (row[against] ?? null) === null;
  const askBoth = (prompt: JudgePrompt, orders: readonly JudgeValues[], signal: AbortSignal) =>
    bothReplies(orders.map((columns) => askAbout(prompt, { ask, columns, signal })));
  return {
    metric: 'win_rate',
    direction: 'higher',
    range: [0, 1],
    traits: ['win', 'tie', 'loss', 'disagreed'].map((name) => ({
      name,
      direction: 'higher',
      range: [0, 1],
    })),
    by: settings.by,
    ...ofWhole(settings),
    columns: [
      { name: against, path: [...(settings.optionsPath ?? []), 'against'] },
      ...columnsOf(choice, settings),
    ],
    score: scoredLater,
    judge: {
      name: settings.name ?? 'judge',
      ...judgedMedia(choice, settings),
      requestsFor: (input) =>
        isAlone(input) || !isAsked(input, { choice, settings }, ofPair) ? 0 : 2,
    },
    scoreLater: withWhole(settings, async (input, signal) => {
      if (!input.replies && isLeftToLast(input, settings)) return scoredWithLast();
      const columns = judgeColumns(input, settings);
      if (columns.type === 'unscored') return columns;
      if (!input.replies && isAlone(input)) {
        return unscored('no answer to compare with', `\`${against}\``);
      }
      const prompt = input.replies ? undefined : promptOf(input, { choice, settings });
      if (!input.replies && !prompt) return unscored(noPrompt);
      if (prompt) refuseUneven(input, { columns: shownColumns(prompt, settings), against });
      const orders = ordersOf(input, { ...settings, columns });
      const asked = prompt && (await askBoth(prompt, orders, signal));
      if (asked && 'type' in asked) return asked;
      const replies: JudgeReply[] = [];
      for (const reply of input.replies?.slice(0, 2) ?? asked ?? []) {
        if ('type' in reply) return reply;
        replies.push(reply);
      }
      return { ...judgedPair(replies, columns, input.row), ...verdictsOf(...replies) };
    }),
  };

  function judgedPair(
    replies: readonly JudgeReply[],
    { prediction }: JudgeColumns,
    row: Row,
  ): RowScore {
    const [there, back] = replies.map((reply) => ({
      text: reply.text,
      ...readVerdict(reply, verdict),
    }));
    if (!there || !back) throw new TypeError('a judge of two answers is asked twice');
    if (!isRead(there)) return unscored(unreadableReason(there), there.text);
    if (!isRead(back)) return unscored(unreadableReason(back), back.text);
    const outcome = compareOrders(there, back);
    if (outcome.disagreed === 1 && disagreement === 'unscored') {
      return unscored('the judge disagrees with itself', reasonsOf(there, back));
    }
    const { metrics } = measuresOf(outcome, { row, by: settings.by });
    return pairScore({ outcome, prediction, metrics, detail: reasonsOf(there, back) });
  }
}

type Unscored = RowScore & { readonly type: 'unscored' };

/** What the judge said to both orders. Where it failed in one, what it said to the other is kept. */
async function bothReplies(
  asking: readonly Promise<JudgeReply | Unscored>[],
): Promise<readonly (JudgeReply | Unscored)[] | Unscored> {
  const settled = await Promise.allSettled(asking);
  const failure = settled.find((one) => one.status === 'rejected')?.reason;
  if (failure === undefined) return Promise.all(asking);
  const replies = settled.flatMap((one) =>
    one.status === 'fulfilled' && !('type' in one.value) ? [one.value] : [],
  );
  if (!(failure instanceof JudgeError) || failure.endsRun) throw failure;
  return { ...judgeFailed(failure), ...verdictsOf(...replies) };
}

/** What a name is worth to the first answer. */
function pairVerdict({
  names = ['1', '2', 'tie'],
  pattern,
}: Pick<PairwiseSettings, 'names' | 'pattern'>): ValuesVerdict {
  const worth = [1, 0, 0.5];
  const scores = names.flatMap((one, index) =>
    [one].flat().map((name): [string, number] => [name, worth[index] ?? 0]),
  );
  return { type: 'values', field: 'verdict', scores: new Map(scores), pattern };
}

function promptChoice(settings: PairwiseSettings, verdict: ValuesVerdict): PromptChoice {
  const cases = promptCases(settings);
  if (cases) return choosePrompt(cases, settings.format);
  const { format } = settings;
  const prompt = compileJudgePrompt({
    ...pairPrompt(verdict),
    format,
    path: ownPromptPath(settings),
  });
  return { prompts: [prompt], promptFor: () => prompt };
}

interface PairOf extends Pick<PairwiseSettings, 'against' | 'questionColumn'> {
  readonly columns: JudgeColumns;
}

/** The two answers in either order, turn by turn, and the conversations that they belong to. */
function ordersOf(
  { row, dialogue }: ScoreInput,
  { against, questionColumn = 'question', columns }: PairOf,
): readonly JudgeValues[] {
  const { prediction, values, said, before } = columns;
  const turns = [
    ...(dialogue?.before ?? []).map(({ row, question, answer }) => ({ row, question, answer })),
    { row, question: dialogue?.question, answer: prediction },
  ].map(({ row, question: asked, answer }) => {
    const question = questionOf({ row, question: asked }, questionColumn);
    return {
      own: { question, answer: hideTags(answer) },
      rival: { question, answer: hideTags(textOf(row[against])) },
    };
  });
  const own = turns.map((turn) => turn.own);
  const rival = turns.map((turn) => turn.rival);
  const inOrder = (first: Turns, second: Turns): JudgeValues => ({
    values: { ...values, first: lastOf(first), second: lastOf(second) },
    said: {
      ...said,
      ...saidBy('first', first, dialogue?.messages),
      ...saidBy('second', second, dialogue?.messages),
    },
    before,
  });
  return [inOrder(own, rival), inOrder(rival, own)];
}

type Turns = Parameters<typeof conversationValues>[0];

function lastOf(turns: Turns): string {
  return turns.at(-1)?.answer ?? '';
}

function saidBy(
  place: 'first' | 'second',
  turns: Turns,
  sent: readonly SaidMessage[] | undefined,
): Row {
  const named = turns.map(({ answer }, index) => [`${place}_${index + 1}`, answer]);
  return {
    ...Object.fromEntries(named),
    ...conversationValues(turns, { prefix: `${place}_`, sent }),
  };
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : formatValue(value);
}

interface Outcome {
  readonly value: number;
  readonly disagreed: number;
}

function compareOrders(there: ReadVerdict, back: ReadVerdict): Outcome {
  const [one, other] = [there.value, 1 - back.value];
  return one === other ? { value: one, disagreed: 0 } : { value: 0.5, disagreed: 1 };
}

function reasonsOf(...verdicts: readonly ReadVerdict[]): string {
  return verdicts.flatMap(({ reason }) => reason ?? []).join('\n\n');
}

interface PairResult extends Pick<Scored, 'metrics'> {
  readonly outcome: Outcome;
  readonly prediction: string;
  readonly detail: string;
}

function pairScore({ outcome, prediction, metrics, detail }: PairResult): RowScore {
  const { value, disagreed } = outcome;
  const names = new Map([
    [1, 'win'],
    [0.5, 'tie'],
    [0, 'loss'],
  ]);
  const got = names.get(value) ?? '';
  return {
    type: 'scored',
    value,
    extracted: prediction,
    compared: { got, want: 'win' },
    metrics: {
      win: Number(got === 'win'),
      tie: Number(got === 'tie'),
      loss: Number(got === 'loss'),
      disagreed,
      ...metrics,
    },
    detail,
  };
}
