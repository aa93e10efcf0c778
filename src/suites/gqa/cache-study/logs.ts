import { Float } from '../../../prompt/values.ts';
import { toPython } from '../../../python/convert.ts';
import { formatValue } from '../../../python/format/format-value.ts';
import { dumpJson } from '../../../python/json.ts';
import { pyStr } from '../../../python/repr.ts';
import { PyDict, type PyValue } from '../../../python/values.ts';
import type { GqaCompat } from '../compat.ts';
import type { GqaPrompt } from '../prompts/build-prompt.ts';
import type { GqaSettings } from '../settings/settings.ts';
import { settingsRow } from '../settings/settings-row.ts';
import type { Aggregates, CountedResult } from './aggregate.ts';

/** A sample and what came of it, as the logs have it. */
export interface LoggedResult extends CountedResult {
  readonly prompt: GqaPrompt;
  readonly response: string;
  readonly statuses: Readonly<Record<string, string>>;
}

/** A line of the log of samples in JSON. */
export function sampleJsonLine({ prompt, ...result }: LoggedResult): string {
  const payload = {
    dataset_id: prompt.dataset_id,
    image_id: prompt.image_id,
    question: prompt.question,
    chunk_text: prompt.chunk_text,
    prompt: prompt.prompt,
    hit: result.hit_source !== null,
    hit_source: result.hit_source,
    latency: result.latency === null ? null : new Float(result.latency),
    response: result.response,
    reference: prompt.reference,
    is_correct: result.is_correct,
  };
  return `${dumpJson(toPython(payload))}\n`;
}

/** The columns of the log of samples. */
export const sampleColumns: readonly string[] = [
  ...['dataset_id', 'image_id', 'question', 'prompt', 'chunk_text', 'response', 'reference'],
  ...['is_correct', 'latency_seconds', 'cache_hit', 'cache_source'],
  ...['techniques_json', 'metadata_json'],
];

/** The cells of a sample in that log. */
export function sampleCells({ prompt, ...result }: LoggedResult): string[] {
  const cells: PyValue[] = [
    ...[prompt.dataset_id, prompt.image_id, prompt.question].map(toPython),
    ...[prompt.prompt, prompt.chunk_text, result.response, prompt.reference],
    result.is_correct,
    result.latency === null ? null : new Float(result.latency),
    result.hit_source !== null,
    result.hit_source,
    dumpJson(sortKeys(toPython(result.statuses))),
    dumpJson(sortKeys(toPython(prompt.metadata))),
  ];
  return cells.map(cellText);
}

const floatColumns = ['similarity_threshold', 'temperature', 'gpu_memory_utilization'];

export interface Summary extends Aggregates {
  /** Seconds that it all took. */
  readonly wall_time: number;
}

/** The columns and cells of an experiment in the log of summaries. */
export function summaryCells(
  settings: GqaSettings,
  summary: Summary,
  { compat, time }: { readonly compat?: GqaCompat | undefined; readonly time: Date },
): ReadonlyMap<string, string> {
  const row = settingsRow(settings);
  const seed = settings.shuffle_seed;
  const share = (value: number | null) =>
    value === null || compat !== '48bab23'
      ? floatOrNull(value)
      : formatValue(new Float(value), '.6f');
  const cells: Record<string, PyValue> = {
    timestamp: timestamp(time, compat),
    ...row,
    shuffle_seed: seed === null || seed < 0 ? null : seed,
    notes: compat ? null : settings.notes,
    ...Object.fromEntries(floatColumns.map((key) => [key, new Float(Number(row[key]))])),
    total_prompts: summary.total_prompts,
    cache_hits: summary.cache_hits,
    cache_hit_rate: share(summary.cache_hit_rate),
    avg_latency: share(summary.avg_latency),
    avg_latency_hit: share(summary.avg_latency_hit),
    avg_latency_miss: share(summary.avg_latency_miss),
    answer_accuracy: share(summary.answer_accuracy),
    wall_time: new Float(summary.wall_time),
    hit_breakdown: dumpJson(toPython(summary.hit_breakdown)),
  };
  return new Map(Object.entries(cells).map(([column, value]) => [column, cellText(value)]));
}

/** A line of a CSV file as Python writes it. */
export function csvLine(cells: Iterable<string>): string {
  const quoted = Array.from(cells, (cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(',')}\r\n`;
}

/** Python's time stamps of UTC; the older original does not say that it is UTC. */
function timestamp(time: Date, compat: GqaCompat | undefined): string {
  const text = `${time.toISOString().slice(0, -1)}000`;
  return compat === '40a46a9' ? text : `${text}+00:00`;
}

function floatOrNull(value: number | null): Float | null {
  return value === null ? null : new Float(value);
}

function cellText(value: PyValue): string {
  return value === null ? '' : pyStr(value);
}

function sortKeys(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!(value instanceof PyDict)) return value;
  const entries = value.entries().map(([key, item]) => [key, sortKeys(item)] as const);
  return new PyDict(entries.toSorted(([left], [right]) => (pyStr(left) < pyStr(right) ? -1 : 1)));
}
