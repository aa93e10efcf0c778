import type { Verdict } from '../../src/run/row-sample.ts';

/** A verdict by colour, sign and word. */
export function Badge({
  verdict,
  score,
  kind,
}: {
  readonly verdict: Verdict;
  readonly score?: number | undefined;
  readonly kind?: string | undefined;
}) {
  const figure =
    score !== undefined && (verdict === 'partly' || verdict === 'scored')
      ? ` ${Number(score.toFixed(3))}`
      : '';
  return (
    <span class={`badge tone-${verdict}`}>
      {verdict}
      {figure}
      {kind === undefined ? '' : ` ${kind}`}
    </span>
  );
}

const order: readonly (Verdict | 'missing')[] = [
  'right',
  'partly',
  'scored',
  'wrong',
  'unscored',
  'failed',
  'missing',
];

export type VerdictCounts = Readonly<Partial<Record<Verdict | 'missing', number>>>;

/** How rows ended, as one bar. */
export function SplitBar({ counts }: { readonly counts: VerdictCounts }) {
  const parts = order.filter((name) => (counts[name] ?? 0) > 0);
  return (
    <div class="split" aria-hidden="true">
      {parts.map((name) => (
        <i key={name} class={`tone-${name}`} style={{ flexGrow: counts[name] ?? 0 }} />
      ))}
    </div>
  );
}
