import type * as z from 'zod';
import type { configSchema } from './schema.ts';

/** What a config file may hold, spelled as in the file. */
export type ConfigInput = z.input<ReturnType<typeof configSchema>>;

/**
 * Gives a TypeScript config its types.
 *
 * @example
 * export default defineConfig({
 *   datasets: [{ path: 'sums.jsonl', reader_cfg: { … }, infer_cfg: { … } }],
 * });
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
