import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writing } from '../../../run/store/write-whole.ts';
import { Aggregate } from '../cache-study/aggregate.ts';
import { exactKey } from '../cache-study/exact-key.ts';
import {
  csvLine,
  type LoggedResult,
  sampleCells,
  sampleColumns,
  sampleJsonLine,
  summaryCells,
} from '../cache-study/logs.ts';
import type { CacheLayers, CacheStep } from '../cache-study/simulate.ts';
import { statusesOf } from '../cache-study/statuses.ts';
import { makePrompts, type NumberedPrompt } from '../prompts/make-prompts.ts';
import { holdsReference, sameAnswer } from '../scoring/answers.ts';
import { slug } from '../settings/experiment2-names.ts';
import type { Experiment } from '../settings/open-experiments.ts';
import type { GqaSettings } from '../settings/settings.ts';
import type { StudySamples } from './collect-samples.ts';
import type { StudyResult } from './run-study.ts';
import type { StudyOptions } from './study-options.ts';
import { addTotals } from './summary-log.ts';

export interface LogParts {
  readonly experiment: Experiment;
  readonly samples: StudySamples;
  readonly layers: CacheLayers;
  readonly result: StudyResult;
  readonly options: StudyOptions;
  /** Whether there are other experiments, so that files need names of their own. */
  readonly isOneOfMany: boolean;
}

/** Writes the files that the command line asks for. */
export async function writeLogs(parts: LogParts): Promise<void> {
  const { summaryLog } = parts.options;
  const { samplesDir } = parts.options;
  const [ownSamples, logCsv, pairs] = [
    parts.options.samplesJsonl,
    parts.options.logCsv,
    parts.options.pairs,
  ].map((file) => file && ownName(file, parts));
  const samplesJsonl =
    samplesDir === undefined
      ? ownSamples
      : join(samplesDir, `${nameOf(parts.experiment.settings)}.jsonl`);
  if (samplesDir !== undefined) await mkdir(samplesDir, { recursive: true });
  if (samplesJsonl !== undefined) {
    await writeLines(samplesJsonl, mapLines(loggedResults(parts), sampleJsonLine));
  }
  if (logCsv !== undefined) {
    const lines = mapLines(loggedResults(parts), (result) => csvLine(sampleCells(result)));
    await writeLines(logCsv, lines, csvLine(sampleColumns));
  }
  if (summaryLog !== undefined) await addSummary(summaryLog, parts);
  if (pairs !== undefined) await writeLines(pairs, pairLines(parts));
}

function ownName(file: string, { isOneOfMany, experiment }: LogParts): string {
  if (!isOneOfMany) return file;
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}-${slug(experiment.settings.name ?? '')}${ext}`);
}

/** What would be reused for what, as rows. */
export function pairOf({ sample, from, source, score }: CacheStep, samples: StudySamples) {
  const [own = '', reused = ''] = [samples.answers[sample], samples.answers[from ?? -1]];
  return {
    id: samples.ids[sample] ?? '',
    from: samples.ids[from ?? -1] ?? '',
    source,
    score,
    chunk_text: samples.chunkTexts[sample] ?? '',
    reused_chunk_text: samples.chunkTexts[from ?? -1] ?? '',
    answer: own,
    reused_answer: reused,
    same_answer: own === '' || reused === '' ? null : sameAnswer(own, reused),
  };
}

function* pairLines({ result, samples }: LogParts): Generator<string> {
  for (const step of result.steps) {
    if (step.source !== null) yield `${JSON.stringify(pairOf(step, samples))}\n`;
  }
}

/** Makes the prompts once more, in the order of the steps: they are not kept in memory. */
async function* loggedResults(parts: LogParts): AsyncGenerator<LoggedResult> {
  const { experiment, result, samples, options } = parts;
  const references: string[] = [];
  for await (const prompt of makePrompts(experiment, options)) {
    const step = result.steps[references.length] as CacheStep;
    references.push(prompt.reference);
    // a cache of the model's state spares work, and the model answers all the same
    const answered = parts.layers.backend === 'semantic-kv' ? step.sample : step.from;
    const response = references[answered ?? step.sample] ?? '';
    yield {
      prompt,
      response,
      hit_source: step.source,
      latency: null,
      is_correct: isCorrect(step, { prompt, response, samples, options }),
      statuses: statusesOf(step, {
        layers: parts.layers,
        hasKey: exactKey(prompt.chunk_text, options.compat) !== '',
      }),
    };
  }
}

interface Judged {
  readonly prompt: NumberedPrompt;
  readonly response: string;
  readonly samples: StudySamples;
  readonly options: StudyOptions;
}

/** A sample that is not in the cache is taken to be answered well. */
function isCorrect(
  { sample, from }: CacheStep,
  { prompt, response, samples, options }: Judged,
): boolean | null {
  if (options.compat) return holdsReference(prompt.reference, response);
  const [own = '', reused = ''] = [samples.answers[sample], samples.answers[from ?? sample]];
  return own === '' || reused === '' ? null : sameAnswer(own, reused);
}

async function addSummary(file: string, parts: LogParts): Promise<void> {
  const { result, options } = parts;
  const { compat, vectors } = options;
  const aggregate = new Aggregate();
  for await (const logged of loggedResults(parts)) aggregate.add(logged);
  const { settings } = result;
  // vectors that were given are those of the encoder that the settings name
  const isOwn = parts.layers.semantic !== undefined && !vectors.has('semantic');
  const index_encoder = isOwn ? result.encoder : settings.index_encoder;
  const summary = { ...aggregate.totals, wall_time: result.seconds };
  const cells = summaryCells({ ...settings, index_encoder }, summary, { compat, time: new Date() });
  if (await addTotals(file, cells)) return;
  process.stderr.write(`${file} already has these totals of ${nameOf(settings)}.\n`);
}

function nameOf({ name, dataset }: GqaSettings): string {
  return name ?? dataset;
}

async function* mapLines<Item>(items: AsyncIterable<Item>, write: (item: Item) => string) {
  for await (const item of items) yield write(item);
}

async function writeLines(
  file: string,
  lines: AsyncIterable<string> | Iterable<string>,
  head = '',
): Promise<void> {
  const all = async function* () {
    yield head;
    yield* lines;
  };
  await writing(file, () => pipeline(all, createWriteStream(file)));
}
