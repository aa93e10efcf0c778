import { ConfigError } from '../../errors.ts';
import type { RetrieverChoice, SweepAxes } from './axes.ts';
import { plainOf } from './dataset-entry.ts';

/** Settings that say how examples are written, not which ones. */
const layoutKeys = ['ice_separator', 'ice_eos_token'];

export interface ShotChoice {
  readonly shots?: number | undefined;
  readonly retriever?: RetrieverChoice | undefined;
  readonly seed?: number | undefined;
}

/** A retriever as a config writes it, changed by what a cell chooses. */
export function writeRetriever(own: unknown, choice: ShotChoice): Record<string, unknown> {
  const { shots, seed } = choice;
  const base: Record<string, unknown> = { ...plainOf(own), ...choice.retriever };
  const layout = Object.fromEntries(
    layoutKeys.flatMap((key) => (base[key] ? [[key, base[key]]] : [])),
  );
  if (shots === 0) return { ...layout, type: 'ZeroRetriever' };
  const seeded = { ...base, ...(seed !== undefined && { seed }) };
  const isZero = base.type === undefined || isZeroRetriever(base.type);
  if (shots === undefined) {
    if (isZero && seed !== undefined) throw noExamples();
    return seeded;
  }
  if (isZeroRetriever(choice.retriever?.type)) throw givesNone(shots);
  const type = isZero ? 'RandomRetriever' : String(base.type);
  if (type.endsWith('FixKRetriever'))
    return { ...seeded, type, fix_id_list: firstIds(base, shots) };
  return { ...seeded, type, ice_num: shots };
}

function isZeroRetriever(type: unknown): boolean {
  return String(type).endsWith('ZeroRetriever');
}

function noExamples(): ConfigError {
  return new ConfigError('sweep.no_examples', 'seeds choose examples, but the prompts have none', {
    hint: 'Sweep `shots` as well, such as `--shots 4`, or leave out the seeds.',
  });
}

function givesNone(shots: number): ConfigError {
  return new ConfigError(
    'sweep.too_few_shots',
    `ZeroRetriever gives no examples, so it cannot give ${shots}`,
    { hint: 'Leave it out of the retrievers; 0 among the shots is the same.' },
  );
}

function firstIds({ fix_id_list: ids }: Record<string, unknown>, shots: number): unknown[] {
  const list = Array.isArray(ids) ? ids : Array.from({ length: shots }, (_, id) => id);
  if (list.length >= shots) return list.slice(0, shots);
  throw new ConfigError(
    'sweep.too_few_shots',
    `\`fix_id_list\` names ${list.length} rows, too few for ${shots} examples`,
    { hint: 'Name more rows, or sweep fewer shots.' },
  );
}

/** Retrievers with the names that tell them apart. */
export function nameRetrievers(
  retrievers: NonNullable<SweepAxes['retrievers']>,
): { readonly name: string; readonly choice: RetrieverChoice }[] {
  const seen = new Map<string, number>();
  return retrievers.map((one) => {
    const choice = typeof one === 'string' ? { type: one } : one;
    const count = (seen.get(choice.type) ?? 0) + 1;
    seen.set(choice.type, count);
    return { name: count === 1 ? choice.type : `${choice.type} ${count}`, choice };
  });
}
