import { formatValue } from '../../study/compare/compare-format.ts';
import type { Flip, Scale } from '../../study/compare/comparison.ts';

/** `row 17 · right only in B · gold 42`. */
export function describeFlip({ a, b, gold }: Flip, scale: Scale): string {
  const row = a.id === b.id ? `row ${a.id}` : `row ${a.id}, in B ${b.id}`;
  return [
    row,
    changeOf(a.score, b.score, scale),
    ...(gold === undefined ? [] : [`gold ${gold}`]),
  ].join(' · ');
}

function changeOf(a: number, b: number, scale: Scale): string {
  if (a === 0 && b === 1) return 'right only in B';
  if (a === 1 && b === 0) return 'right only in A';
  return `${formatValue(a, scale)} in A, ${formatValue(b, scale)} in B`;
}
