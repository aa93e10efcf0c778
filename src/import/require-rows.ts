import { UsageError } from '../base/usage-error.ts';
import { ConfigError } from '../errors.ts';
import { knownDatasetClasses } from './dataset-files.ts';
import type { NativeConfig } from './native-config.ts';
import { asPlain, type Plain } from './plain-value.ts';

/** What rows of a dataset need: also the answers of models that others are compared with. */
export function columnsOf({ reader_cfg: reader, eval_cfg: scoring }: Plain): string[] {
  const { input_columns: columns, output_column: output } = reader as Plain;
  const rivals = asPlain(asPlain(scoring)?.evaluator)?.base_models;
  return [columns, output ?? [], rivals ?? []].flat() as string[];
}

const shownDatasets = 6;

/** A config with the datasets that have rows, and what to say of the others. */
export interface WithRows {
  readonly native: NativeConfig;
  readonly leftOut?: string | undefined;
}

/** Leaves out datasets without rows; refuses if none has any, or if one of them is asked for by name. */
export function requireRows(native: NativeConfig, wanted: readonly string[]): WithRows {
  const { value } = native;
  const datasets = value.datasets as readonly Plain[];
  if (datasets.length === 0) {
    throw new ConfigError('import.no_datasets', 'the config has no datasets', {
      hint: 'Give a config with a list `datasets`, or one whose name ends in `_datasets`.',
    });
  }
  const without = datasets.filter(({ path }) => path === undefined);
  if (without.length === 0) return { native };
  const abbrs = new Set(without.map(({ abbr }) => String(abbr)));
  if (without.length === datasets.length || wanted.some((abbr) => abbrs.has(abbr))) {
    const hint = `${whatToGive(native, without)} \`--data FILE\` is used for all of them; --data-dir finds the published files of ${knownDatasetClasses.length} dataset classes (docs/migrate/opencompass.md).`;
    const what = `no rows found for ${without.length} of ${datasets.length} datasets`;
    throw new UsageError('import.no_rows', what, { hint });
  }
  const groups = groupsWithout(value, abbrs);
  const lost = groups.lost.map((name) => ` and the group \`${name}\``).join('');
  return {
    native: {
      ...native,
      value: {
        ...value,
        datasets: datasets.filter(({ path }) => path !== undefined),
        ...(value.summarizer !== undefined && { summarizer: { summary_groups: groups.kept } }),
      },
      hashes: new Map([...native.hashes].filter(([abbr]) => !abbrs.has(abbr))),
    },
    leftOut: `Left out without rows: ${[...abbrs].join(', ')}${lost}. ${whatToGive(native, without)}`,
  };
}

/** An average lacks nothing, or is not shown. */
function groupsWithout({ summarizer }: Plain, abbrs: ReadonlySet<string>) {
  const groups = (asPlain(summarizer)?.summary_groups ?? []) as readonly Plain[];
  const isKept = ({ subsets }: Plain) => !(subsets as string[]).some((abbr) => abbrs.has(abbr));
  return {
    kept: groups.filter(isKept),
    lost: groups.filter((group) => !isKept(group)).map(({ name }) => String(name)),
  };
}

function whatToGive({ missing }: NativeConfig, without: readonly Plain[]): string {
  const lines = without
    .slice(0, shownDatasets)
    .map((dataset) => `--data ${dataset.abbr}=FILE with ${columnsOf(dataset).join(', ')}`);
  const others = without.length - shownDatasets;
  const more = others > 0 ? `; and ${others} more` : '';
  const paths = [...new Set(without.flatMap(({ abbr }) => missing.get(abbr as string) ?? []))];
  const absent = paths.slice(0, shownDatasets).join(', ');
  const files = absent === '' ? 'G' : `${absent} not found: put the published files there, or g`;
  return `${files}ive their files: ${lines.join('; ')}${more}.`;
}
