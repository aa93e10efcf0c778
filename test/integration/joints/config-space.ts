import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { factorNames, type Levels } from './factors.ts';
import { whyRefused } from './rules.ts';
import { otherDataset, sampleDataset } from './sample-dataset.ts';
import { jinjaFile, jinjaTemplate, sampleModels } from './sample-models.ts';
import { sampleSource } from './sample-source.ts';

/** A config with its data, ready to be written into a folder. */
export interface SampleConfig {
  readonly levels: Levels;
  readonly config: object;
  readonly files: Readonly<Record<string, string | Buffer>>;
}

/** The config that has these levels; its models are at the address. */
export function buildConfig(levels: Levels, url: string): SampleConfig {
  const refusal = whyRefused(levels);
  if (refusal !== undefined) throw new RangeError(`${refusal}: ${JSON.stringify(levels)}`);
  const { compat, seed, size } = levels;
  const { source, files } = sampleSource(levels);
  const hasSecond = size === 'two-datasets' || size === 'both';
  return {
    levels,
    files: { ...files, ...(levels.model === 'jinja' && { [jinjaFile]: jinjaTemplate }) },
    config: {
      ...((compat === 'opencompass' || compat === 'aisbench') && { compat }),
      ...(seed === 'config' && { seed: 5 }),
      models: sampleModels(levels, url),
      datasets: [sampleDataset(levels, { source, url }), ...(hasSecond ? [otherDataset] : [])],
    },
  };
}

/** Writes the config and its data into a folder, and gives the path of the config. */
export async function writeConfig(sample: SampleConfig, folder: string): Promise<string> {
  const { levels, config, files } = sample;
  const whole = { work_dir: join(folder, 'runs'), ...config };
  const name = `config.${levels.file}`;
  const text = levels.file === 'yaml' ? stringify(whole) : JSON.stringify(whole, null, 2);
  for (const [path, content] of Object.entries({ ...files, [name]: text })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return join(folder, name);
}

/** The levels that are not the plain ones, to tell configs apart by. */
export function describeLevels(levels: Levels, plain: Levels): string {
  const named = factorNames.filter((name) => levels[name] !== plain[name]);
  return named.map((name) => `${name}: ${levels[name]}`).join(', ');
}
