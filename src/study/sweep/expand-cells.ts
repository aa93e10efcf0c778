import { ConfigError } from '../../errors.ts';
import type { Mapping } from '../../prompt/mapping.ts';
import type { ShotsAs } from '../../prompt/template.ts';
import type { SweepAxes } from './axes.ts';
import { type DatasetEntry, plainOf, readEntry } from './dataset-entry.ts';
import { chooseOrders, type OptionOrder } from './option-orders.ts';
import { nameRetrievers, writeRetriever } from './retriever-choices.ts';
import type { CellSettings } from './sweep-summary.ts';
import { chooseTemplates, type TemplateChoice } from './template-choices.ts';

/** One combination of axis values for one dataset. */
export interface SweepCell {
  /** Name of the dataset that it varies. */
  readonly dataset: string;
  /** Name of its own. */
  readonly abbr: string;
  readonly settings: CellSettings;
  /** The dataset as a config writes it. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** The model format that stands in for the model's own. */
  readonly metaTemplate?: string | undefined;
  readonly order?: OptionOrder | undefined;
  /** Where the dataset stands among those given, and its template among `sweep.templates`. */
  readonly from: { readonly entry: number; readonly template?: number | undefined };
}

export interface ExpandOptions {
  /** What paths are relative to. */
  readonly folder: string;
  /** One template has to serve all datasets. */
  readonly sameTemplate: boolean;
}

/** Every combination of the axes for every dataset, templates slowest. */
export async function expandCells(
  entries: readonly Mapping[],
  axes: SweepAxes,
  options: ExpandOptions,
): Promise<SweepCell[]> {
  for (const [axis, values] of Object.entries(axes)) {
    if (Array.isArray(values)) checkAxis(axis, values);
  }
  const datasets: DatasetEntry[] = [];
  for (const entry of entries) datasets.push(await readEntry(entry, options.folder));
  const shared = options.sameTemplate ? commonTemplates(datasets, axes) : axes;
  const cells: SweepCell[] = [];
  for (const [place, dataset] of datasets.entries()) {
    const choices = await chooseAll(dataset, shared, options);
    cells.push(...choices.map((choice) => cellOf(dataset, choice, place)));
  }
  return cells;
}

/** Refuses an axis without values, or with one twice. */
export function checkAxis(axis: string, values: readonly unknown[]): void {
  if (values.length === 0) {
    throw new ConfigError('sweep.empty_axis', `The axis \`${axis}\` has no values`, {
      hint: 'List at least one value, or leave it out.',
    });
  }
  const names = values.map((value) => JSON.stringify(value));
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice === undefined) return;
  throw new ConfigError('sweep.repeated_value', `The axis \`${axis}\` lists ${twice} twice`, {
    hint: 'List each value once.',
  });
}

/** With one template for all, `all` means those that every task has. */
function commonTemplates(datasets: readonly DatasetEntry[], axes: SweepAxes): SweepAxes {
  if (axes.templates !== 'all') return axes;
  const lists = datasets.map(({ task }) => task?.versions.map(({ version }) => version) ?? []);
  const [first = [], ...others] = lists;
  const templates = first.filter((version) => others.every((list) => list.includes(version)));
  if (templates.length > 0) return { ...axes, templates };
  throw new ConfigError('sweep.no_common_template', 'The datasets have no template in common', {
    hint: 'Name the templates with `--templates`, or leave out `--same-template`.',
  });
}

/** What a cell chooses, one value of each axis. */
interface Choice {
  readonly settings: CellSettings;
  readonly template?: TemplateChoice | undefined;
  readonly shots?: number | undefined;
  readonly retriever?: { readonly type: string } | undefined;
  readonly seed?: number | undefined;
  readonly metaTemplate?: string | undefined;
  readonly shotsAs?: ShotsAs | undefined;
  readonly order?: OptionOrder | undefined;
}

async function chooseAll(
  dataset: DatasetEntry,
  axes: SweepAxes,
  { folder, sameTemplate }: ExpandOptions,
): Promise<Choice[]> {
  const templates =
    axes.templates &&
    (await chooseTemplates(dataset, axes.templates, { folder, standsIn: sameTemplate }));
  const orders = axes.option_orders && chooseOrders(dataset, axes.option_orders);
  let choices: Choice[] = [{ settings: {} }];
  const vary = <Value>(values: readonly Value[] | undefined, choose: (value: Value) => Choice) => {
    if (!values) return;
    choices = choices.flatMap((choice) =>
      values.map((value) => {
        const { settings, ...rest } = choose(value);
        return { ...choice, ...rest, settings: { ...choice.settings, ...settings } };
      }),
    );
  };
  vary(templates, (template) => ({ settings: { template: template.name }, template }));
  vary(axes.shots, (shots) => ({ settings: { shots: String(shots) }, shots }));
  vary(axes.retrievers && nameRetrievers(axes.retrievers), ({ name, choice }) => ({
    settings: { retriever: name },
    retriever: choice,
  }));
  vary(axes.seeds, (seed) => ({ settings: { seed: String(seed) }, seed }));
  vary(axes.meta_templates, (format) => ({
    settings: { format },
    metaTemplate: format === 'own' ? undefined : format,
  }));
  vary(axes.shots_as, (shotsAs) => ({ settings: { shots_as: shotsAs }, shotsAs }));
  vary(orders, (order) => ({ settings: { option_order: order.name }, order }));
  return choices;
}

function cellOf(dataset: DatasetEntry, choice: Choice, place: number): SweepCell {
  const { settings, metaTemplate, order, template } = choice;
  const abbr = [dataset.name, ...Object.entries(settings).map(describeSetting)].join('.');
  return {
    dataset: dataset.name,
    abbr,
    settings,
    entry: { ...writeEntry(dataset, choice), abbr },
    ...(metaTemplate !== undefined && { metaTemplate }),
    ...(order && { order }),
    from: {
      entry: place,
      ...(template?.writtenAt !== undefined && { template: template.writtenAt }),
    },
  };
}

/** `4-shot`, `seed-1`; names of templates and the like stand for themselves. */
function describeSetting([axis, value]: [string, string]): string {
  if (axis === 'shots') return `${value}-shot`;
  return axis === 'seed' ? `seed-${value}` : value.replaceAll(' ', '-');
}

function writeEntry(dataset: DatasetEntry, choice: Choice): Record<string, unknown> {
  const { version: _, version_hash: __, ...own } = dataset.own;
  const inferCfg = plainOf(own.infer_cfg);
  const { template } = choice;
  const { prompt_template: ___, ice_template: ____, ...rest } = inferCfg;
  const isOwnVersion = template?.version !== undefined;
  const templates = template
    ? {
        ...rest,
        ...(!isOwnVersion && {
          prompt_template: template.promptTemplate,
          ice_template: template.iceTemplate,
          ...(template.inferencer !== undefined && { inferencer: template.inferencer }),
        }),
      }
    : inferCfg;
  const retriever = { ...plainOf(template?.retriever), ...plainOf(templates.retriever) };
  return {
    ...(template ? own : dataset.own),
    ...(template?.version !== undefined && { version: template.version }),
    infer_cfg: dropUndefined({
      ...templates,
      ...(choice.shotsAs !== undefined && { shots_as: choice.shotsAs }),
      ...(changesShots(choice) && { retriever: writeRetriever(retriever, choice) }),
    }),
  };
}

function changesShots({ shots, retriever, seed }: Choice): boolean {
  return shots !== undefined || retriever !== undefined || seed !== undefined;
}

function dropUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}
