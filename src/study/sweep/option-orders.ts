import { ConfigError } from '../../errors.ts';
import { type DatasetEntry, evalSetting, plainOf, readerSetting } from './dataset-entry.ts';

/** The options of a row moved up by some places, the first ones to the end. */
export interface OptionOrder {
  readonly name: string;
  readonly rotation: number;
  readonly textColumns: readonly string[];
  readonly goldColumn: string;
  readonly labels?: readonly string[] | undefined;
}

/** The orders of an axis for one dataset. */
export function chooseOrders(
  entry: DatasetEntry,
  orders: readonly (string | number)[],
): OptionOrder[] {
  const evaluator = plainOf(evalSetting(entry, 'evaluator'));
  const goldColumn = readerSetting(entry, 'output_column');
  const textColumns = listOf(evaluator.text_columns) ?? optionColumns(entry);
  if (textColumns.length === 0 || typeof goldColumn !== 'string') throw noOptions(entry.name);
  const labels = listOf(evaluator.options);
  const rotations = orders.flatMap((order) => rotationsOf(order, textColumns.length));
  return [...new Set(rotations)].map((rotation) => ({
    name: rotation === 0 ? 'original' : `moved ${rotation}`,
    rotation,
    textColumns,
    goldColumn,
    ...(labels && { labels }),
  }));
}

function rotationsOf(order: string | number, options: number): number[] {
  if (order === 'original') return [0];
  if (order === 'rotations') {
    if (options > 1) return Array.from({ length: options - 1 }, (_, place) => place + 1);
    throw new ConfigError(
      'sweep.option_orders',
      'all options are in one column, so their number is not known in advance',
      { hint: 'Say how far they move instead of `rotations`: `original,1,2,3`.' },
    );
  }
  const places = Number(order);
  if (Number.isInteger(places) && places >= 0) return [places];
  throw new ConfigError('sweep.option_orders', `\`${order}\` is not an order of options`, {
    hint: 'Write `original`, `rotations`, or a number of places to move up.',
  });
}

/** Input columns that are named as options are: A, B, C … */
function optionColumns(entry: DatasetEntry): string[] {
  const written = readerSetting(entry, 'input_columns');
  const columns = typeof written === 'string' ? written.split(/\s+/) : (listOf(written) ?? []);
  const letters = Array.from('ABCDEFGHIJ');
  const end = letters.findIndex((letter) => !columns.includes(letter));
  return end < 2 ? [] : letters.slice(0, end);
}

function listOf(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value
    : undefined;
}

function noOptions(name: string): ConfigError {
  return new ConfigError('sweep.option_orders', `\`${name}\` does not say where its options are`, {
    hint: 'Give the evaluator `text_columns: [A, B, C, D]`, and `reader_cfg` an `output_column`.',
  });
}
