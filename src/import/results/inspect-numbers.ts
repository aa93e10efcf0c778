import { asObject, type Json, type OtherNumber, objectsIn } from './foreign-results.ts';

/** A number of a log, and how it comes of the grades of its samples. */
interface LoggedNumber {
  readonly scorer: string;
  readonly metric: string;
  readonly value: number;
  readonly reducer: string;
  /** Settings of the metric, such as clusters, of which there are none for those that are worked out here. */
  readonly params: Json;
}

/** The numbers of a log, in its order. */
export function numbersIn(header: Json): readonly LoggedNumber[] {
  return objectsIn(asObject(header.results)?.scores).flatMap(({ name, reducer, metrics }) =>
    Object.entries(asObject(metrics) ?? {}).flatMap(([metric, entry]) => {
      const { value, params } = asObject(entry) ?? {};
      return typeof value === 'number'
        ? [
            {
              ...{ scorer: String(name ?? ''), metric, value },
              reducer: String(reducer ?? 'mean'),
              params: asObject(params) ?? {},
            },
          ]
        : [];
    }),
  );
}

/** The same with what the grades come to, where that is known; `gradesOf` gives those of each sample, an epoch each. */
export function checkedNumber(
  { scorer, metric, value, reducer, params }: LoggedNumber,
  gradesOf: (scorer: string) => readonly (readonly number[])[],
): readonly OtherNumber[] {
  const reduce = reducerOf(reducer);
  const measure = Object.hasOwn(measures, metric) ? measures[metric] : undefined;
  const isPlain = Object.values(params).every((one) => one === null || one === false);
  if (!reduce || !measure || !isPlain) return [];
  const grades = gradesOf(scorer).filter((one) => one.length > 0);
  const here = grades.length > 0 ? measure(grades.map(reduce)) : Number.NaN;
  const by = reducer === 'mean' ? '' : ` by ${reducer}`;
  const name = `${metric} of ${scorer}${by}`;
  return Number.isFinite(here) ? [{ metric: name, names: [], value, scale: 1, here }] : [];
}

type Measure = (values: readonly number[]) => number;

const mean: Measure = (values) => values.reduce((sum, one) => sum + one, 0) / values.length;

const variance: Measure = (values) => {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return values.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (values.length - 1);
};

const measures: Readonly<Record<string, Measure>> = {
  accuracy: mean,
  mean,
  var: variance,
  std: (values) => Math.sqrt(variance(values)),
  stderr: (values) => Math.sqrt(variance(values) / values.length),
};

/** What makes one grade of those of all epochs. */
function reducerOf(name: string): Measure | undefined {
  if (Object.hasOwn(reducers, name)) return reducers[name];
  const [, kind, count] = /^(at_least|pass_at)_(\d+)$/.exec(name) ?? [];
  const wanted = Number(count);
  if (kind === 'at_least') return (grades) => Number(rightIn(grades) >= wanted);
  return kind === 'pass_at' ? (grades) => passAt(grades, wanted) : undefined;
}

const reducers: Readonly<Record<string, Measure>> = {
  mean,
  max: (grades) => Math.max(...grades),
  median: (grades) => {
    const sorted = grades.toSorted((left, right) => left - right);
    const half = sorted.length / 2;
    return mean(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1));
  },
  mode: (grades) => {
    const timesOf = (grade: number) => grades.filter((one) => one === grade).length;
    return grades.reduce((best, one) => (timesOf(one) > timesOf(best) ? one : best));
  },
};

function rightIn(grades: readonly number[]): number {
  return grades.filter((grade) => grade >= 1).length;
}

/** How likely one of so many epochs, drawn from all of them, is right. */
function passAt(grades: readonly number[], count: number): number {
  const wrong = grades.length - rightIn(grades);
  let none = 1;
  for (let drawn = 0; drawn < count; drawn += 1)
    none *= Math.max(0, wrong - drawn) / (grades.length - drawn);
  return wrong < count ? 1 : 1 - none;
}
