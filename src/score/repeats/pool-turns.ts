import type { Scored, Scorer, ScorerMetrics } from '../scorer.ts';

type CellMetric = Extract<
  NonNullable<ScorerMetrics['datasetMetrics']>[number],
  { readonly type: 'cells' }
>;
type Contribution = Pick<Scored, 'cell' | 'counts'>;

/**
 * What a dialogue adds to measures of the whole dataset: what each of its turns adds, as if every
 * turn were a row.
 */
export function joinTurns(turns: readonly Contribution[]): Contribution {
  const cells = turns.flatMap(({ cell }) => (cell === undefined ? [] : [cell]));
  const counts = turns.flatMap((turn) => (turn.counts ? [turn.counts] : []));
  const [first] = counts;
  return {
    ...(cells.length > 0 && { cell: JSON.stringify(cells) }),
    ...(first && {
      counts: first.map((_, place) =>
        counts.reduce((sum, numbers) => sum + (numbers[place] ?? 0), 0),
      ),
    }),
  };
}

/**
 * A scorer whose measures of the whole dataset are read from dialogues. A dialogue without a score
 * counts with an empty answer to each turn, if its gold answers are known.
 */
export function pooledOverTurns(scorer: Scorer): Scorer {
  const { datasetMetrics, ofNothing } = scorer;
  if (!datasetMetrics) return scorer;
  return {
    ...scorer,
    isInTurns: true,
    datasetMetrics: datasetMetrics.map((metric) =>
      metric.type === 'cells'
        ? { ...metric, measure: (cells: readonly string[]) => measureTurns(metric, cells) }
        : metric,
    ),
    ofNothing: ofNothing && ((golds) => turnsOfNothing(ofNothing, golds)),
  };
}

function measureTurns(metric: CellMetric, dialogues: readonly string[]) {
  const turns = dialogues.map((cells): readonly string[] => JSON.parse(cells));
  const cells = [...new Set(turns.flat())].sort();
  const placeOf = new Map(cells.map((cell, place) => [cell, place]));
  const places = turns.map((own) => own.map((cell) => placeOf.get(cell) ?? 0));
  const measure = metric.measure(cells);
  return (counts: ArrayLike<number>) => {
    const totals = new Float64Array(cells.length);
    for (const [dialogue, own] of places.entries()) {
      for (const place of own) totals[place] = (totals[place] ?? 0) + (counts[dialogue] ?? 0);
    }
    return measure(totals);
  };
}

function turnsOfNothing(
  ofNothing: NonNullable<ScorerMetrics['ofNothing']>,
  golds: unknown,
): Contribution | undefined {
  if (!Array.isArray(golds) || golds.length === 0) return undefined;
  const turns = golds.map((gold) => ofNothing(gold));
  return turns.every((turn) => turn !== undefined) ? joinTurns(turns) : undefined;
}
