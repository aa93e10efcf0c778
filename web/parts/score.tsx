import { formatInterval, formatScore, metricLabel } from '../../src/report/format-scores.ts';
import type { Measurement, MetricKind } from '../../src/run/summary.ts';
import { hasInterval } from '../../src/stats/estimate.ts';

export interface ShownScore extends MetricKind {
  readonly score?: Measurement | undefined;
  readonly partial?: true | undefined;
}

/** A score as the server says it. */
interface SaidScore {
  readonly score?: unknown;
  readonly plain?: true | undefined;
  readonly direction?: 'lower' | undefined;
  readonly partial?: true | undefined;
}

export function shownScore({ score, plain, direction, partial }: SaidScore): ShownScore {
  return {
    score: score as Measurement | undefined,
    ...(plain && { plain }),
    ...(direction && { direction }),
    ...(partial && { partial }),
  };
}

const style = { decimals: 1 };

export function scoreText({ score, ...kind }: ShownScore): string {
  return score ? formatScore(score.value, style, kind) : '–';
}

export function intervalText({ score, partial, ...kind }: ShownScore): string {
  if (!score) return 'no score';
  if (partial) return 'rows reached';
  return formatInterval(score, style, kind);
}

export { metricLabel };

/** A score on a scale from 0 to 100, with its interval. */
export function ScoreBar({ score, plain, partial }: ShownScore) {
  if (!score || plain) return <div class="bar empty" />;
  const at = (share: number) => `${Math.min(100, Math.max(0, share * 100))}%`;
  return (
    <div class="bar" aria-hidden="true">
      {hasInterval(score) && !partial && (
        <i style={{ left: at(score.low), width: `calc(${at(score.high)} - ${at(score.low)})` }} />
      )}
      <b style={{ left: at(score.value) }} />
    </div>
  );
}

/** Several scores on one scale. */
export function ScoreStrip({ scores }: { readonly scores: readonly number[] }) {
  const places = new Set(scores.map((score) => Math.min(100, Math.max(0, score * 100)).toFixed(1)));
  if (places.size === 0) return null;
  return (
    <div class="bar strip" aria-hidden="true">
      {[...places].map((place) => (
        <b key={place} style={{ left: `${place}%` }} />
      ))}
    </div>
  );
}
