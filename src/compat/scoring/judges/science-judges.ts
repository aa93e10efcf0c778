import { readFloatText } from '../../../python/parse-number.ts';
import { pyStr } from '../../../python/repr.ts';
import { stripText } from '../../../python/text.ts';
import { oneOfNames } from '../../../score/component/option-kinds.ts';
import { rouge } from '../../../score/metrics/rouge.ts';
import type { DatasetMetric } from '../../../score/scorer.ts';
import { measureOfEntries } from '../replies/reply-reader.ts';
import { type JudgeType, judgeWith, type RowJudge } from './row-judge.ts';

const share = { direction: 'higher', range: [0, 1] } as const;
const correlation = { direction: 'higher', range: [-1, 1] } as const;
const distance = { direction: 'lower', range: [0, Number.POSITIVE_INFINITY] } as const;

const opiTasks = [
  ...(['Function', 'Subcellular_localization', 'Fold_type', 'EC_number', 'GO'] as const),
  ...(['Keywords', 'gSymbol2Tissue', 'gSymbol2Cancer', 'gName2Cancer'] as const),
] as const;

/** Evaluators of biology and materials, by the names of their classes. */
export const scienceJudges: Readonly<Record<string, JudgeType>> = {
  GUE_Evaluator: judgeWith({}, () => ({
    metric: 'matthews_correlation_all',
    meanName: 'accuracy',
    datasetMetrics: [
      matthews('matthews_correlation_all', 0),
      matthews('matthews_correlation_filtered', 4),
    ],
    judge(got, want) {
      const [said, right] = [got, want].map((value) => stripText(pyStr(value)).toLowerCase());
      const isKnown = [said, right].every((one) => one === 'positive' || one === 'negative');
      const cell = (said === 'positive' ? 0 : 2) + (right === 'positive' ? 0 : 1);
      const counts = [0, 1, 2, 3].map((each) => Number(each === cell));
      return {
        value: Number(said === right),
        metrics: {},
        counts: [...counts, ...counts.map((count) => (isKnown ? count : 0))],
      };
    },
  })),
  LLM4Mat_Evaluator: judgeWith({ kind: oneOfNames(['numbers', 'classes']) }, ({ kind }) =>
    kind === 'classes' ? classJudge : numberJudge,
  ),
  Opi_Evaluator: judgeWith({ task: oneOfNames(opiTasks) }, ({ task }) => {
    if (task === 'Function') return { metric: 'ROUGE-L', judge: likeness };
    if (task === 'Subcellular_localization' || task === 'Fold_type') {
      return { metric: 'Accuracy', judge: (got, want) => plain(got) === plain(want) };
    }
    return {
      metric: 'Precision',
      judge(got, want) {
        const [said, right] = [labelsOf(got), labelsOf(want)];
        if (right.size === 0) return undefined;
        const common = [...said].filter((label) => right.has(label)).length;
        const precision = said.size === 0 ? 0 : common / said.size;
        const metrics = {
          Recall: common / right.size,
          'F1 Score': (2 * common) / (said.size + right.size),
        };
        return { value: precision, metrics };
      },
    };
  }),
  MatbenchEvaluator_regression: judgeWith({}, () => ({
    metric: 'mae',
    ...distance,
    judge(got, want) {
      const right = readFloatText(pyStr(want));
      return right === undefined ? undefined : Math.abs(propertyIn(pyStr(got)) - right);
    },
  })),
  MatbenchEvaluator_classification: judgeWith({}, () => truthJudge()),
  MatbenchEvaluator_classification_glass: judgeWith({}, () => truthJudge()),
};

const plain = (value: Parameters<typeof pyStr>[0]) => stripText(pyStr(value));
const stemmed = rouge('rougeL', { stem: true, asciiOnly: true });
const likeness: RowJudge['judge'] = (got, want) => stemmed.of(plain(got), [plain(want)]);

function labelsOf(value: Parameters<typeof pyStr>[0]): Set<string> {
  const parts = plain(value)
    .split(/[;,，；]\s*/u)
    .map(stripText);
  return new Set(parts.filter((label) => label !== ''));
}

/** Of pairs of yes and no: both yes, only said, only right, both no, from a place on. */
function matthews(name: string, from: number): DatasetMetric {
  return {
    name,
    ...correlation,
    type: 'sums',
    measure(sums) {
      const [hits = 0, extra = 0, missed = 0, rest = 0] = [0, 1, 2, 3].map(
        (place) => sums[from + place] ?? 0,
      );
      const size = (hits + extra) * (hits + missed) * (rest + extra) * (rest + missed);
      return size === 0 ? 0 : (hits * rest - extra * missed) / Math.sqrt(size);
    },
  };
}

/** Numbers that are near, and how near in relation to how far they lie apart. */
const numberJudge: RowJudge = {
  metric: 'MAE',
  ...distance,
  datasetMetrics: [
    measureOfEntries({ name: 'RMSE', ...distance }, (entries) =>
      Math.sqrt(meanOf(entries, ([right, said]) => (said - right) ** 2)),
    ),
    measureOfEntries({ name: 'MAD/MAE', ...distance, direction: 'higher' }, (entries) => {
      const middle = meanOf(entries, ([right]) => right);
      const apart = meanOf(entries, ([right]) => Math.abs(right - middle));
      return apart / meanOf(entries, ([right, said]) => Math.abs(said - right));
    }),
  ],
  judge(got, want) {
    const [said, right] = [readFloatText(pyStr(got)), readFloatText(pyStr(want))];
    if (right === undefined || !Number.isFinite(right)) return undefined;
    if (said === undefined || !Number.isFinite(said))
      return { value: 0, metrics: {}, skipped: 'no number in the answer' };
    return { value: Math.abs(said - right), metrics: {}, entry: [right, said] };
  },
};

type Entries = Parameters<Parameters<typeof measureOfEntries>[1]>[0];

function meanOf(entries: Entries, of: (entry: readonly [number, number]) => number): number {
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  const sum = entries.reduce(
    (all, [[right, said], count]) => all + count * of([Number(right), Number(said)]),
    0,
  );
  return sum / total;
}

/** The area under the curve of answers that are yes or no. */
const classJudge: RowJudge = {
  metric: 'AUC',
  meanName: 'accuracy',
  datasetMetrics: [
    {
      name: 'AUC',
      ...share,
      type: 'sums',
      measure: ([hits = 0, missed = 0, rest = 0, extra = 0]: ArrayLike<number> &
        Iterable<number>) => (hits / (hits + missed) + rest / (rest + extra)) / 2,
    } as DatasetMetric,
  ],
  judge(got, want) {
    const [said, right] = [sideOf(pyStr(got)), sideOf(pyStr(want))];
    if (right === undefined) return undefined;
    if (said === undefined) return { value: 0, metrics: {}, skipped: 'no class in the answer' };
    const isRight = said === right;
    const counts = right ? [isRight, !isRight, 0, 0] : [0, 0, isRight, !isRight];
    return { value: Number(isRight), metrics: {}, counts: counts.map(Number) };
  },
};

function sideOf(text: string): boolean | undefined {
  if (['Direct', 'True', '1.0'].includes(text)) return true;
  return ['Indirect', 'False', '0.0'].includes(text) ? false : undefined;
}

function truthJudge(): RowJudge {
  const ratio = (name: string, of: number, all: readonly number[]): DatasetMetric => ({
    name,
    ...share,
    type: 'sums',
    measure(sums) {
      const size = all.reduce((sum, place) => sum + (sums[place] ?? 0), 0);
      return size === 0 ? 0 : ((all.length / 2) * (sums[of] ?? 0)) / size;
    },
  });
  return {
    metric: 'accuracy',
    datasetMetrics: [
      ratio('precision', 0, [0, 1]),
      ratio('recall', 0, [0, 2]),
      ratio('f1_score', 0, [0, 0, 1, 2]),
    ],
    judge(got, want) {
      const right = { True: true, False: false }[pyStr(want)];
      if (right === undefined) return undefined;
      const said = isSaidTrue(pyStr(got));
      const counts = [said && right, said && !right, !said && right].map(Number);
      return { value: Number(said === right), metrics: {}, counts };
    },
  };
}

function isSaidTrue(text: string): boolean {
  const said = text.toLowerCase().replaceAll(' ', '');
  if (said.includes('answer:true')) return true;
  return !said.includes('answer:false') && !said.includes('no');
}

const elements =
  'H Li Be B C N O F Na Mg Al Si P S Cl K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts'.split(
    ' ',
  );

/** Without formulas, and without words that a symbol of an element stands in. */
function withoutFormulas(text: string): string {
  const formula =
    /\b[A-Z][a-z]?\d*(?:[A-Z][a-z]?\d*)*(?:\([A-Z][a-z]?\d*(?:[A-Z][a-z]?\d*)*\)\d*)*\b/g;
  const rest = text.replace(formula, '');
  return elements
    .filter((element) => rest.includes(element))
    .reduce((kept, element) => kept.replace(new RegExp(`\\b\\w*${element}\\w*\\b`, 'g'), ''), rest);
}

/** The number of an answer, as far as it may be one: of 20 and more none is. */
function propertyIn(text: string): number {
  const sentence = withoutFormulas(text);
  const number = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
  const marked = [
    ...sentence
      .toLowerCase()
      .replaceAll(' ', '')
      .matchAll(/answer:(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/g),
  ].at(-1)?.[1];
  const written = marked ?? (sentence.match(number) ?? []).at(-1);
  const value = written === undefined ? 0 : Number(written);
  return value < 20 ? Math.abs(value) : 0;
}
