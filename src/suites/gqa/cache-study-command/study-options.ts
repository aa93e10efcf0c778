import { Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../../base/usage-error.ts';
import { shareValue } from '../../../terminal/option-values.ts';
import { parseArguments } from '../../../terminal/parse-arguments.ts';
import type { CacheLayers } from '../cache-study/simulate.ts';
import { addFamilyOptions, checkFamilyOptions, type FamilyOptions } from '../family-options.ts';
import type { GqaSettings } from '../settings/settings.ts';
import { addPrefixOptions, type PrefixOptions } from './prefix-options.ts';

export interface StudyOptions extends FamilyOptions, PrefixOptions {
  readonly embeddingLayer?: readonly string[];
  readonly similarityThreshold?: number;
  readonly disableExactCache?: boolean;
  readonly disableSemanticCache?: boolean;
  readonly encoder?: string;
  readonly encoderModel?: string;
  readonly imageEncoder?: string;
  readonly apiKeyEnv?: string;
  /** Files of vectors by the layer that they are for. */
  readonly vectors: ReadonlyMap<string, string>;
  /** Thresholds to try, or false for none. */
  readonly sweep: readonly number[] | false;
  /** Thresholds to try for each pair of layers. */
  readonly grid?: readonly number[] | false;
  /** The share of wrong answers that a threshold is to keep under. */
  readonly maxWrong: number;
  readonly tokenizer?: string;
  readonly report?: string;
  readonly pairs?: string;
  readonly summaryLog?: string;
  readonly resume?: boolean;
  readonly samplesJsonl?: string;
  readonly logCsv?: string;
}

const defaultSweep = '0.5:0.95:0.05';

/** Reads the arguments of `typecase cache-study`, or prints the help and gives undefined. */
export function parseStudyOptions(args: readonly string[]): StudyOptions | undefined {
  const options = parseArguments(describeStudy(), args)?.opts<StudyOptions>();
  if (!options) return undefined;
  checkFamilyOptions(options);
  if (options.cacheMode === 'live' && backendOf(options) === 'semantic-kv') {
    throw new UsageError('gqa.not_simulated', '`--cache-mode live` needs the state of a model', {
      hint: 'Use `dry-run`, which counts hits alone, or `--cache-backend model-router`.',
    });
  }
  const summaryLog = options.summaryLog ?? options.logFile;
  if (options.resume && summaryLog === undefined) {
    throw new UsageError('usage.missing_argument', '`--resume` needs the log of an earlier run', {
      hint: 'Add `--summary-log FILE`.',
    });
  }
  return { ...options, ...(summaryLog !== undefined && { summaryLog }) };
}

/** What the cache keeps; the original's own is the model's state, unless it asks Hugging Face's. */
export function backendOf(options: StudyOptions): CacheLayers['backend'] {
  const { compat, cacheBackend, useHf } = options;
  if (!compat || useHf) return 'model-router';
  return cacheBackend ?? 'semantic-kv';
}

function describeStudy(): Command {
  return addPrefixOptions(addFamilyOptions(new Command('typecase cache-study')))
    .description(
      'Says what a cache of answers would save on a dataset, and what it would spoil. With a config in the first place (`typecase cache-study CONFIG --help`): what a prefix cache would save on its run.',
    )
    .option('--embedding-layer <name:dim[:threshold]>', 'compare vectors; may be repeated', append)
    .option('--similarity-threshold <n>', 'lowest similarity of chunk texts', thresholdValue)
    .option('--disable-exact-cache', 'do not look for equal chunk texts')
    .option('--disable-semantic-cache', 'do not look for similar chunk texts')
    .option('--encoder <name>', 'hashing (default), the address of /embeddings, or a model folder')
    .option('--encoder-model <name>', 'the name that the endpoint knows the encoder by')
    .option('--image-encoder <folder>', 'vision model that turns images into vectors')
    .option('--api-key-env <name>', 'environment variable that holds the API key')
    .option('--vectors <layer=file>', 'vectors of a layer, or of `semantic`', addVectors, new Map())
    .option('--sweep <from:to:step>', 'thresholds to try', sweepValue, sweepValue(defaultSweep))
    .option('--no-sweep', 'try no other thresholds')
    .option('--max-wrong <share>', 'wrong answers that are bearable', shareValue, 0.05)
    .option('--grid <from:to:step>', 'thresholds to try for two layers of vectors', sweepValue)
    .option('--no-grid', 'try no pairs of thresholds')
    .option('--tokenizer <file>', 'tokenizer.json to count tokens of prompts')
    .option('--report <file>', 'write a page (.html) or the plot alone (.svg)')
    .option('--pairs <file>', 'write what would be reused for what as JSONL')
    .option('--summary-log <file>', 'add a line of totals to this CSV, as the original does')
    .option('--resume', 'leave out experiments that the log of totals has')
    .option('--samples-jsonl <file>', 'write a line for each sample, as the original does')
    .option('--log-csv <file>', 'the same as CSV')
    .option('--json', 'print the result for machines');
}

/** The settings that the command line gives besides those of the family. */
export function studySettings(options: StudyOptions): Partial<GqaSettings> {
  const { embeddingLayer, similarityThreshold } = options;
  return {
    ...(embeddingLayer && { embedding_layers: embeddingLayer }),
    ...(similarityThreshold !== undefined && { similarity_threshold: similarityThreshold }),
    ...(options.disableExactCache && { enable_exact_text_cache: false }),
    ...(options.disableSemanticCache && { enable_semantic_text_cache: false }),
  };
}

function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function addVectors(value: string, before: ReadonlyMap<string, string>): Map<string, string> {
  const [, name, file] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (name !== undefined && file !== undefined) return new Map(before).set(name, file);
  throw new InvalidArgumentError('Write LAYER=FILE, such as prompt=prompts.npy.');
}

function thresholdValue(value: string): number {
  if (value.trim() !== '' && Math.abs(Number(value)) <= 1) return Number(value);
  throw new InvalidArgumentError('It must be a similarity from -1 to 1.');
}

function sweepValue(value: string): readonly number[] {
  const [from = Number.NaN, to = Number.NaN, step = 0] = value.split(':').map(Number);
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (Math.abs(from) <= 1 && to >= from && to <= 1 && step > 0 && count <= 200) {
    return Array.from({ length: count }, (_, index) => Number((from + index * step).toFixed(6)));
  }
  throw new InvalidArgumentError(
    'Write FROM:TO:STEP with thresholds up to 1, such as 0.5:0.95:0.05.',
  );
}
