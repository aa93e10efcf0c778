import { Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../../base/usage-error.ts';
import { shareValue } from '../../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../../terminal/parse-arguments.ts';
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
    throw new UsageError('gqa.not_simulated', '`--cache-mode live` needs a running model', {
      hint: 'Use `dry-run`, which only counts hits, or `--cache-backend model-router`.',
    });
  }
  const summaryLog = options.summaryLog ?? options.logFile;
  if (options.resume && summaryLog === undefined) {
    throw new UsageError(
      'usage.missing_argument',
      '`--resume` needs the summary log of an earlier run',
      {
        hint: 'Add `--summary-log FILE`.',
      },
    );
  }
  return { ...options, ...(summaryLog !== undefined && { summaryLog }) };
}

/** What the cache keeps; the original's own is the model's state, unless it asks Hugging Face's. */
export function backendOf(options: StudyOptions): CacheLayers['backend'] {
  const { compat, cacheBackend, useHf } = options;
  if (!compat || useHf) return 'model-router';
  return cacheBackend ?? 'semantic-kv';
}

export function describeStudy(): Command {
  return addExamples(
    addPrefixOptions(addFamilyOptions(new Command('typecase cache-study')))
      .description(
        'Measures how much a response cache would save on a dataset, and how many wrong answers it would serve. With a config as the first argument (see `typecase cache-study CONFIG --help`), estimates what a prefix cache would save on its run.',
      )
      .optionsGroup('Response cache:')
      .option(
        '--embedding-layer <layer>',
        'compare vectors: NAME:DIM[:THRESHOLD]; repeatable',
        append,
      )
      .option('--similarity-threshold <n>', 'minimum similarity of chunk texts', thresholdValue)
      .option('--disable-exact-cache', 'skip equal chunk texts')
      .option('--disable-semantic-cache', 'skip similar chunk texts')
      .option('--encoder <name>', 'hashing (default), an /embeddings endpoint, or a model folder')
      .option('--encoder-model <name>', 'model name to send to the endpoint')
      .option('--image-encoder <folder>', 'vision model that embeds images')
      .option('--api-key-env <name>', 'environment variable that holds the API key')
      .option(
        '--vectors <layer=file>',
        'vectors for a layer, or for `semantic`',
        addVectors,
        new Map(),
      )
      .addOption(
        new Option('--sweep <from:to:step>', 'thresholds to try')
          .argParser(sweepValue)
          .default(sweepValue(defaultSweep), defaultSweep),
      )
      .option('--no-sweep', 'do not try other thresholds')
      .option('--max-wrong <share>', 'acceptable share of wrong answers', shareValue, 0.05)
      .option('--grid <from:to:step>', 'thresholds to try for two vector layers', sweepValue)
      .option('--no-grid', 'do not try pairs of thresholds')
      .optionsGroup('Output:')
      .option('--tokenizer <file>', 'tokenizer.json for counting prompt tokens')
      .option('--report <file>', 'write a page (.html), or only the plot (.svg)')
      .option('--pairs <file>', 'write which answer each hit would reuse, as JSONL')
      .option('--summary-log <file>', 'append a line of totals to this CSV, as upstream does')
      .option('--resume', 'skip experiments already in the summary log')
      .option('--samples-jsonl <file>', 'write one line per sample, as upstream does')
      .option('--log-csv <file>', 'the same as CSV')
      .option('--json', 'print JSON'),
    [
      ['200 samples of a local file', 'typecase cache-study --data gqa.jsonl --limit 200'],
      ['the prefix cache of a run', 'typecase cache-study eval.yaml'],
    ],
  );
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
