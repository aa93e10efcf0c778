import { pyEquals } from '../../../python/operators.ts';
import { pyStr } from '../../../python/repr.ts';
import { stripText } from '../../../python/text.ts';
import type { PyValue } from '../../../python/values.ts';
import { labels, oneOfNames, texts } from '../../../score/component/option-kinds.ts';
import { countEdits } from '../../../score/metrics/edit-distance.ts';
import { firstOption } from '../first-option.ts';
import { type JudgeType, judgeWith, plainJudge, textsOf } from './row-judge.ts';

const nobodyJudges = plainJudge('score', () => 0);

/** Evaluators of choices among options, by the names of their classes. */
export const choiceJudges: Readonly<Record<string, JudgeType>> = {
  OptionSimAccEvaluator: judgeWith({ options: labels }, ({ options }) => ({
    metric: 'accuracy',
    judge: (got, want, row) => nearestOption(pyStr(got), options, row) === pyStr(want),
  })),
  // Asked in all orders of the options: `eval_cfg.circular` says which, and reads the columns.
  CircularEvaluator: judgeWith(
    {
      options: labels.optional(),
      text_columns: texts.optional(),
      circular_pattern: oneOfNames(['circular', 'all_possible']).optional(),
    },
    () => ({ metric: 'perf_circular', judge: (got, want) => pyEquals(got, want) }),
  ),
  CircularOptionSimAccEvaluator: judgeWith(
    { options: labels, text_columns: texts.optional() },
    ({ options }) => ({
      metric: 'perf_circular',
      judge: (got, want, row) => nearestOption(pyStr(got), options, row) === pyStr(want),
    }),
  ),
  GaokaoBenchEvaluator_cloze: nobodyJudges,
  GaokaoBenchEvaluator_subjective: nobodyJudges,
  GaokaoBenchEvaluator_correction: nobodyJudges,
  // Asked about rows that the data have in all orders already: `number--letter--order`.
  CircularRowsEvaluator: plainJudge('acc_4', (got, want) => {
    const [, letter, order, ...more] = pyStr(want).split('--');
    if (letter === undefined || order === undefined || more.length > 0) return undefined;
    const value = Number(got === letter);
    return { value, metrics: order === 'ABCD' ? { acc_1: value } : {} };
  }),
  GaokaoBenchEvaluator_single_choice: plainJudge('score', (got, want) =>
    letterShare([...got.matchAll(/[A-D]/g)].slice(-1).map(String), want),
  ),
  GaokaoBenchEvaluator_five_out_of_seven: plainJudge('score', (got, want) =>
    letterShare((got.match(/[A-G]/g) ?? []).slice(0, 5), want),
  ),
  GaokaoBenchEvaluator_multi_question_choice: plainJudge('score', (got, want) => {
    const count = textsOf(want).length;
    const marked = [...got.matchAll(/【答案】\s*[:：]*\s*([A-Z])/g)].map(
      ([, letter = '']) => letter,
    );
    const picked = marked.length === count ? marked : (got.match(/[A-Z]/g) ?? []).slice(0, count);
    return letterShare(picked, want);
  }),
  GaokaoBenchEvaluator_multi_choice: plainJudge('score', (got, want) => {
    const said = got.replace(/\s+/g, '');
    const at = said.indexOf('【答案】');
    const part = at > 0 ? said.slice(at) : Array.from(said).slice(-10).join('');
    const letters = (part.match(/[A-D]/g) ?? []).join('');
    return selectionShare(letters === '' ? [] : [letters], textsOf(want));
  }),
  LLMJudgeCorrectEvaluator: plainJudge('accuracy', (got) => got === 'A'),
};

/** The option that is named, or whose text is in the answer, or nearest to it. */
function nearestOption(
  answer: string,
  options: readonly string[],
  row: Readonly<Record<string, unknown>>,
): string {
  const said = stripText(answer);
  if (options.includes(said)) return said;
  const named = pyStr(firstOption({ options: options.join(''), cushion: false })(said));
  if (named !== '') return named;
  const given = options.flatMap((option) => {
    const text = row[option];
    return text === null || text === undefined ? [] : [{ option, text: String(text) }];
  });
  const held = given.filter(({ text }) => said.toLowerCase().includes(text.toLowerCase()));
  if (held.length === 1) return held[0]?.option ?? '';
  const distances = given.map(({ option, text }) => ({
    option,
    distance: Math.min(...[option, text, `${option}. ${text}`].map((one) => countEdits(said, one))),
  }));
  distances.sort((left, right) =>
    left.distance === right.distance
      ? left.option.localeCompare(right.option, 'en')
      : left.distance - right.distance,
  );
  return distances[0]?.option ?? '';
}

/** The share of a row's questions whose letter is right; of another number of letters none is. */
function letterShare(picked: readonly string[], want: PyValue): number | undefined {
  const right = textsOf(want);
  if (right.length === 0) return undefined;
  const given = picked.length === right.length ? picked : right.map(() => 'Z');
  return given.filter((letter, index) => letter === right[index]).length / right.length;
}

/** Half of it for a selection that has no wrong letter, and not all right ones. */
function selectionShare(picked: readonly string[], right: readonly string[]): number | undefined {
  if (right.length === 0) return undefined;
  const given = picked.length === right.length ? picked : right.map(() => 'Z');
  const points = given.map((letters, index) => {
    const wanted = right[index] ?? '';
    if (letters === wanted) return 1;
    return [...letters].every((letter) => wanted.includes(letter)) ? 0.5 : 0;
  });
  return points.reduce<number>((sum, point) => sum + point, 0) / right.length;
}
