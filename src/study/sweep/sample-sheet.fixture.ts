import { keyedRandom, type Random } from '../../base/keyed-random.ts';
import type { Sheet } from './sheet.ts';
import type { CellSettings } from './sweep-summary.ts';

/** Rows of which each template gets some right, by chance; all templates find the same rows hard. */
export function drawScores(
  random: Random,
  { rates, rows }: { readonly rates: readonly number[]; readonly rows: number },
): Float64Array[] {
  const ease = Array.from({ length: rows }, () => random.next() - 0.5);
  return rates.map((rate) => {
    const reach = Math.min(rate, 1 - rate);
    return Float64Array.from(ease, (own) => (random.next() < rate + own * reach ? 1 : 0));
  });
}

/** A sheet for tests: templates `a`, `b` … with these scores. */
export function sheetOf(
  scores: readonly (readonly number[] | Float64Array)[],
  change: Partial<Sheet> = {},
): Sheet {
  const [first = []] = scores;
  return {
    model: 'm',
    dataset: 'd',
    metric: 'accuracy',
    ids: Array.from(first, (_, id) => id),
    cells: scores.map((own, place) => cellOf({ template: letter(place) }, own)),
    remarks: [],
    ...change,
  };
}

export function cellOf(settings: CellSettings, scores: readonly number[] | Float64Array) {
  return {
    abbr: Object.values(settings).join('.'),
    settings,
    scores: Float64Array.from(scores),
  };
}

function letter(place: number): string {
  return String.fromCharCode(97 + place);
}

/** A sheet of chance: templates with these rates. */
export function drawSheet(rates: readonly number[], rows: number, seed: number): Sheet {
  return sheetOf(drawScores(keyedRandom(seed, 'sheet'), { rates, rows }));
}
