import type { ConfigInput } from './config-input.ts';

/** A config that is worked out when it is read. */
export type ConfigFunction = () => ConfigInput | Promise<ConfigInput>;

/**
 * Gives a TypeScript config its types. A function that returns the config may stand for it, also
 * an async one.
 *
 * @example
 * export default defineConfig({
 *   models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny' }],
 *   datasets: [{ task: 'arithmetic', version: 'equation' }],
 * });
 */
export function defineConfig(config: ConfigInput | ConfigFunction): ConfigInput {
  // Whatever takes a config takes such a function. With overloads compilers would tell of the wrong one.
  return config as ConfigInput;
}
