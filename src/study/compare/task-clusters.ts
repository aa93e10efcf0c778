import { resultOf, type StoredRun } from '../../run/store/open-run.ts';
import { datasetOf } from '../../run/store/run-file-parts.ts';
import type { EvaluationPair } from './pair-evaluations.ts';

/** Where rows come in clusters, the column and the side that tell which. */
export interface TaskClusters {
  readonly by: string;
  readonly side: 'a' | 'b';
}

type Runs = Readonly<Record<'a' | 'b', Pick<StoredRun, 'file' | 'summary'>>>;

function columnsOf(task: EvaluationPair, { a, b }: Runs) {
  return {
    a: datasetOf(a.file, task.a.dataset)?.readerCfg?.clusterBy,
    b: datasetOf(b.file, task.b.dataset)?.readerCfg?.clusterBy,
  };
}

/** Rows of both sides are the same, so one side tells for both. */
export function clustersOf(task: EvaluationPair, runs: Runs): TaskClusters | undefined {
  const { a, b } = columnsOf(task, runs);
  if (a !== undefined) return { by: a, side: 'a' };
  return b === undefined ? undefined : { by: b, side: 'b' };
}

/** What to know where the sides do not say the same, or neither says what seems to be so. */
export function clusterWarnings(task: EvaluationPair, runs: Runs): string[] {
  const { a, b } = columnsOf(task, runs);
  if (a === undefined && b === undefined) return possibleWarning(task, runs);
  if (a === b) return [];
  const [known, by, other] = a === undefined ? ['B', b, 'A'] : ['A', a, 'B'];
  const lacks = a === undefined || b === undefined ? 'names no clusters' : `has those of \`${b}\``;
  return [`${task.name}: the clusters of \`${by}\` in ${known} count; ${other} ${lacks}.`];
}

function possibleWarning(task: EvaluationPair, runs: Runs): string[] {
  const possible = (['a', 'b'] as const).flatMap(
    (side) => resultOf(runs[side], task[side])?.possibleClusters ?? [],
  )[0];
  if (!possible) return [];
  return [
    `${task.name}: rows seem to come in groups by ${possible.by === undefined ? 'what they are asked' : `\`${possible.by}\``}, and the test takes them as independent; name them with \`cluster_by\`.`,
  ];
}
