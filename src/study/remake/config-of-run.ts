import type { Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import { spelledConfig } from '../../config/load-config.ts';
import type { RecordedModel, RunFile } from '../../run/store/run-file.ts';

interface ConfigPlaces {
  /** Where files are looked for. */
  readonly folder: string;
  /** What is there of a model's files; left out: all that its config names. */
  readonly files?: { readonly chatTemplate: string | undefined } | undefined;
}

/** The config of a run as its record has it, without rows and without what is secret. */
export async function configOfRun(
  { models, datasets, seed }: RunFile,
  { folder, files }: ConfigPlaces,
): Promise<Config> {
  return {
    written: await spelledConfig({}, { folder }),
    folder,
    models: models.map((model, index) => ({
      ...modelConfig(model, index),
      ...(files && { ...files, chatTemplateName: undefined, tokenizer: undefined }),
    })),
    datasets: datasets.map(
      ({ evalCfg, ...dataset }, index) =>
        ({
          ...dataset,
          // Judges and functions are not on record; only the orders of options shape requests.
          ...(evalCfg?.circular && { evalCfg }),
          source: ['datasets', index],
          rows: { type: 'inline', rows: [] },
        }) as unknown as DatasetConfig,
    ),
    ...(seed !== undefined && { seed }),
    notices: [],
  };
}

/** Of headers only the names are on record. */
function modelConfig({ name, config = {}, compat }: RecordedModel, index: number): ModelConfig {
  const { headers, options: _, ...settings } = config;
  return {
    ...settings,
    source: ['models', index],
    abbr: name,
    ...(Array.isArray(headers) && {
      headers: Object.fromEntries(headers.map((header) => [header, ''])),
    }),
    compat,
  };
}
