import { getKey, isMapping } from '../../../prompt/mapping.ts';
import {
  type Entry,
  meanOfMeans,
  measureOfEntries,
  memberOf,
  partsOf,
  type Reading,
  type ReplyReader,
  share,
} from './reply-reader.ts';
import { categoryOf } from './single-readers.ts';

const balance = { direction: 'higher', range: [-1, 1] } as const;

/** What a reply is worth to the first answer: 1 if it wins, -1 if it loses. */
type Worths = Readonly<Record<string, number>>;

interface PairSettings extends Pick<ReplyReader, 'metric' | 'direction' | 'range'> {
  readonly pattern: RegExp;
  readonly worths: Worths;
  /** What a win, a loss or something between them counts. */
  readonly count: (worth: number) => number;
  readonly partOf: (gold: unknown) => string | undefined;
}

function pairReader({ pattern, worths, count, partOf, ...traits }: PairSettings): ReplyReader {
  return {
    ...traits,
    isPair: true,
    measuresMore: () => true,
    read(reply, { gold, isFirst }) {
      const worth = worthOf(reply, { pattern, worths, isFirst });
      if (worth === undefined) return undefined;
      const value = count(worth);
      return { value, metrics: partsOf(value, [partOf(gold)]) };
    },
  };
}

interface Worth extends Pick<PairSettings, 'pattern' | 'worths'> {
  readonly isFirst: boolean | undefined;
}

/** What a reply is worth to the answer, which may be the second one. */
function worthOf(reply: string, { pattern, worths, isFirst }: Worth): number | undefined {
  const said = pattern.exec(reply)?.[1];
  const worth = said !== undefined && Object.hasOwn(worths, said) ? worths[said] : undefined;
  if (worth === undefined) return undefined;
  return isFirst ? worth : 0 - worth;
}

const capability = (gold: unknown) => memberOf(gold, 'capability');
const wins = (worth: number) => Number(worth > 0);
/** Ties count half. */
const halves = (worth: number) => (worth > 0 ? 1 : worth < 0 ? 0 : 0.5);

const letter = { pattern: /^([mM])/, worths: { m: 1, M: -1 } };
const choice = { pattern: /(?:选择：|Choice: )([ABC])/u, worths: { A: 1, B: -1, C: 0 } };
const tagged = {
  pattern: /"choice": "([^\n]*?)"/,
  worths: { 'A++': 1, 'A+': 0.5, 'A=B': 0, 'B+': -0.5, 'B++': -1 },
};
const brackets = /\[\[([AB<>=]+)\]\]/;
const arrows: Worths = {
  'A>>B': 1,
  'B<<A': 1,
  'A>B': 0.5,
  'B<A': 0.5,
  'A=B': 0,
  'B=A': 0,
  'A<B': -0.5,
  'B>A': -0.5,
  'A<<B': -1,
  'B>>A': -1,
};
const arena = { pattern: brackets, worths: arrows };
const winRate = { ...share, metric: 'win_rate', count: halves };

/** Evaluations of two answers, by the names of the functions that read replies. */
export const pairReaders: Readonly<Record<string, ReplyReader>> = {
  alpacaeval_postprocess: pairReader({
    ...share,
    ...letter,
    metric: 'total',
    count: wins,
    partOf: capability,
  }),
  arenahard_postprocess: {
    ...share,
    metric: 'score',
    meanName: 'win_rate',
    isPair: true,
    datasetMetrics: [{ name: 'score', ...share, type: 'sums', measure: weightedWins }],
    read: readArena,
  },
  compassarena_postprocess: pairReader({
    ...share,
    ...choice,
    metric: 'win_rate',
    count: wins,
    partOf: capability,
  }),
  wildbench_postprocess: {
    ...balance,
    metric: 'average',
    meanName: 'score',
    isPair: true,
    datasetMetrics: [measureOfEntries({ name: 'average', ...balance }, meanOfGroups)],
    read(reply, { gold, isFirst }) {
      const value = worthOf(reply, { ...tagged, isFirst });
      return value === undefined ? undefined : { value, entry: [value, ...groupsOf(gold)] };
    },
  },
  CompassBenchSummarizer: pairReader({
    ...balance,
    ...tagged,
    metric: 'score',
    count: (worth) => worth,
    partOf: () => undefined,
  }),
  compassarena_subjectiveeval_pairwise_postprocess: pairReader({
    ...balance,
    ...arena,
    metric: 'Average_score',
    count: (worth) => worth,
    partOf: categoryOf,
  }),
  alpacaeval_bradleyterry_postprocess: pairReader({ ...winRate, ...letter, partOf: capability }),
  arenahard_bradleyterry_postprocess: pairReader({ ...winRate, ...arena, partOf: capability }),
  compassarena_bradleyterry_postprocess: pairReader({ ...winRate, ...choice, partOf: capability }),
  wildbench_bradleyterry_postprocess: pairReader({
    ...winRate,
    ...tagged,
    partOf: (gold) => memberOf(gold, 'primary_tag'),
  }),
  compassarena_subjectiveeval_bradleyterry_postprocess: pairReader({
    ...winRate,
    ...arena,
    partOf: categoryOf,
  }),
};

/** CompassArena where ties count half, as its `summary_type` says. */
export const halfAdded: ReplyReader = pairReader({ ...winRate, ...choice, partOf: capability });

/** A clear win counts three times: what a rating of two models by all their games comes to. */
function readArena(
  reply: string,
  { isFirst }: { readonly isFirst?: boolean | undefined },
): Reading | undefined {
  const said = brackets.exec(reply)?.[1] ?? '';
  // Written the other way round, a verdict does not count there.
  if (!/^(?:A=B|A>>?B|B>>?A)$/.test(said)) return undefined;
  const worth = worthOf(reply, { ...arena, isFirst }) ?? 0;
  const weight = Math.abs(worth) === 1 ? 3 : 1;
  const value = halves(worth);
  return { value, counts: [weight * value, weight] };
}

function weightedWins(sums: ArrayLike<number>): number {
  return (sums[0] ?? 0) / (sums[1] ?? 1);
}

/** What WildBench sums up its tags to. */
const groups: Readonly<Record<string, string>> = {
  'Information seeking': 'Information/Advice seeking',
  'Advice seeking': 'Information/Advice seeking',
  'Creative Writing': 'Creative Tasks',
  Editing: 'Creative Tasks',
  Brainstorming: 'Creative Tasks',
  'Role playing': 'Creative Tasks',
  Others: 'Creative Tasks',
  'Coding & Debugging': 'Coding & Debugging',
  Reasoning: 'Planning & Reasoning',
  Planning: 'Planning & Reasoning',
  Math: 'Math & Data Analysis',
  'Data Analysis': 'Math & Data Analysis',
};

function groupsOf(gold: unknown): string[] {
  const secondary = isMapping(gold) ? getKey(gold, 'secondary_tag') : undefined;
  const tags = [memberOf(gold, 'primary_tag'), ...(Array.isArray(secondary) ? secondary : [])];
  return tags.flatMap((tag) => groups[String(tag)] ?? []);
}

/** Groups of tags count alike; a row counts in a group as often as its tags name it. */
function meanOfGroups(entries: readonly (readonly [entry: Entry, count: number])[]): number {
  return meanOfMeans(
    entries.flatMap(([[value, ...names], count]) =>
      names.map((name) => [name, Number(value), count] as const),
    ),
  );
}
