import { checkConfig } from '../../../config/check-config.ts';
import type { Config, DatasetConfig } from '../../../config/config.ts';
import { type ConfigOverrides, overrideConfig } from '../../../config/override-config.ts';
import type { ConfigPath } from '../../../errors.ts';
import { entriesOf, isMapping, type Mapping } from '../../../prompt/mapping.ts';
import {
  type ReadTemplates,
  readTemplates,
  type TemplateText,
  templateKeys,
} from './template-text.ts';

/** What somebody changed of a dataset. */
export interface Edit {
  readonly dataset: string;
  /** Left out where the templates are those of the config. */
  readonly templates?: TemplateText | undefined;
  /** The name of a format that stands in for the model's own. */
  readonly format?: string | undefined;
}

/** The config as it would be with other templates, checked as any config is. */
export function editedConfig(config: Config, edit: Edit, overrides: ConfigOverrides = {}): Config {
  const entry = config.datasets.find(({ abbr }) => abbr === edit.dataset);
  const { templates, format } = edit;
  const changed =
    templates && entry ? withTemplates(config, entry, readTemplates(templates)) : config;
  const formatted =
    format === undefined
      ? changed
      : {
          ...changed,
          datasets: changed.datasets.map((dataset) =>
            dataset.abbr === edit.dataset ? { ...dataset, metaTemplate: format } : dataset,
          ),
        };
  return overrideConfig(formatted, overrides);
}

function withTemplates(
  config: Config,
  { source }: DatasetConfig,
  { templates, locate }: ReadTemplates,
): Config {
  const { written } = config;
  const infer = [...source, 'infer_cfg'];
  const value = changeAt(written.value, source, (dataset) =>
    // A text of one's own is no version of a task.
    withKeys(withoutKeys(dataset, ['version_hash']), {
      infer_cfg: withKeys(withoutKeys(keyOf(dataset, 'infer_cfg'), templateKeys), templates),
    }),
  );
  const ownPath = (path: ConfigPath): ConfigPath | undefined => {
    const isInside = infer.every((key, index) => path[index] === key);
    const [key] = path.slice(infer.length);
    return isInside && templateKeys.some((name) => name === key)
      ? path.slice(infer.length)
      : undefined;
  };
  const placed = <Place>(path: ConfigPath, index: number | undefined, otherwise: () => Place) => {
    const own = ownPath(path);
    return own ? locate(own, index) : otherwise();
  };
  return checkConfig({
    ...written,
    value: value as Mapping,
    locate: (path) => placed(path, undefined, () => written.locate(path)),
    locateKey: (path) => placed(path, undefined, () => written.locateKey(path)),
    locateInString: (path, index) => placed(path, index, () => written.locateInString(path, index)),
  });
}

/** A value with another one at a path. */
export function changeAt(
  value: unknown,
  path: ConfigPath,
  change: (value: unknown) => unknown,
): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? changeAt(item, rest, change) : item));
  }
  return withKeys(value, { [key]: changeAt(keyOf(value, String(key)), rest, change) });
}

export function keyOf(value: unknown, key: string): unknown {
  if (!isMapping(value)) return undefined;
  return entriesOf(value).find(([name]) => String(name) === key)?.[1];
}

export function withKeys(value: unknown, changes: Readonly<Record<string, unknown>>): Mapping {
  const entries = isMapping(value) ? entriesOf(value) : [];
  if (value instanceof Map) return new Map([...entries, ...Object.entries(changes)]);
  return { ...Object.fromEntries(entries), ...changes };
}

export function withoutKeys(value: unknown, keys: readonly string[]): Mapping {
  const entries = (isMapping(value) ? entriesOf(value) : []).filter(
    ([key]) => !keys.includes(String(key)),
  );
  return value instanceof Map ? new Map(entries) : Object.fromEntries(entries);
}
