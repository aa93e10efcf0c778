import { nearestName } from '../../../base/nearest-name.ts';
import { ConfigError } from '../../../errors.ts';
import {
  describeType,
  entriesOf,
  isMapping,
  type Mapping,
  toPlain,
} from '../../../prompt/mapping.ts';
import { Float, type Row } from '../../../prompt/values.ts';
import { functionTag, type TaskYaml } from './read-task-yaml.ts';

export const outputTypes = [
  'generate_until',
  'multiple_choice',
  'loglikelihood',
  'loglikelihood_rolling',
] as const;

export type OutputType = (typeof outputTypes)[number];

/** A function in Python that is supplied in TypeScript, by its name there such as `utils.process_docs`. */
export interface FunctionName {
  readonly function: string;
}

/** How a document becomes text: a template or column, a value as it is, or a function. */
export type DocumentText = string | number | readonly unknown[] | Mapping | FunctionName;

/** A task of lm-evaluation-harness with its defaults filled in. */
export interface LmEvalTask {
  readonly name: string;
  readonly alias: string;
  readonly version: string;
  readonly outputType: OutputType;
  readonly splits: TaskSplits;
  readonly processDocs?: FunctionName | undefined;
  readonly docToText: DocumentText;
  readonly docToTarget: DocumentText;
  readonly docToChoice?: DocumentText | undefined;
  readonly description: string | FunctionName;
  readonly targetDelimiter: string;
  readonly fewshotDelimiter: string;
  readonly genPrefix?: string | undefined;
  readonly numFewshot?: number | undefined;
  readonly fewshot: FewshotSettings;
  readonly metrics: readonly MetricEntry[];
  readonly processResults?: FunctionName | undefined;
  /** With `until`. */
  readonly generationKwargs: Readonly<Record<string, unknown>>;
  readonly repeats: number;
  readonly filters: readonly FilterPipeline[];
}

export interface TaskSplits {
  readonly training?: string | undefined;
  readonly validation?: string | undefined;
  readonly test?: string | undefined;
}

/** How examples are chosen and shown; what is left out is as for the row itself. */
export interface FewshotSettings {
  readonly sampler: 'default' | 'first_n';
  readonly split?: string | undefined;
  readonly samples?: readonly Row[] | FunctionName | undefined;
  readonly processDocs?: FunctionName | undefined;
  readonly docToText: DocumentText;
  readonly docToTarget: DocumentText;
  readonly docToChoice?: DocumentText | undefined;
  readonly genPrefix?: string | undefined;
  readonly targetDelimiter: string;
  readonly fewshotDelimiter: string;
}

export interface MetricEntry {
  readonly metric: string;
  /** The metric itself, where it is a function. */
  readonly run?: FunctionName | undefined;
  readonly aggregation?: string | FunctionName | undefined;
  readonly higherIsBetter?: boolean | undefined;
  /** One of the library `evaluate`. */
  readonly isFromHub: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface FilterPipeline {
  readonly name: string;
  readonly steps: readonly FilterStep[];
}

export interface FilterStep {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

const defaultMetrics: Readonly<Record<OutputType, readonly string[]>> = {
  loglikelihood: ['perplexity', 'acc'],
  loglikelihood_rolling: ['word_perplexity', 'byte_perplexity', 'bits_per_byte'],
  multiple_choice: ['acc', 'acc_norm'],
  generate_until: ['exact_match'],
};

const knownKeys = [
  ...['task', 'task_alias', 'tag', 'custom_dataset', 'dataset_path', 'dataset_name'],
  ...['dataset_kwargs', 'training_split', 'validation_split', 'test_split', 'fewshot_split'],
  ...['process_docs', 'doc_to_text', 'doc_to_target', 'doc_to_image', 'doc_to_audio'],
  ...['unsafe_code', 'doc_to_choice', 'process_results', 'use_prompt', 'description'],
  ...['target_delimiter', 'fewshot_delimiter', 'fewshot_config', 'num_fewshot', 'metric_list'],
  ...['output_type', 'generation_kwargs', 'repeats', 'filter_list', 'should_decontaminate'],
  ...['doc_to_decontamination_query', 'gen_prefix', 'metadata'],
];

/** What tasks may have and nothing here can do. */
const missingParts: Readonly<Record<string, string>> = {
  doc_to_image: 'images',
  doc_to_audio: 'audio',
  use_prompt: 'templates of promptsource',
};

/** Reads a task whose includes and groups are put in. What is wrong or missing is said all at once. */
export function parseTask(yaml: TaskYaml, file?: string): LmEvalTask {
  const problems: string[] = [];
  const reader = new TaskReader(yaml, problems);
  const task = reader.read();
  if (problems.length === 0) return task;
  const name = typeof yaml.task === 'string' ? yaml.task : 'the task';
  throw new ConfigError('lm_eval.bad_task', `${name}: ${problems.join('; ')}`, {
    ...(file !== undefined && { at: { file, line: 1, column: 1 } }),
    hint: 'docs/migrate/lm-eval.md lists what is supported.',
  });
}

class TaskReader {
  readonly #yaml: TaskYaml;
  readonly #problems: string[];

  constructor(yaml: TaskYaml, problems: string[]) {
    this.#yaml = yaml;
    this.#problems = problems;
  }

  read(): LmEvalTask {
    this.#checkKeys();
    const { task, task_alias: alias, metadata } = this.#yaml;
    const name = String(task ?? '');
    if (name === '') this.#problems.push('it has no `task`');
    const outputType = this.#outputType();
    const docToText = this.#document('doc_to_text') ?? '';
    const docToTarget = this.#document('doc_to_target') ?? '';
    const docToChoice = this.#document('doc_to_choice');
    if (outputType === 'multiple_choice' && docToChoice === undefined) {
      this.#problems.push('`multiple_choice` needs `doc_to_choice`');
    }
    const targetDelimiter = this.#text('target_delimiter') ?? ' ';
    const fewshotDelimiter = this.#text('fewshot_delimiter') ?? '\n\n';
    const genPrefix = this.#text('gen_prefix');
    const processDocs = functionIn(this.#yaml.process_docs);
    const shared = { docToText, docToTarget, docToChoice, targetDelimiter, fewshotDelimiter };
    const version = isMapping(metadata) ? Object.fromEntries(entriesOf(metadata)).version : null;
    return {
      name,
      alias: String(alias ?? name),
      version: String(toPlain(version) ?? 'Yaml'),
      outputType,
      splits: this.#splits(),
      processDocs,
      ...shared,
      description: functionIn(this.#yaml.description) ?? this.#text('description') ?? '',
      genPrefix,
      numFewshot: this.#count('num_fewshot'),
      fewshot: this.#fewshot({ ...shared, genPrefix, processDocs }),
      metrics: this.#metrics(outputType),
      processResults: functionIn(this.#yaml.process_results),
      generationKwargs: this.#generationKwargs(fewshotDelimiter),
      repeats: Math.max(1, this.#count('repeats') ?? 1),
      filters: this.#filters(),
    };
  }

  #checkKeys(): void {
    for (const [key, value] of Object.entries(this.#yaml)) {
      if (!knownKeys.includes(key)) {
        const near = nearestName(key, knownKeys);
        this.#problems.push(`there is no \`${key}\`${near ? ` (\`${near}\`?)` : ''}`);
      }
      if (value !== null && missingParts[key] !== undefined) {
        this.#problems.push(`\`${key}\`: ${missingParts[key]} cannot be used here`);
      }
    }
  }

  #outputType(): OutputType {
    const given = this.#yaml.output_type ?? 'generate_until';
    const found = outputTypes.find((type) => type === given);
    if (!found) this.#problems.push(`\`output_type\` is ${String(given)}`);
    return found ?? 'generate_until';
  }

  #splits(): TaskSplits {
    const splits = {
      training: this.#text('training_split'),
      validation: this.#text('validation_split'),
      test: this.#text('test_split'),
    };
    if (splits.test === undefined && splits.validation === undefined) {
      this.#problems.push('it has neither `test_split` nor `validation_split`');
    }
    return splits;
  }

  #text(key: string, from: TaskYaml = this.#yaml): string | undefined {
    const value = from[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    this.#problems.push(`\`${key}\` must be text, not ${describeType(value)}`);
    return undefined;
  }

  #count(key: string): number | undefined {
    const value = this.#yaml[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    this.#problems.push(`\`${key}\` must be a whole number, 0 or above`);
    return undefined;
  }

  #document(key: string, from: TaskYaml = this.#yaml): DocumentText | undefined {
    const value = from[key];
    if (value === undefined || value === null) return undefined;
    const named = functionIn(value);
    if (named) return named;
    if (typeof value === 'string' || typeof value === 'number') return value;
    if (Array.isArray(value) || isMapping(value)) return value;
    this.#problems.push(`\`${key}\` must be a template, not ${describeType(value)}`);
    return undefined;
  }

  #fewshot(shared: Omit<FewshotSettings, 'sampler' | 'split' | 'samples'>): FewshotSettings {
    const given = this.#yaml.fewshot_config;
    const own: TaskYaml = isMapping(given) ? Object.fromEntries(entriesOf(given)) : {};
    const { sampler = 'default' } = own;
    if (sampler !== 'default' && sampler !== 'first_n') {
      this.#problems.push(`the sampler ${String(sampler)} of \`fewshot_config\` is not supported`);
    }
    const { samples } = own;
    return {
      ...shared,
      sampler: sampler === 'first_n' ? 'first_n' : 'default',
      split: this.#text('split', own) ?? this.#text('fewshot_split'),
      samples: functionIn(samples) ?? (Array.isArray(samples) ? samples.map(rowOf) : undefined),
      processDocs: functionIn(own.process_docs) ?? shared.processDocs,
      docToText: this.#document('doc_to_text', own) ?? shared.docToText,
      docToTarget: this.#document('doc_to_target', own) ?? shared.docToTarget,
      docToChoice: this.#document('doc_to_choice', own) ?? shared.docToChoice,
      genPrefix: this.#text('gen_prefix', own) ?? shared.genPrefix,
      targetDelimiter: this.#text('target_delimiter', own) ?? shared.targetDelimiter,
      fewshotDelimiter: this.#text('fewshot_delimiter', own) ?? shared.fewshotDelimiter,
    };
  }

  #metrics(outputType: OutputType): readonly MetricEntry[] {
    const { metric_list: list } = this.#yaml;
    if (!Array.isArray(list)) {
      return defaultMetrics[outputType].map((metric) => ({
        metric,
        isFromHub: false,
        options: {},
      }));
    }
    return list.filter(isMapping).map((entry) => {
      const { metric, aggregation, higher_is_better, hf_evaluate, ...options } = Object.fromEntries(
        entriesOf(entry),
      ) as TaskYaml;
      const run = functionIn(metric);
      return {
        metric: run ? lastPart(run.function) : String(metric),
        run,
        aggregation:
          functionIn(aggregation) ?? (typeof aggregation === 'string' ? aggregation : undefined),
        higherIsBetter: typeof higher_is_better === 'boolean' ? higher_is_better : undefined,
        isFromHub: hf_evaluate === true,
        options: toPlain(options) as Record<string, unknown>,
      };
    });
  }

  #generationKwargs(until: string): Readonly<Record<string, unknown>> {
    const given = this.#yaml.generation_kwargs;
    if (!isMapping(given)) {
      return { temperature: 0, do_sample: false, max_gen_toks: 256, until: [until] };
    }
    const kwargs = toPlain(given) as Record<string, unknown>;
    return 'until' in kwargs ? kwargs : { ...kwargs, until: [until] };
  }

  #filters(): readonly FilterPipeline[] {
    const { filter_list: list } = this.#yaml;
    if (!Array.isArray(list))
      return [{ name: 'none', steps: [{ name: 'take_first', options: {} }] }];
    return list.filter(isMapping).map((entry) => {
      const { name, filter } = Object.fromEntries(entriesOf(entry)) as TaskYaml;
      const steps = Array.isArray(filter) ? filter.filter(isMapping) : [];
      return {
        name: String(name),
        steps: steps.map((step) => {
          const { function: own, ...options } = Object.fromEntries(entriesOf(step)) as TaskYaml;
          return { name: String(own), options: toPlain(options) as Record<string, unknown> };
        }),
      };
    });
  }
}

function rowOf(sample: unknown): Row {
  return isMapping(sample) ? Object.fromEntries(entriesOf(sample)) : {};
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The function that a value names. */
export function functionIn(value: unknown): FunctionName | undefined {
  const prefix = `${functionTag} `;
  if (typeof value !== 'string' || !value.startsWith(prefix)) return undefined;
  return { function: value.slice(prefix.length).trim() };
}

/** All functions that a task names. */
export function functionsIn(value: unknown): readonly string[] {
  const named = functionIn(value);
  if (named) return [named.function];
  if (Array.isArray(value)) return [...new Set(value.flatMap(functionsIn))];
  if (!isMapping(value) || value instanceof Float) return [];
  return [...new Set(entriesOf(value).flatMap(([, item]) => functionsIn(item)))];
}
