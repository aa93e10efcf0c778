import { formatValue } from '../../prompt/values.ts';
import { type JudgeReply, type RowScore, type Scorer, unscored } from '../scorer.ts';
import { pairPrompt } from './default-prompts.ts';
import { compileJudgePrompt } from './judge-prompt.ts';
import {
  askAbout,
  columnsOf,
  type JudgeColumns,
  type JudgeSettings,
  judgeColumns,
  scoredLater,
  verdictsOf,
} from './judge-scorer.ts';
import { type ReadVerdict, readVerdict, type Verdict } from './read-verdict.ts';

export interface PairwiseSettings extends JudgeSettings {
  /** The column of the answer that it is held against. */
  readonly against: string;
  /** How the judge names the first answer, the second, and neither; 1, 2 and tie by default. */
  readonly names?: readonly [first: string, second: string, tie: string] | undefined;
  /** What becomes of a row whose two verdicts differ; a tie by default. */
  readonly disagreement?: 'tie' | 'unscored' | undefined;
}

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
  const {
    ask,
    against,
    names = ['1', '2', 'tie'],
    disagreement = 'tie',
    template,
    format,
  } = settings;
  const [first, second, tie] = names;
  // What the verdict is worth to the first answer.
  const scores = new Map([
    [first, 1],
    [second, 0],
    [tie, 0.5],
  ]);
  const verdict: Verdict & { type: 'values' } = { type: 'values', field: 'verdict', scores };
  const own = template ? { promptTemplate: template } : pairPrompt(verdict);
  const prompt = compileJudgePrompt({ ...own, format, path: settings.path });
  const askBoth = ({ prediction, values }: JudgeColumns, rival: unknown, signal: AbortSignal) => {
    const other = formatValue(rival);
    const orders = [
      { first: prediction, second: other },
      { first: other, second: prediction },
    ];
    return Promise.all(
      orders.map((order) => {
        const columns = { values: { ...values, ...order } };
        return askAbout(prompt, { ask, columns, signal });
      }),
    );
  };
  return {
    metric: 'win_rate',
    direction: 'higher',
    range: [0, 1],
    traits: ['win', 'tie', 'loss', 'disagreed'].map((name) => ({
      name,
      direction: 'higher',
      range: [0, 1],
    })),
    columns: [
      { name: against, path: [...(settings.optionsPath ?? []), 'against'] },
      ...columnsOf(prompt.fields, settings),
    ],
    score: scoredLater,
    judge: {
      name: settings.name ?? 'judge',
      requestsFor: (row) => (row[against] === undefined || row[against] === null ? 0 : 2),
    },
    async scoreLater(input, signal) {
      const columns = judgeColumns(input, settings);
      if (columns.type === 'unscored') return columns;
      const other = input.row[against];
      if (!input.replies && (other === undefined || other === null)) {
        return unscored('no answer to compare with', `\`${against}\``);
      }
      const replies: JudgeReply[] = [];
      for (const reply of input.replies ?? (await askBoth(columns, other, signal))) {
        if ('type' in reply) return reply;
        replies.push(reply);
      }
      return { ...judgedPair(replies, columns), ...verdictsOf(...replies) };
    },
  };

  function judgedPair(replies: readonly JudgeReply[], { prediction }: JudgeColumns): RowScore {
    const [there, back] = replies.map(({ text }) => readVerdict(text, verdict) ?? { text });
    if (!there || !back) throw new TypeError('a judge of two answers is asked twice');
    if ('text' in there) return unscored('unreadable verdict', there.text);
    if ('text' in back) return unscored('unreadable verdict', back.text);
    const outcome = compareOrders(there, back);
    if (outcome.disagreed === 1 && disagreement === 'unscored') {
      return unscored('the judge disagrees with itself', reasonsOf(there, back));
    }
    return pairScore({ outcome, prediction, detail: reasonsOf(there, back) });
  }
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

interface PairResult {
  readonly outcome: Outcome;
  readonly prediction: string;
  readonly detail: string;
}

function pairScore({ outcome: { value, disagreed }, prediction, detail }: PairResult): RowScore {
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
    },
    detail,
  };
}
