import { parse } from 'yaml';
import type { Config } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { parseConfig } from '../config/load-config.ts';
import { openEvaluations } from '../evaluation/open-evaluations.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { makeView } from '../study/view/prompt-view.ts';
import type { NativeConfig } from './native-config.ts';
import { asPlain, fromEntries, type Plain, pickKeys } from './plain-value.ts';
import { chatStandIn } from './stand-in.ts';

export interface PromptCheck {
  readonly equal: number;
  readonly all: number;
  /** What differs, or cannot be shown, by the abbr of the dataset. */
  readonly differences: readonly string[];
}

const sampleRows = 3;

/** Compares the prompts of a config as it was read with those of the text that was written from it. */
export async function checkPrompts(native: NativeConfig, written: string): Promise<PromptCheck> {
  const again = fromMaps(parse(written, { mapAsMap: true })) as { datasets: readonly Plain[] };
  let [equal, all] = [0, 0];
  const differences: string[] = [];
  for (const [index, dataset] of (native.value.datasets as readonly Plain[]).entries()) {
    const pair = [dataset, again.datasets[index] ?? {}].map((one) =>
      withRows(native, one, dataset),
    );
    all++;
    try {
      const [before, after] = await Promise.all(pair.map(promptsOf));
      if (before === after) equal++;
      else differences.push(`${dataset.abbr}: the prompts differ`);
    } catch (error) {
      differences.push(
        `${dataset.abbr}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return { equal, all, differences };
}

/** A config of one dataset, with rows that are made up. */
export function withMadeUpRows(native: NativeConfig, dataset: Plain): Plain {
  return withRows(native, dataset, without(dataset, ['path', 'published']));
}

/** A config of one dataset with the rows of another, which are made up if it has none. */
function withRows({ value: { compat } }: NativeConfig, dataset: Plain, source: Plain): Plain {
  const rows =
    source.path === undefined
      ? { rows: madeUpRows(dataset) }
      : pickKeys(source, ['path', 'published']);
  const unscored = without(dataset, ['path', 'published', 'eval_cfg']);
  return chatStandIn({ compat, datasets: [{ ...unscored, ...rows }] });
}

function without(value: Plain, keys: readonly string[]): Plain {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** Rows that have a text in each column, for every split that the dataset names. */
function madeUpRows(dataset: Plain): Readonly<Record<string, readonly Plain[]>> {
  const reader = dataset.reader_cfg as Plain;
  const { input_columns: inputs, output_column: output } = reader;
  const columns = [typeof inputs === 'string' ? inputs.split(/\s+/) : inputs, output ?? []]
    .flat()
    .map(String);
  const labels = labelsOf(dataset);
  const isShown = asPlain(asPlain(dataset.infer_cfg)?.prompt_template)?.type === 'MMPromptTemplate';
  const rows = Array.from({ length: 40 }, (_, row) => ({
    ...Object.fromEntries(
      columns.map((column) => {
        const isLabel = column === reader.output_column && labels.length > 0;
        return [column, isLabel ? labels[row % labels.length] : `${column} ${row}`];
      }),
    ),
    ...(isShown && { content: `<AIS_TEXT_START>content ${row}<AIS_CONTENT_TAG>` }),
  }));
  const splits = ['train', 'test', reader.train_split, reader.test_split].filter(
    (split) => typeof split === 'string',
  );
  return Object.fromEntries(splits.map((split) => [split as string, rows]));
}

/** The labels that a dataset has a template for each of. */
function labelsOf(dataset: Plain): readonly unknown[] {
  const infer = asPlain(dataset.infer_cfg);
  const templates = [infer?.prompt_template, infer?.ice_template].map(
    (one) => asPlain(one)?.template,
  );
  const labelled = templates.map((one) =>
    one instanceof Map ? [...one.keys()] : Object.keys(asPlain(one) ?? {}),
  );
  return (
    labelled.find((keys) => keys.some((key) => !['begin', 'round', 'end'].includes(key))) ?? []
  );
}

/** Objects for maps whose keys are texts. */
function fromMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromMaps);
  if (!(value instanceof Map)) return value;
  return fromEntries([...value].map(([key, item]) => [key, fromMaps(item)]));
}

/** The prompts of the first rows, as text. */
export async function promptsOf(value: Plain): Promise<string> {
  const config: Config = await parseConfig(value as ConfigInput);
  const evaluations = await openEvaluations(config, { purpose: 'view' });
  try {
    const views: unknown[] = [];
    for (const evaluation of evaluations) {
      const rows: PositionedRow[] = [];
      for await (const batch of evaluation.rows.batches()) {
        rows.push(...batch);
        if (rows.length >= sampleRows) break;
      }
      for (const row of rows.slice(0, sampleRows)) {
        const { prompts, requests } = await makeView({ config, evaluation }, row);
        views.push([prompts.map(({ label, sent }) => [label, sent]), requests]);
      }
    }
    return JSON.stringify(views);
  } finally {
    await evaluations.close();
  }
}
