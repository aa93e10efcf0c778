import { createHash } from 'node:crypto';
import { toPlain } from '../../../prompt/mapping.ts';
import type { Prompt } from '../../../prompt/prompt.ts';
import type { PositionedRow } from '../../../prompt/trace.ts';
import { toPython } from '../../../python/convert.ts';
import { dumpJson } from '../../../python/json.ts';
import { recordedReply } from '../../../run/make-record.ts';
import { inputOf } from '../../../run/score-answer.ts';
import { readRows } from '../../../run/store/read-rows.ts';
import { RecordLookup } from '../../../run/store/record-lookup.ts';
import type { RowFiles } from '../../../run/store/row-places.ts';
import type { RowRecord } from '../../../run/store/row-record.ts';
import type { HarnessResults, ResultOptions, Sample } from '../../harness-results.ts';
import { printed } from '../prompts/document-texts.ts';
import { aggregations, isHigherBetter } from '../scoring/metrics.ts';
import type { RawValues } from '../scoring/process-results.ts';
import { standardError } from '../scoring/standard-error.ts';
import { type FilteredValues, measuresOf } from '../scoring/task-scorer.ts';
import type { TaskEvaluation } from '../task-evaluation.ts';

/** Works the results of a task out from what the run recorded of its rows. */
export async function taskResults(
  task: TaskEvaluation,
  { files, bootstrapIterations }: ResultOptions,
): Promise<HarnessResults> {
  const { opened, evaluation } = task;
  const lookup = await RecordLookup.open(files);
  const answersOf = await partAnswers(task, files);
  const collected = new Map<string, unknown[]>();
  const samples: Sample[] = [];
  let count = 0;
  try {
    for await (const batch of evaluation.rows.batches()) {
      for (const row of batch) {
        const record = await lookup.row(Number(row.id));
        if (!record) throw new RangeError(`row ${row.id} has no answer`);
        if (record.outcome !== 'scored') continue;
        count += 1;
        const read = await readRow(task, row, { record, answers: answersOf(record) });
        for (const [filter, values] of read.values) {
          samples.push(sampleOf(task, row, { ...read, filter, values }));
          for (const [metric, value] of Object.entries(values)) {
            const key = `${metric}\n${filter}`;
            const list = collected.get(key) ?? [];
            list.push(value);
            collected.set(key, list);
          }
        }
      }
    }
  } finally {
    await lookup.close();
  }
  const values = aggregate(task, collected, bootstrapIterations);
  const { alias, version, metrics } = opened.task;
  return {
    ...{ alias, version, values, count, samples },
    numFewshot: opened.numFewshot,
    config: toPlain(opened.yaml) as object,
    higherIsBetter: Object.fromEntries(
      metrics.map((entry) => [entry.metric, isHigherBetter(entry)]),
    ),
    total: opened.data.rows.length,
    cut: task.cut.size,
  };
}

/** The answers to the parts of rows that are asked several times. */
async function partAnswers({ opened }: TaskEvaluation, { logFile }: RowFiles) {
  const parts = new Map<string, string>();
  if (opened.task.repeats > 1) {
    for await (const batch of readRows(logFile)) {
      for (const { record } of batch) {
        const { id, key, part, answer = '' } = record;
        if (part !== undefined) parts.set(`${id} ${key}`, answer);
      }
    }
  }
  return ({ id, parts: keys, answer = '' }: RowRecord): readonly string[] =>
    keys ? keys.map((key) => parts.get(`${id} ${key}`) ?? '') : [answer];
}

interface RecordedRow {
  readonly record: RowRecord;
  readonly answers: readonly string[];
}

interface ReadRow {
  readonly values: FilteredValues;
  /** What the model gave for each request, each a list of its repeats. */
  readonly responses: readonly (readonly unknown[])[];
  readonly filtered: ReadonlyMap<string, readonly unknown[]>;
}

async function readRow(
  { opened, evaluation }: TaskEvaluation,
  row: PositionedRow,
  { record, answers }: RecordedRow,
): Promise<ReadRow> {
  const { task, scorer } = opened;
  if (task.outputType === 'generate_until') {
    const filtered = [...scorer.filtered(row.row, answers)];
    return {
      values: scorer.valuesOf(row.row, answers),
      responses: [answers],
      filtered: new Map(filtered.map(([name, value]) => [name, [value]] as const)),
    };
  }
  const plan = await evaluation.plan(row);
  const reply = recordedReply(record, plan.requests[0]?.asked);
  const input = inputOf({ reply, gold: undefined, row: row.row });
  const flags = input.measures?.counts ?? [];
  const measured = (reply.loglikelihoods ?? []).map(({ logprob }, index) => {
    const value = logprob ?? Number.NEGATIVE_INFINITY;
    if (task.outputType === 'loglikelihood_rolling') return value;
    return [value, flags[index + 1] === 1];
  });
  const values = scorer.valuesOfMeasured(input);
  return {
    values,
    responses: measured.map((one) => [one]),
    filtered: new Map(task.filters.map(({ name }) => [name, measured] as const)),
  };
}

function aggregate(
  { opened }: TaskEvaluation,
  collected: ReadonlyMap<string, readonly unknown[]>,
  bootstrapIterations: number,
): HarnessResults['values'] {
  const known = new Map(
    measuresOf(opened.task).map((one): [string, typeof one] => [
      `${one.entry.metric}\n${one.filter}`,
      one,
    ]),
  );
  const results: Record<string, number | 'N/A'> = {};
  for (const [key, items] of collected) {
    const [metric = '', filter = ''] = key.split('\n');
    const { aggregation = 'mean', entry } = known.get(key) ?? {};
    const own = typeof entry?.aggregation === 'object' ? entry.aggregation.function : undefined;
    const value =
      own === undefined ? aggregations[aggregation]?.(items) : Number(opened.functions(own)(items));
    if (value === undefined) continue;
    results[`${metric},${filter}`] = value;
    const error = standardError(own === undefined ? aggregation : '', items, bootstrapIterations);
    results[`${metric}_stderr,${filter}`] = error ?? 'N/A';
  }
  return results;
}

interface SampleParts extends Omit<ReadRow, 'values'> {
  readonly filter: string;
  readonly values: RawValues;
}

function sampleOf(
  { opened, promptOf }: TaskEvaluation,
  row: PositionedRow,
  { filter, values, responses, filtered }: SampleParts,
): Sample {
  const prompt = promptOf(row);
  const { contexts, continuations, unconditional } = prompt;
  const own = continuations.length - unconditional;
  const isRolling = opened.task.outputType === 'loglikelihood_rolling';
  const requests: readonly (readonly unknown[])[] =
    continuations.length === 0
      ? [[contextOf(contexts[0]), opened.generationKwargs]]
      : continuations.map((text, index) => {
          if (isRolling) return [text];
          return [index < own ? contextOf(contexts[index] ?? contexts[0]) : '', text];
        });
  const target = printed(opened.targetOf(row.row));
  const doc = dumpJson(toPython(row.row), { indent: '  ', ensureAscii: false });
  return {
    doc_id: Number(row.id),
    doc: row.row,
    target,
    arguments: Object.fromEntries(
      requests.map((request, index) => [
        `gen_args_${index}`,
        Object.fromEntries(request.map((argument, at) => [`arg_${at}`, argument])),
      ]),
    ),
    resps: sanitized(responses),
    filtered_resps: sanitized(filtered.get(filter) ?? []),
    filter,
    metrics: Object.keys(values),
    doc_hash: sha256(doc),
    prompt_hash: sha256(String(requests[0]?.[0] ?? '')),
    target_hash: sha256(target),
    ...values,
  };
}

/** What is sent in messages stands there as JSON, in a list of its own. */
function contextOf(prompt: Prompt | undefined): string | readonly [string] {
  if (!prompt) return '';
  if (prompt.type === 'text') return prompt.text;
  return [dumpJson(toPython(prompt.messages), { ensureAscii: false })];
}

/** Numbers and truth values are written as texts, in lists of any depth. */
function sanitized(value: unknown): unknown {
  return Array.isArray(value) ? value.map(sanitized) : printedScalar(value);
}

function printedScalar(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    return value < 0 ? '-inf' : String(value);
  return printed(value);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
