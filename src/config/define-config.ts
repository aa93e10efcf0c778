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
export function defineConfig(config: ConfigFunction): ConfigFunction;
export function defineConfig(config: ConfigInput): ConfigInput;
export function defineConfig(config: ConfigInput | ConfigFunction): ConfigInput | ConfigFunction {
  return config;
}
