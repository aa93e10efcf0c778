import { createHash } from 'node:crypto';
import { toPython } from '../../../python/convert.ts';
import { dumpJson } from '../../../python/json.ts';
import type { RowFiles } from '../../../run/store/row-places.ts';
import type { HarnessResults, Sample } from '../../harness-results.ts';
import { originalShape } from '../data/documents.ts';
import { rowMetrics } from '../scoring/metrics.ts';
import { readOutcome, type TaskOutcome } from './read-outcome.ts';
import { configOf, valuesOf } from './result-file.ts';
import type { TaskEvaluation } from './task-evaluation.ts';

/** The results of a task beside those of YAML tasks. */
export async function readHarnessResults(
  task: TaskEvaluation,
  files: RowFiles,
): Promise<HarnessResults> {
  const outcome = await readOutcome(task, files);
  const { template, numFewshot, data, rows, metrics, cut } = outcome;
  return {
    alias: template.name,
    version: '1',
    ...{ numFewshot, cut },
    config: configOf(outcome),
    higherIsBetter: Object.fromEntries(metrics.map(({ name }) => [name, true])),
    values: valuesOf(metrics),
    count: rows.length,
    total: data.size,
    samples: rows.map((_, index) => sampleOf(outcome, index)),
  };
}

function sampleOf({ template, asked, replies, rows }: TaskOutcome, index: number): Sample {
  const [prompt, reply, judged] = [asked[index], replies[index], rows[index]];
  if (!prompt || !reply || !judged) throw new RangeError(`no row ${index}`);
  const { context, continuations, document, docIndex, target } = prompt;
  const doc = originalShape(document);
  const values = rowMetrics(judged, template);
  const [requests, responses] = reply.logprobs
    ? [
        continuations.map((text) => [context, text]),
        reply.logprobs.map((value) => [printed(value)]),
      ]
    : [[[context]], [[reply.text]]];
  return {
    doc_id: docIndex,
    doc,
    target,
    arguments: Object.fromEntries(
      requests.map((request, at) => [
        `gen_args_${at}`,
        Object.fromEntries(request.map((argument, place) => [`arg_${place}`, argument])),
      ]),
    ),
    resps: responses.map((response) => [response]),
    filtered_resps: responses,
    filter: 'none',
    metrics: Object.keys(values),
    doc_hash: sha256(dumpJson(toPython(doc), { indent: '  ', ensureAscii: false })),
    prompt_hash: sha256(context),
    target_hash: sha256(target),
    ...values,
  };
}

function printed(value: number): string {
  return Number.isFinite(value) ? String(value) : '-inf';
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
