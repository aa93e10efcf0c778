import { hintForName } from '../../base/nearest-name.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import { namesConfig } from '../../config/flags.ts';
import { formatValue } from '../../prompt/values.ts';
import type { PromptView } from '../../study/view/prompt-view.ts';
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

/** The datasets that the options leave to choose from. */
export function eligibleDatasets(
  { datasets }: Config,
  { dataset: abbr, pattern }: ViewOptions,
): readonly DatasetConfig[] {
  const named = abbr === undefined ? datasets : [findNamed(datasets, { abbr, kind: 'dataset' })];
  if (pattern === undefined) return named;
  const matching = named.filter((dataset) => matchesGlob(dataset.abbr, pattern));
  if (matching.length > 0) return matching;
  throw new UsageError('view.no_match', `No dataset matches \`${pattern}\``, {
    hint: `Datasets: ${named.map((dataset) => dataset.abbr).join(', ')}.`,
  });
}

/** The entry with this abbr. */
export function findNamed<Entry extends { readonly abbr: string }>(
  entries: readonly Entry[],
  { abbr, kind }: { abbr: string; kind: 'model' | 'dataset' },
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
          ? `It has no ${kind}s.`
          : hintForName(abbr, { names, kind: kind === 'model' ? 'Models' : 'Datasets' }),
    },
  );
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
    `The dataset \`${view.dataset}\` has no label \`${label}\``,
    {
      hint:
        names.length > 0
          ? hintForName(label, { names, kind: 'Labels' })
          : `${view.inferencer} does not compare labels.`,
    },
  );
}

/** Whether a name matches a pattern in which `*` stands for any text and `?` for one character. */
export function matchesGlob(name: string, pattern: string): boolean {
  const source = pattern
    .replace(/[\\^$.+()[\]{}|/]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'su').test(name);
}
