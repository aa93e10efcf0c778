import type { Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import { namesConfig } from '../../config/flags.ts';
import { sliceRows } from '../../data/row-range.ts';
import { formatValue } from '../../prompt/index.ts';
import { hintForName, UsageError } from '../../usage-error.ts';
import { matchesGlob } from './matches-glob.ts';
import type { PromptView } from './prompt-view.ts';
import type { ViewOptions } from './view-options.ts';

/** The models that the options leave to choose from; undefined where none is configured. */
export function eligibleModels(
  { models }: Config,
  options: ViewOptions,
): readonly (ModelConfig | undefined)[] {
  const { model: abbr } = options;
  if (abbr !== undefined && namesConfig(options)) {
    return [findNamed(models, { abbr, kind: 'model' })];
  }
  const evaluated = models.filter(({ judge }) => !judge);
  return evaluated.length > 0 ? evaluated : models.length > 0 ? models : [undefined];
}

/** The data sets that the options leave to choose from. */
export function eligibleDatasets(
  { datasets }: Config,
  { dataset: abbr, pattern }: ViewOptions,
): readonly DatasetConfig[] {
  const named = abbr === undefined ? datasets : [findNamed(datasets, { abbr, kind: 'data set' })];
  if (pattern === undefined) return named;
  const matching = named.filter((dataset) => matchesGlob(dataset.abbr, pattern));
  if (matching.length > 0) return matching;
  throw new UsageError('view.no_match', `No data set matches the pattern \`${pattern}\``, {
    hint: `Data sets: ${named.map((dataset) => dataset.abbr).join(', ')}.`,
  });
}

/** The entry with this abbr. */
export function findNamed<Entry extends { readonly abbr: string }>(
  entries: readonly Entry[],
  { abbr, kind }: { abbr: string; kind: 'model' | 'data set' },
): Entry {
  const found = entries.find((entry) => entry.abbr === abbr);
  if (found) return found;
  const names = entries.map((entry) => entry.abbr);
  throw new UsageError(
    kind === 'model' ? 'view.unknown_model' : 'view.unknown_dataset',
    `The config has no ${kind} \`${abbr}\``,
    {
      hint:
        names.length === 0
          ? `It has no ${kind}s at all.`
          : hintForName(abbr, { names, kind: kind === 'model' ? 'Models' : 'Data sets' }),
    },
  );
}

/** The rows that the options ask for, by their place among the test rows. */
export function chosenRows(
  rowCount: number,
  { row, rows }: Pick<ViewOptions, 'row' | 'rows'>,
): readonly number[] {
  if (rowCount === 0) {
    throw new UsageError('view.no_rows', 'The data set has no rows to show', {
      hint: 'Check `test_range`, and that the file of the test split is not empty.',
    });
  }
  if (rows !== undefined) return chosenRange(rowCount, rows);
  const wanted = row ?? [0];
  const missing = wanted.find((index) => index >= rowCount);
  if (missing === undefined) return wanted;
  throw noSuchRow(String(missing), rowCount);
}

function chosenRange(rowCount: number, range: string): readonly number[] {
  const all = Array.from({ length: rowCount }, (_, index) => index);
  const kept = sliceRows(all, `[${range}]`);
  if (kept.length > 0) return kept;
  throw noSuchRow(range, rowCount);
}

function noSuchRow(row: string, rowCount: number): UsageError {
  const message = `There is no row ${row}; the data set has ${rowCount} row${rowCount === 1 ? '' : 's'}`;
  return new UsageError('view.no_such_row', message, {
    hint: rowCount === 1 ? 'Its only row is 0.' : `Rows go from 0 to ${rowCount - 1}.`,
  });
}

/** The same view with the prompt for one label only. */
export function chooseLabel(view: PromptView, label: string | undefined): PromptView {
  if (label === undefined) return view;
  const prompts = view.prompts.filter(
    (prompt) => 'label' in prompt && formatValue(prompt.label) === label,
  );
  if (prompts.length > 0) return { ...view, prompts };
  const names = view.prompts.flatMap((prompt) =>
    'label' in prompt ? [formatValue(prompt.label)] : [],
  );
  throw new UsageError(
    'view.unknown_label',
    `The data set \`${view.dataset}\` has no label \`${label}\``,
    {
      hint:
        names.length > 0
          ? hintForName(label, { names, kind: 'Labels' })
          : `Its ${view.inferencer} compares no labels.`,
    },
  );
}
