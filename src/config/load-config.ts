import { ConfigError } from '../errors.ts';
import type { Mapping } from '../prompt/mapping.ts';
import { configSources, type ForeignConfig } from '../tasks/sources.ts';
import { checkConfig } from './check-config.ts';
import type { Config } from './config.ts';
import type { ConfigInput } from './config-input.ts';
import type { ConfigFunction } from './define-config.ts';
import type { LoadedConfig } from './loaded-config.ts';
import { withTasks } from './merge-tasks.ts';

export interface ParseOptions {
  /** Relative paths are relative to this folder; the working folder by default. */
  readonly folder?: string | undefined;
}

/** The names of files that are configs of promptfoo. */
export const promptfooFile = /(?:^|[\\/])promptfooconfig[^\\/]*\.(?:ya?ml|json|[cm]?[jt]s)$/i;

/**
 * Reads and checks a config file: TypeScript, JavaScript, YAML or JSON.
 *
 * @example
 * const config = await loadConfig('examples/sums.yaml');
 * config.datasets.map(({ abbr }) => abbr); // ['sums', 'sums-verbose']
 */
export async function loadConfig(file: string): Promise<Config> {
  const { promptfoo } = configSources;
  if (promptfoo && promptfooFile.test(file)) {
    const { readPromptfoo } = await promptfoo();
    return checkForeign(await readPromptfoo(file, { isAsked: true }));
  }
  const { readConfigFile } = await import('./read-config-file.ts');
  return checkConfig(await readConfigFile(file));
}

/**
 * Checks a config object that is written like a config file.
 *
 * @example
 * const config = await parseConfig({
 *   models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny' }],
 *   datasets: [{ task: 'arithmetic', version: 'equation' }],
 * });
 * config.datasets[0]?.abbr; // 'arithmetic-equation'
 */
export async function parseConfig(value: ConfigInput, options: ParseOptions = {}): Promise<Config> {
  return checkConfig(await spelledConfig(value as Mapping, options));
}

/** Checks a config of another system, as if it had been written in the words of this project. */
export async function checkForeign({ value, folder, name }: ForeignConfig): Promise<Config> {
  return { ...(await parseConfig(value as ConfigInput, { folder })), name };
}

/** A checked config, whether it comes checked or as a program spells it. */
export async function toConfig(given: Config | ConfigInput | ConfigFunction): Promise<Config> {
  const config = typeof given === 'function' ? await given() : given;
  if (typeof config !== 'object' || config === null) {
    throw new ConfigError(
      'config.not_an_object',
      'A config must be an object, or the result of `loadConfig`',
      {
        hint: "Read a file with `await loadConfig('config.yaml')`.",
      },
    );
  }
  return 'written' in config ? (config as Config) : parseConfig(config);
}

/** A config without a file, with the tasks that it names looked up. */
export async function spelledConfig(
  value: Mapping,
  { folder = process.cwd() }: ParseOptions = {},
): Promise<LoadedConfig> {
  return withTasks({
    folder,
    value,
    unexpanded: value,
    sources: new Map(),
    locate: () => undefined,
    locateKey: () => undefined,
    locateInString: () => undefined,
  });
}
