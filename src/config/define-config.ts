import type * as z from 'zod';
import type { configSchema } from './schema.ts';

type WrittenConfig = z.input<ReturnType<typeof configSchema>>;
export type WrittenDataset = NonNullable<WrittenConfig['datasets']>[number];

/** A dataset that names a task: what it does not say itself, the task says. */
type TaskDataset = Partial<Omit<WrittenDataset, 'task' | 'reader_cfg' | 'infer_cfg'>> & {
  readonly task: string;
  readonly reader_cfg?: Partial<WrittenDataset['reader_cfg']>;
  readonly infer_cfg?: Partial<WrittenDataset['infer_cfg']>;
};

type DatasetInput = WrittenDataset | TaskDataset;

/** What a config file may hold, spelled as in the file. */
export type ConfigInput = Pick<
  WrittenConfig,
  'compat' | 'models' | 'work_dir' | 'summarizer' | 'seed' | 'gate' | 'sweep' | '$schema'
> & {
  datasets?: readonly DatasetInput[] | undefined;
  [list: `${string}_datasets`]: readonly DatasetInput[] | undefined;
  [list: `${string}_models`]: WrittenConfig['models'];
};

/**
 * Gives a TypeScript config its types.
 *
 * @example
 * export default defineConfig({
 *   models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny' }],
 *   datasets: [{ task: 'arithmetic', version: 'equation' }],
 * });
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}
