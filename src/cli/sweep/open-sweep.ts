import { dirname } from 'node:path';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { parseConfig } from '../../config/parse-config.ts';
import { readSweep } from '../../config/sweep-schema.ts';
import type { ConfigPath } from '../../errors.ts';
import { entriesOf, isMapping, type Mapping } from '../../prompt/mapping.ts';
import type { SweepAxes } from '../../sweep/axes.ts';
import { checkAxis, expandCells, type SweepCell } from '../../sweep/expand-cells.ts';
import { choose, type OpenedRun, placed, selected } from '../run/open-run.ts';
import { loadSpelled } from '../run/spelled-config.ts';
import { UsageError } from '../usage-error.ts';
import { spellModels } from './spell-models.ts';
import type { SweepOptions } from './sweep-options.ts';

/** A run whose data sets are the cells of a sweep, in the same order. */
export interface OpenedSweep {
  readonly opened: OpenedRun;
  readonly cells: readonly SweepCell[];
}

const prefix = 'task:';

/** The sweep of a config, or of tasks and flags. Flags come before what the config says. */
export async function openSweep(options: SweepOptions): Promise<OpenedSweep> {
  const [first = ''] = options.sources;
  if (options.models) checkAxis('models', options.models);
  const areTasks = options.sources.every((source) => source.startsWith(prefix));
  if (!areTasks && options.sources.length > 1) {
    throw new UsageError('usage.several_sources', 'A sweep is of one config, or of tasks', {
      hint: 'Write tasks as `task:arithmetic task:word`.',
    });
  }
  return areTasks ? openTasks(options) : openConfig(options, first);
}

async function openConfig(options: SweepOptions, file: string): Promise<OpenedSweep> {
  let cells: readonly SweepCell[] = [];
  let places: readonly ConfigPath[] = [];
  const read = await loadConfig(file, async (written) => {
    const axes: SweepAxes = { ...readSweep(written), ...options.axes };
    const { entries, rest, ...found } = takeDatasets(written.value);
    places = found.places;
    cells = await expandCells(entries, axes, {
      folder: dirname(written.file),
      sameTemplate: options.sameTemplate,
    });
    return { ...rest, datasets: cells.map(({ entry }) => entry) };
  });
  const loaded = locateCells(read, { cells, places });
  const opened = selected(parseConfig(loaded), {});
  const models = (options.models ?? [undefined]).flatMap((name) =>
    choose(opened.models, name, 'model'),
  );
  const run = { ...opened, models, placing: <R>(step: () => Promise<R>) => placed(loaded, step) };
  return { opened: withFormats(run, cells), cells };
}

async function openTasks(options: SweepOptions): Promise<OpenedSweep> {
  const { models = [], sameTemplate } = options;
  if (models.length === 0) {
    throw new UsageError('usage.model_missing', 'A task needs a model to ask', {
      hint: 'Add `--models typecase-tiny`, which comes with Typecase, or `--models http://127.0.0.1:8000/v1`.',
    });
  }
  const entries = options.sources.map((source) => taskEntry(source.slice(prefix.length)));
  const isNamed = entries.some((entry) => 'version' in entry);
  const axes: SweepAxes = { ...(!isNamed && { templates: 'all' }), ...options.axes };
  const cells = await expandCells(entries, axes, { folder: process.cwd(), sameTemplate });
  const value = {
    models: spellModels(options, models),
    datasets: cells.map(({ entry }) => entry),
  };
  const run = {
    ...selected(parseConfig(await loadSpelled(value)), {}),
    placing: <R>(step: () => Promise<R>) => step(),
  };
  return { opened: withFormats(run, cells), cells };
}

function taskEntry(name: string) {
  const [task = '', version] = name.split('/', 2);
  return { task, ...(version !== undefined && { version }) };
}

/** The entries of all lists of data sets, and the config without them. */
function takeDatasets(value: Mapping) {
  const keys = entriesOf(value).map(([key, item]) => [String(key), item] as const);
  const isList = (key: string) => key === 'datasets' || key.endsWith('_datasets');
  const found = keys
    .filter(([key]) => isList(key))
    .flatMap(([key, list]) =>
      (Array.isArray(list) ? list : []).map((entry, index) => ({ entry, place: [key, index] })),
    )
    .filter(({ entry }) => isMapping(entry));
  return {
    entries: found.map(({ entry }) => entry as Mapping),
    places: found.map(({ place }) => place),
    rest: Object.fromEntries(keys.filter(([key]) => !isList(key))),
  };
}

/** A config whose data sets are cells, with places that are those of what the cells were made of. */
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

function withFormats(opened: OpenedRun, cells: readonly SweepCell[]): OpenedRun {
  const datasets = opened.datasets.map((dataset, place) => {
    const { metaTemplate } = cells[place] ?? {};
    return metaTemplate === undefined ? dataset : { ...dataset, metaTemplate };
  });
  return { ...opened, datasets };
}
