import { promptText } from '../../evaluation/asked.ts';
import { contentText } from '../../prompt/parts/content.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import type { EvaluationSample, SampledRow } from '../../run/row-sample.ts';
import { verdicts } from '../../run/row-sample.ts';
import type { Rule } from '../../run/store/run-file-parts.ts';
import type { RunSummary, TaskResult } from '../../run/summary.ts';
import { cutTexts, excerpt, excerptLength, keptEnds } from './cut-texts.ts';
import { failedChecksOf, RowColumns } from './row-columns.ts';
import {
  addressOf,
  columnsName,
  type HeldEvaluation,
  type HeldRow,
  rowsName,
  type Snapshot,
  showCommand,
} from './snapshot.ts';
import { shareRoom, takeWithin } from './within-budget.ts';

export interface SampledRun {
  readonly summary: RunSummary;
  readonly samples: readonly EvaluationSample[];
  /** How people name the folder of the run. */
  readonly folder: string;
  readonly ruleOf: (task: Pick<TaskResult, 'model' | 'dataset'>) => Rule;
  readonly maxBytes?: number | undefined;
}

/** So many bytes of rows a page holds, unless it is told otherwise. */
export const usualBytes = 1_500_000;

/** A run as it ended: its summary, and rows that were kept while it ran. */
export async function snapshotOfRun(run: SampledRun): Promise<Snapshot> {
  const { summary, samples, maxBytes = usualBytes } = run;
  const pieces: Record<string, unknown> = {};
  const kept = summary.results.map((result, index) => {
    const { model, dataset } = result;
    const sample = samples.find((one) => one.model === model && one.dataset === dataset);
    return { result, index, sample, length: sample?.rows.length ?? 0 };
  });
  const held = new Map<number, HeldEvaluation>();
  await shareRoom(kept, maxBytes, async ({ result, index, sample }, room) => {
    const candidates = (sample?.rows ?? []).map((row) => ({
      verdict: row.verdict,
      make: () => heldRow(row, result, run),
    }));
    const taken: HeldRow[] = [];
    const bytes = await takeWithin(candidates, room, { onTake: (row) => void taken.push(row) });
    const known = new Map(sample?.rows.map((row) => [row.record.id, row]));
    const rows = taken.flatMap(({ details }) => known.get(details.id) ?? []);
    const reasons = [...new Set(rows.flatMap(({ record }) => record.reason ?? []))];
    const sets = new Map(
      rows.map(({ record }) => failedChecksOf(record)).map((set) => [JSON.stringify(set), set]),
    );
    sets.delete('[]');
    pieces[columnsName(index)] = columnsOf(rows, { reasons, sets: [...sets.keys()] });
    pieces[rowsName(index, 0)] = taken;
    const failedChecks = [...sets.values()];
    held.set(
      index,
      heldEvaluation(result, { run, sample, reasons, failedChecks, rows: taken.length }),
    );
    return bytes;
  });
  return {
    version: summary.version,
    title: summary.name,
    start: addressOf('/run', { run: summary.name }),
    replies: { [addressOf('/api/run', { run: summary.name })]: runDetails(run) },
    evaluations: [...held].sort(([left], [right]) => left - right).map(([, one]) => one),
    pieces,
    media: {},
  };
}

function runDetails({ summary, folder }: SampledRun) {
  return {
    id: summary.name,
    folder,
    state: summary.complete ? 'done' : 'incomplete',
    file: {},
    summary,
    // Rows were kept for each evaluation alone: no two hold the same ones.
    evaluations: summary.results.map(({ model, dataset }, data) => ({
      ...{ model, dataset, data },
      bytes: 0,
    })),
    canResume: false,
  };
}

function columnsOf(
  rows: readonly SampledRow[],
  { reasons, sets }: { readonly reasons: readonly string[]; readonly sets: readonly string[] },
) {
  const columns = new RowColumns();
  for (const { record, verdict } of rows) {
    columns.set(columns.add(), record, {
      offset: 0,
      verdict: verdicts.indexOf(verdict),
      reason: record.reason === undefined ? 0 : reasons.indexOf(record.reason) + 1,
      checks: sets.indexOf(JSON.stringify(failedChecksOf(record))) + 1,
    });
  }
  return columns.pick(rows.map((_, slot) => slot));
}

function heldEvaluation(
  { model, dataset, reasons, looser }: TaskResult,
  {
    run,
    sample,
    reasons: names,
    failedChecks,
    rows,
  }: {
    readonly run: SampledRun;
    readonly sample: EvaluationSample | undefined;
    readonly reasons: readonly string[];
    readonly failedChecks: readonly (readonly string[])[];
    readonly rows: number;
  },
): HeldEvaluation {
  const totals: Partial<EvaluationSample['totals']> = sample?.totals ?? {};
  const total = Object.values(totals).reduce((sum, count) => sum + count, 0);
  const { right = 0, scored = 0 } = totals;
  return {
    run: run.summary.name,
    ...{ model, dataset },
    data: { columns: ['prompt'], inputs: ['prompt'] },
    total,
    counts: {
      ...totals,
      all: total,
      problems: total - right - scored,
      ...(looser && { looser: looser.rows }),
    },
    reasons: reasons.map(({ reason, rows: count }) => ({ reason, rows: count })),
    damaged: 0,
    mediaLeftOut: 0,
    names,
    // Of rows that are not all there, nobody knows how many failed a check.
    failedChecks: rows === total ? failedChecks : [],
    pieces: [rows],
  };
}

function heldRow(
  { record, verdict, turns }: SampledRow,
  { model, dataset }: TaskResult,
  { folder, ruleOf }: SampledRun,
): HeldRow {
  const { id } = record;
  const name = { model, dataset, id };
  const details = {
    ...name,
    verdict,
    rule: ruleOf({ model, dataset }),
    record,
    parts: turns.flatMap((turn) => turn.record ?? []),
    earlier: [],
  };
  const command = showCommand(folder, name);
  const prompt =
    turns.length === 0
      ? { problem: 'it was not saved; `typecase report` recreates it', examples: [], command }
      : {
          view: {
            prompts: turns.map(({ prompt: asked }, turn) => shown(asked, turn, turns.length)),
          },
          examples: [],
          command,
        };
  const asked = turns.at(-1);
  return {
    details: cutForFile(details),
    prompt: cutForFile(prompt),
    // What is asked stands at the end.
    ...(asked && { columns: { prompt: excerpt(promptText(asked.prompt).slice(-excerptLength)) } }),
  };
}

export function cutForFile<Value extends object>(value: Value) {
  const { value: short, cut } = cutTexts(value, keptEnds);
  return { ...short, cut };
}

/** A prompt without its origins: nobody knows them any more. */
function shown(prompt: Prompt, turn: number, turns: number) {
  const span = (text: string) => ({ text, origin: null, at: null });
  const { type } = prompt;
  const spans =
    type === 'text'
      ? [span(prompt.text)]
      : prompt.messages.map(({ role, content }) => ({ role, spans: [span(contentText(content))] }));
  return {
    ...(turns > 1 && { turn: turn + 1 }),
    prompt: { type },
    spans,
    request: null,
    characters: promptText(prompt).length,
    tokens: null,
  };
}
