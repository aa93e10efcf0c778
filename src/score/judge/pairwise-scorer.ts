import { formatValue, type Row } from '../../prompt/values.ts';
import { type RowScore, type Scorer, unscored } from '../scorer.ts';
import { pairPrompt } from './default-prompts.ts';
import { compileJudgePrompt } from './judge-prompt.ts';
import { type JudgeSettings, judgeColumns, scoredLater } from './judge-scorer.ts';
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
  const fill = compileJudgePrompt({ ...own, format, path: settings.path });
  const askFor = async (values: Row, signal: AbortSignal) => {
    const filled = fill(values);
    if (filled.type === 'missing') return unscored('judge prompt lacks a column', filled.message);
    const { text } = await ask(filled.prompt, signal);
    return readVerdict(text, verdict) ?? unscored('unreadable verdict', text);
  };
  return {
    metric: 'win_rate',
    direction: 'higher',
    range: [0, 1],
    score: scoredLater,
    judge: {
      name: settings.name ?? 'judge',
      requestsFor: (row) => (row[against] === undefined || row[against] === null ? 0 : 2),
    },
    async scoreLater(input, signal) {
      const columns = judgeColumns(input, settings);
      if (columns.type === 'unscored') return columns;
      const { values, prediction } = columns;
      const other = input.row[against];
      if (other === undefined || other === null) {
        return unscored('no answer to compare with', `\`${against}\``);
      }
      const rival = formatValue(other);
      const [there, back] = await Promise.all([
        askFor({ ...values, first: prediction, second: rival }, signal),
        askFor({ ...values, first: rival, second: prediction }, signal),
      ]);
      if ('type' in there) return there;
      if ('type' in back) return back;
      const outcome = compareOrders(there, back);
      if (outcome.disagreed === 1 && disagreement === 'unscored') {
        return unscored('the judge disagrees with itself', reasonsOf(there, back));
      }
      return pairScore({ outcome, prediction, detail: reasonsOf(there, back) });
    },
  };
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
