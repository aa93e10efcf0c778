import { existsSync } from 'node:fs';
import { displayPath } from '../display-path.ts';
import { hintForName, UsageError } from '../usage-error.ts';
import { findNamed } from './choose.ts';
import { type OpenedConfig, type OpenedPair, openConfig } from './opened-config.ts';
import type { Comparison } from './render-diff.ts';
import type { ViewOptions } from './view-options.ts';

/** What a pair is compared with. */
export interface Other {
  readonly pair: OpenedPair;
  readonly names: Comparison['names'];
}

/** Opens what `--diff` names: another data set of the config, or the same one of another config. */
export async function openOther(
  { opened, pair: { model, dataset } }: { opened: OpenedConfig; pair: OpenedPair },
  { diff = '', config, compat }: ViewOptions,
): Promise<Other> {
  const { datasets } = opened.config;
  const other = datasets.find(({ abbr }) => abbr === diff);
  if (other) return { pair: await opened.open(model, other), names: [dataset.abbr, diff] };
  if (!existsSync(diff)) {
    const names = datasets.map(({ abbr }) => abbr);
    throw new UsageError(
      'view.unknown_other',
      `\`${diff}\` is neither a data set of the config nor a file`,
      { hint: hintForName(diff, { names, kind: 'Data sets' }) },
    );
  }
  const second = await openConfig(diff, compat);
  const pair = await second.open(
    model && soleOrNamed(second.config.models, { abbr: model.abbr, kind: 'model' }),
    soleOrNamed(second.config.datasets, { abbr: dataset.abbr, kind: 'data set' }),
  );
  return { pair, names: [displayPath(config), displayPath(diff)] };
}

function soleOrNamed<Entry extends { readonly abbr: string }>(
  entries: readonly Entry[],
  wanted: { abbr: string; kind: 'model' | 'data set' },
): Entry {
  const [only] = entries;
  return only && entries.length === 1 ? only : findNamed(entries, wanted);
}
