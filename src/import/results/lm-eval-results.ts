import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { trailingSpace } from '../../python/text.ts';
import {
  asList,
  asObject,
  type ForeignEvaluation,
  type ForeignRow,
  type Json,
  type MeasuredText,
  type OtherNumber,
  objectsIn,
  promptText,
} from './foreign-results.ts';
import { readJson, readLinesExact } from './read-json.ts';

/** Reads `results_*.json` of lm-evaluation-harness with the `samples_*.jsonl` beside it. */
export function readLmEval(path: string): readonly ForeignEvaluation[] | undefined {
  const found = new Map<string, ForeignEvaluation>();
  // The latest come last.
  for (const file of resultFilesIn(path)) {
    for (const evaluation of evaluationsIn(file) ?? []) {
      const key = JSON.stringify([evaluation.model, evaluation.dataset]);
      found.delete(key);
      found.set(key, evaluation);
    }
  }
  return found.size > 0 ? [...found.values()] : undefined;
}

function evaluationsIn(file: string): readonly ForeignEvaluation[] | undefined {
  const result = asObject(readJson(file));
  const results = asObject(result?.results);
  if (!result || !results) return undefined;
  const configs = asObject(result.configs) ?? {};
  const folder = dirname(file);
  const names = Object.keys(configs).filter((name) => asObject(results[name]));
  const withoutRows: string[] = [];
  const evaluations = names.flatMap((task) => {
    const samples = samplesOf(folder, task, file);
    if (samples === undefined) {
      withoutRows.push(task);
      return [];
    }
    const config = asObject(configs[task]) ?? {};
    return [
      evaluationOf(task, {
        config,
        samples,
        values: asObject(results[task]) ?? {},
        model: modelOf(result),
        shots: asObject(result['n-shot'])?.[task] ?? config.num_fewshot,
      }),
    ];
  });
  const [first, ...others] = evaluations;
  return first && withoutRows.length > 0 ? [{ ...first, withoutRows }, ...others] : evaluations;
}

/** A file, or those of all models and times in a folder. */
function resultFilesIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return path.endsWith('.json') ? [path] : [];
  const inner = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const files = inner.filter((name) => /(?:^|[/\\])results[^/\\]*\.json$/.test(name)).sort();
  return files.map((name) => join(path, name));
}

/** The samples of a task: those of the same time, or the latest. */
function samplesOf(folder: string, task: string, file: string): readonly Json[] | undefined {
  const stamp = /results_(.*)\.json$/.exec(file)?.[1];
  const own = readdirSync(folder).filter((name) =>
    name.startsWith(`samples_${task.replaceAll(/["<>:/|\\?*[\]]+/g, '__')}_`),
  );
  const exact = own.find((name) => stamp !== undefined && name.endsWith(`_${stamp}.jsonl`));
  const chosen =
    exact ??
    own
      .filter((name) => /_\d{4}-[^_]*\.jsonl$/.test(name))
      .sort()
      .at(-1);
  if (chosen === undefined) return undefined;
  return objectsIn(readLinesExact(join(folder, chosen), 'doc'));
}

function modelOf({ model_name, config }: Json): string {
  const { model_args, model } = asObject(config) ?? {};
  const args = typeof model_args === 'string' ? model_args : '';
  const named = asObject(model_args);
  const found =
    model_name ??
    named?.pretrained ??
    named?.model ??
    /(?:pretrained|model)=([^,]+)/.exec(args)?.[1];
  return String(found ?? model ?? 'model');
}

/** Metrics that are from 0 to 100 there. */
const ofHundred = new Set(['bleu', 'chrf', 'ter']);

interface TaskParts {
  readonly config: Json;
  readonly samples: readonly Json[];
  readonly values: Json;
  readonly model: string;
  readonly shots: unknown;
}

function evaluationOf(
  task: string,
  { config, samples, values, model, shots }: TaskParts,
): ForeignEvaluation {
  const [filter] = samples.map((sample) => sample.filter);
  const own = samples
    .filter((sample) => sample.filter === filter)
    .toSorted((left, right) => Number(left.doc_id) - Number(right.doc_id));
  // The task says which comes first; samples name them as they were worked out.
  const named = objectsIn(config.metric_list).map((one) => String(one.metric));
  const measured = asList(own[0]?.metrics).map(String);
  const metrics = [...named.filter((name) => measured.includes(name)), ...measured];
  const metric = metrics[0] ?? 'acc';
  const value = values[`${metric},${String(filter)}`];
  return {
    model,
    dataset: task,
    rows: own.map((sample) => rowOf(sample, metric)),
    recorded:
      typeof value === 'number'
        ? { metric, value, scale: ofHundred.has(metric) ? 100 : 1 }
        : undefined,
    others: othersIn(values, { metric, filter: String(filter) }),
    ...(typeof shots === 'number' && { shots }),
    task: { ...config, task },
    ...(own.some(hasSeveralInputs) && { hasSeveralInputs: true }),
  };
}

/** Whether what is chosen among are the texts before one continuation. */
function hasSeveralInputs(sample: Json): boolean {
  const [first, second] = requestsOf(sample);
  return second !== undefined && second[0] !== '' && first?.[0] !== second[0];
}

function requestsOf(sample: Json): readonly (readonly [context: string, following: unknown])[] {
  return Object.values(asObject(sample.arguments) ?? {}).map((one) => {
    const { arg_0, arg_1 } = asObject(one) ?? {};
    return [String(arg_0 ?? ''), arg_1] as const;
  });
}

interface Headline {
  readonly metric: string;
  readonly filter: string;
}

/** All numbers but the first, and but the errors of numbers. Without its filter a name stands for the first filter. */
function othersIn(values: Json, headline: Headline): readonly OtherNumber[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const [, metric = '', filter = ''] = /^(.*?),(.*)$/s.exec(name) ?? [];
    const isFirst = metric === headline.metric && filter === headline.filter;
    if (typeof value !== 'number' || metric === '' || metric.endsWith('_stderr') || isFirst)
      return [];
    const names = filter === headline.filter ? [name, metric] : [name];
    return [{ metric: name, names, value, scale: ofHundred.has(metric) ? 100 : 1 }];
  });
}

function rowOf(sample: Json, metric: string): ForeignRow {
  const requests = requestsOf(sample);
  const responses = asList(sample.resps);
  const [context = '', second] = requests[0] ?? [];
  const isMeasured = typeof second !== 'object' || second === null;
  const score = sample[metric];
  return {
    id: Number(sample.doc_id),
    prompt: spokenPrompt(context),
    ...answersOf(sample, isMeasured),
    gold: sample.target,
    columns: asObject(sample.doc),
    ...(typeof score === 'number' && { score }),
    ...(isMeasured && {
      measured: requests.map(([before, after], index) => ({
        ...measuredOf(before, after, responses[index]),
        ...(typeof after !== 'string' && skippedIn(before, sample)),
      })),
    }),
  };
}

/** Chat models are given messages, which are written as JSON. */
function spokenPrompt(context: string): string {
  if (!context.startsWith('[{"role"')) return context;
  try {
    return promptText(JSON.parse(context));
  } catch {
    return context;
  }
}

function answersOf(
  sample: Json,
  isMeasured: boolean,
): Pick<ForeignRow, 'answer' | 'samples' | 'extracted'> {
  if (isMeasured) return { answer: '' };
  const samples = asList(asList(sample.resps)[0]).map(String);
  const [filtered] = asList(sample.filtered_resps);
  return {
    answer: samples[0] ?? '',
    ...(samples.length > 1 && { samples }),
    extracted: Array.isArray(filtered) ? filtered[0] : filtered,
  };
}

/** Of a text that is measured whole: what is not among the bytes, or else the words, that were counted. */
function skippedIn(text: string, sample: Json): { readonly skipped?: number } {
  const countOf = (...metrics: string[]) =>
    metrics.map((metric) => asList(sample[metric])[1]).find((count) => typeof count === 'number');
  const bytes = countOf('byte_perplexity', 'bits_per_byte');
  const words = countOf('word_perplexity');
  for (let from = 0, left = Buffer.byteLength(text); from < text.length; ) {
    const rest = bytes === undefined ? text.slice(from).split(/\s+/).length : left;
    const counted = bytes ?? words ?? rest;
    if (rest <= counted) return rest === counted && from > 0 ? { skipped: from } : {};
    const sign = String.fromCodePoint(text.codePointAt(from) ?? 0);
    from += sign.length;
    left -= Buffer.byteLength(sign);
  }
  return {};
}

function measuredOf(context: string, continuation: unknown, response: unknown): MeasuredText {
  const [value, greedy] = asList(response).flat(2).map(String);
  return {
    text: context + (typeof continuation === 'string' ? continuation : ''),
    // White space at the end of a context belongs to what follows it.
    from: typeof continuation === 'string' ? trailingSpace(context) : 0,
    value: value === '-inf' ? Number.NEGATIVE_INFINITY : Number(value),
    ...(greedy !== undefined && { greedy: greedy === 'True' || greedy === 'true' }),
  };
}
