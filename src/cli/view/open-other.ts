import { existsSync } from 'node:fs';
import { displayPath } from '../../base/display-path.ts';
import { hintForName } from '../../base/nearest-name.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { overrideConfig } from '../../config/override-config.ts';
import { findNamed } from './choose.ts';
import { type OpenedView, openView, type Selected } from './opened-view.ts';
import type { Comparison } from './render-diff.ts';
import type { ViewOptions } from './view-options.ts';

/** What a view is compared with. */
export interface Other {
  readonly opened: OpenedView;
  readonly names: Comparison['names'];
}

/** Opens what `--diff` names: another dataset of the config, or the same one of another config. */
export async function openOther(
  { config, selected }: { readonly config: Config; readonly selected: Selected },
  options: ViewOptions,
): Promise<Other> {
  const { diff = '', source, run } = options;
  const { model, dataset } = selected;
  if (config.datasets.some(({ abbr }) => abbr === diff)) {
    const opened = await openView({ config, run }, { model, dataset: diff });
    return { opened, names: [dataset, diff] };
  }
  if (!existsSync(diff)) {
    const names = config.datasets.map(({ abbr }) => abbr);
    throw new UsageError(
      'view.unknown_other',
      `\`${diff}\` is neither a dataset of the config nor a file`,
      { hint: hintForName(diff, { names, kind: 'Datasets' }) },
    );
  }
  const second = overrideConfig(await loadConfig(diff), options);
  const opened = await openView(
    { config: second, run },
    {
      model:
        model === undefined
          ? undefined
          : soleOrNamed(second.models, { abbr: model, kind: 'model' }).abbr,
      dataset: soleOrNamed(second.datasets, { abbr: dataset, kind: 'dataset' }).abbr,
    },
  );
  return { opened, names: [displayPath(source), displayPath(diff)] };
}

function soleOrNamed<Entry extends { readonly abbr: string }>(
  entries: readonly Entry[],
  wanted: { abbr: string; kind: 'model' | 'dataset' },
): Entry {
  const [only] = entries;
  return only && entries.length === 1 ? only : findNamed(entries, wanted);
}
