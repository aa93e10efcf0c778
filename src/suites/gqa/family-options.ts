import { type Command, InvalidArgumentError, Option } from 'commander';
import { countValue } from '../../terminal/option-values.ts';
import { type GqaCompat, gqaCompats } from './compat.ts';
import { datasetNames, type GqaSettings } from './settings/settings.ts';

/** What the commands of the GQA family have in common. */
export interface FamilyOptions {
  readonly dataset?: string;
  readonly data?: string;
  readonly datasetConfig?: string;
  readonly split?: string;
  readonly promptTemplate?: string;
  readonly preset?: string;
  readonly spec?: string;
  readonly experiment?: string;
  readonly chunkSource?: string;
  readonly imageRoot?: string;
  readonly limit?: number;
  readonly shuffleSeed?: number;
  readonly compat?: GqaCompat;
  readonly json?: boolean;
}

/** What is made of which data. */
export function addFamilyOptions(command: Command): Command {
  return command
    .option('--dataset <name>', `${datasetNames.join(', ')} (default: gqa)`)
    .option('--data <file>', 'file or address of the data (default: that of the hub)')
    .option('--dataset-config <name>', 'config of the hub (default: val_balanced_instructions)')
    .option('--split <name>', 'split of the hub (default: val)')
    .option('--prompt-template <text>', 'how a prompt is written; \\n is a line break')
    .option('--preset <name>', 'settings for a model, such as qwen3-vl-2b')
    .option('--spec <file>', 'JSON file of experiments')
    .option('--experiment <name>', 'one experiment of the spec')
    .option('--chunk-source <name>', 'what a cache compares (default: semantic)')
    .option('--image-root <folder>', 'folder in which images are looked for')
    .option('--limit <n>', 'only so many samples', countValue)
    .option('--shuffle-seed <n>', 'shuffle the samples', seedValue)
    .addOption(
      new Option('--compat <commit>', 'do exactly as the original did').choices(gqaCompats),
    )
    .helpOption('-h, --help', 'this text');
}

/** The settings that the command line gives; what it leaves out is left out here. */
export function givenSettings(options: FamilyOptions): Partial<GqaSettings> {
  const { promptTemplate, compat } = options;
  const given = {
    dataset: options.dataset,
    data: options.data,
    dataset_config: options.datasetConfig,
    split: options.split,
    prompt_template: compat ? promptTemplate : promptTemplate && unescapeText(promptTemplate),
    preset: options.preset,
    chunk_source: options.chunkSource,
    image_root: options.imageRoot,
    max_samples: options.limit,
    shuffle_seed: options.shuffleSeed,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function unescapeText(text: string): string {
  const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
  return text.replaceAll(/\\([nt\\])/g, (_, letter: string) => letters[letter] ?? '\\');
}

function seedValue(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number from 0 on.');
}
