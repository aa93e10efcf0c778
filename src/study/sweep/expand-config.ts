import { checkConfig } from '../../config/check-config.ts';
import type { Config, DatasetConfig } from '../../config/config.ts';
import type { LoadedConfig } from '../../config/loaded-config.ts';
import { withTasks } from '../../config/merge-tasks.ts';
import { readSweep } from '../../config/sweep-schema.ts';
import { type ConfigPath, formatPath } from '../../errors.ts';
import { entriesOf, isMapping, type Mapping } from '../../prompt/mapping.ts';
import type { SweepAxes } from './axes.ts';
import { expandCells, type SweepCell } from './expand-cells.ts';

/** A config whose datasets are the cells of a sweep, in the same order. */
export interface ExpandedConfig {
  readonly config: Config;
  readonly cells: readonly SweepCell[];
}

export interface ExpandConfigOptions {
  /** They come before what the config says under `sweep`. */
  readonly axes?: SweepAxes | undefined;
  /** One template has to serve all datasets. */
  readonly sameTemplate: boolean;
}

/**
 * Puts the cells of a sweep in place of the datasets of a config. It may be unchecked: the templates
 * that its datasets lack are those of the sweep.
 */
export async function expandConfig(
  config: Config | LoadedConfig,
  { axes, sameTemplate }: ExpandConfigOptions,
): Promise<ExpandedConfig> {
  const written = 'written' in config ? config.written : config;
  const { folder, unexpanded } = written;
  const datasets = datasetsOf(config);
  const swept: SweepAxes = { ...readSweep(written), ...axes };
  const entries = datasets.map(({ entry }) => entry);
  const cells = await expandCells(entries, swept, { folder, sameTemplate });
  const value = { ...withoutDatasets(unexpanded), datasets: cells.map(({ entry }) => entry) };
  const inCells = { ...written, ...written.withoutTasks, unexpanded: value, value };
  const places = datasets.map(({ place }) => place);
  const located = locateCells(inCells, { cells, places });
  const checked = checkConfig(await withTasks(located));
  return {
    config: {
      ...checked,
      ...('written' in config && config),
      written: checked.written,
      datasets: withFormats(checked.datasets, cells),
    },
    cells,
  };
}

interface WrittenDataset {
  readonly entry: Mapping;
  readonly place: ConfigPath;
}

/** The entries of all lists of datasets; of a checked config those that it still has. */
function datasetsOf(config: Config | LoadedConfig): WrittenDataset[] {
  const isChecked = 'written' in config;
  const { unexpanded } = isChecked ? config.written : config;
  const written = entriesOf(unexpanded)
    .filter(([key]) => isDatasetList(key))
    .flatMap(([key, list]) =>
      (Array.isArray(list) ? list : []).flatMap((entry: unknown, index) =>
        isMapping(entry) ? [{ entry, place: [String(key), index] }] : [],
      ),
    );
  if (!isChecked) return written;
  const kept = new Set(config.datasets.map(({ source }) => formatPath(source)));
  return written.filter(({ place }) => kept.has(formatPath(place)));
}

/** Groups go as well: they name datasets. */
function withoutDatasets(value: Mapping): Record<string, unknown> {
  return Object.fromEntries(
    entriesOf(value)
      .map(([key, item]) => [String(key), item] as const)
      .filter(([key]) => !isDatasetList(key) && key !== 'summarizer'),
  );
}

function isDatasetList(key: unknown): boolean {
  return /(^|_)datasets$/.test(String(key));
}

/** A config whose datasets are cells, with places that are those of what the cells were made of. */
function locateCells(
  loaded: LoadedConfig,
  {
    cells,
    places,
  }: { readonly cells: readonly SweepCell[]; readonly places: readonly ConfigPath[] },
): LoadedConfig {
  const written = (path: ConfigPath): ConfigPath => {
    const [list, index, part, key] = path;
    const { from } = (list === 'datasets' && cells[Number(index)]) || {};
    if (!from) return path;
    const isTemplate = part === 'infer_cfg' && /^(prompt|ice)_template$/.test(String(key));
    return isTemplate && from.template !== undefined
      ? ['sweep', 'templates', from.template, ...path.slice(3)]
      : [...(places[from.entry] ?? []), ...path.slice(2)];
  };
  return {
    ...loaded,
    locate: (path) => loaded.locate(written(path)),
    locateKey: (path) => loaded.locateKey(written(path)),
    locateInString: (path, character) => loaded.locateInString(written(path), character),
  };
}

function withFormats(
  datasets: readonly DatasetConfig[],
  cells: readonly SweepCell[],
): DatasetConfig[] {
  return datasets.map((dataset, index) => {
    const { metaTemplate } = cells[index] ?? {};
    return metaTemplate === undefined ? dataset : { ...dataset, metaTemplate };
  });
}
