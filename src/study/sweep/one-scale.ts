import { ConfigError } from '../../errors.ts';
import type { ScoreKind } from './sweep-summary.ts';

interface ScoredDataset extends ScoreKind {
  readonly dataset: string;
}

/** Refuses datasets whose scores have no mean: one template cannot be chosen by it. */
export function requireOneScale([first, ...others]: readonly ScoredDataset[]): void {
  const other = others.find(
    ({ direction, plain }) => direction !== first?.direction || plain !== first?.plain,
  );
  if (!first || !other) return;
  throw new ConfigError(
    'sweep.different_scores',
    `\`${first.dataset}\` is scored by ${first.metric}, \`${other.dataset}\` by ${other.metric}: there is no mean to choose a template by`,
    { hint: 'Leave out `--same-template`, or sweep these datasets one by one.' },
  );
}
