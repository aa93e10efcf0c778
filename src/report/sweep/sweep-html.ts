import type { SweepSummary } from '../../run/sweep-summary.ts';

/** Stub. */
export function sweepHtml({ name }: SweepSummary): string {
  return name;
}
