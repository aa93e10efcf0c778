import { countOf, formatCount } from '../../base/format.ts';
import type { RunFile } from '../../run/store/run-file.ts';
import { dataHashes, datasetOf } from '../../run/store/run-file-parts.ts';
import type { Change, Difference } from './comparison.ts';
import { listChanges } from './list-changes.ts';
import type { EvaluationPair } from './pair-evaluations.ts';
import type { PairedRows } from './pair-rows.ts';

/** What `run.json` says of both runs. */
export interface DetailPair {
  readonly a: RunFile;
  readonly b: RunFile;
}

/** A pair of tasks and its rows. */
export interface PairedTask {
  readonly task: EvaluationPair;
  readonly rows: PairedRows;
}

/** What differs between two runs, kind by kind, over all tasks that are compared. */
export function describeDifferences(
  tasks: readonly PairedTask[],
  details: DetailPair,
): Difference[] {
  const pairs = tasks.map(({ task }) => task);
  const scorers = pairs.flatMap(({ a, b }) =>
    listChanges(scorerOf(details.a, a.dataset), scorerOf(details.b, b.dataset)),
  );
  return [
    promptDifference(tasks),
    difference('model', modelChanges(pairs, details)),
    difference('settings', settingChanges(pairs, details)),
    dataDifference(pairs, details),
    difference('scorer', scorers),
    difference(
      'version',
      listChanges({ typecase: details.a.typecase }, { typecase: details.b.typecase }),
    ),
  ];
}

/** What scores depend on: the settings, and the judge that they name. */
function scorerOf(file: RunFile, dataset: string): object {
  const { evalCfg } = datasetOf(file, dataset) ?? {};
  const judge = file.judges?.find(({ name }) => name === evalCfg?.evaluator.model);
  return { ...evalCfg, ...(judge && { judge: judge.identity }) };
}

function difference(kind: Difference['kind'], changes: readonly Change[]): Difference {
  const unique = new Map(changes.map((change) => [JSON.stringify(change), change]));
  return { kind, isSame: unique.size === 0, changes: [...unique.values()] };
}

function promptDifference(tasks: readonly PairedTask[]): Difference {
  const rows = tasks.reduce((sum, task) => sum + task.rows.pairing.rows, 0);
  const others = tasks.reduce((sum, task) => sum + task.rows.pairing.otherPrompts, 0);
  const note = `in ${others === 0 ? '' : `${formatCount(others)} of `}${countOf(rows, 'row')}`;
  return { kind: 'prompts', isSame: others === 0, note, changes: [] };
}

function modelChanges(pairs: readonly EvaluationPair[], details: DetailPair): Change[] {
  const modelOf = ({ models }: RunFile, name: string) => {
    const { identity, compat } = models.find((model) => model.name === name) ?? {};
    return { name, ...identity, ...(compat && { compat }) };
  };
  return pairs.flatMap(({ a, b }) =>
    listChanges(modelOf(details.a, a.model), modelOf(details.b, b.model)),
  );
}

/** Options that shape what is asked, and what `run.json` keeps of the datasets but their scorers. */
function settingChanges(pairs: readonly EvaluationPair[], details: DetailPair): Change[] {
  const optionsOf = ({ settings }: RunFile) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => shapingOptions.has(key)));
  const configOf = (side: RunFile, name: string) => {
    const { evalCfg: _, abbr: __, ...rest } = datasetOf(side, name) ?? { abbr: name };
    return withoutSources(rest);
  };
  return [
    ...listChanges(optionsOf(details.a), optionsOf(details.b)),
    ...pairs.flatMap(({ a, b }) =>
      listChanges(configOf(details.a, a.dataset), configOf(details.b, b.dataset)),
    ),
  ];
}

const shapingOptions = new Set([
  ...['limit', 'ids', 'where', 'template', 'outputColumn', 'metaTemplate', 'completions'],
  ...['maxOutLen', 'temperature'],
]);

/** Where a part stands in its config does not matter. */
function withoutSources(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSources);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'source');
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutSources(item)]));
}

function dataDifference(pairs: readonly EvaluationPair[], details: DetailPair): Difference {
  const changes = pairs.flatMap(({ name, a, b }): Change[] => {
    const left = dataHashes(details.a, a.dataset);
    const right = dataHashes(details.b, b.dataset);
    if (left.join() === right.join()) return [];
    return [{ path: name, a: shortHashes(left), b: shortHashes(right) }];
  });
  const isRecorded = pairs.every(({ a }) => dataHashes(details.a, a.dataset).length > 0);
  const told = difference('data', changes);
  return told.isSame && !isRecorded ? { ...told, note: 'as far as files are on record' } : told;
}

function shortHashes(hashes: readonly string[]): string {
  return hashes.length === 0 ? 'no files' : hashes.map((hash) => hash.slice(0, 12)).join(', ');
}
