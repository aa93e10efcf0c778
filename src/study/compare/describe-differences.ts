import { countOf, formatCount } from '../../base/format.ts';
import { meanLossOf } from '../../compat/scoring/mean-loss.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import type { RecordedData, RunFile, ServedName } from '../../run/store/run-file.ts';
import { dataHashes, dataOf, datasetOf } from '../../run/store/run-file-parts.ts';
import { recordedJudges } from '../recorded-evaluators.ts';
import type { Change, Difference } from './comparison.ts';
import { listChanges, withoutSources } from './list-changes.ts';
import type { EvaluationPair } from './pair-evaluations.ts';
import type { PairedRows } from './pair-rows.ts';
import { describeCauses, promptCauses } from './prompt-causes.ts';

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
  if ([details.a, details.b].some(({ settings }) => settings.opened !== undefined))
    return acrossHarnesses(tasks, details);
  const scorers = pairs.flatMap(({ a, b }) =>
    listChanges(scorerOf(details.a, a), scorerOf(details.b, b)),
  );
  const others = [
    difference('model', modelChanges(pairs, details)),
    difference('settings', settingChanges(pairs, details)),
    dataDifference(pairs, details),
    difference('scorer', scorers),
    difference('version', listChanges(versionsOf(details.a), versionsOf(details.b))),
  ];
  return [promptDifference(tasks, { details, others }), ...others];
}

/** Of results of other harnesses: settings, data and scorers of a run are how they were opened here. */
function acrossHarnesses(tasks: readonly PairedTask[], details: DetailPair): Difference[] {
  const names = tasks.flatMap(({ task: { a, b } }) =>
    listChanges({ name: a.model }, { name: b.model }),
  );
  const harnessOf = ({ settings }: RunFile) => ({ name: settings.opened?.harness ?? 'Typecase' });
  const { note, isSame, ...prompts } = promptDifference(tasks, { details, others: [] });
  return [
    { ...prompts, isSame, note: note?.split(',')[0] },
    difference('model', names),
    difference('harness', listChanges(harnessOf(details.a), harnessOf(details.b))),
  ];
}

/** Runs of before keys were told apart by it had the first one. */
function versionsOf({ typecase, harness = 'typecase 1' }: RunFile) {
  return { typecase, requests: harness };
}

/** What scores depend on: the settings, the judge that they name, and whose rules hold. */
function scorerOf(file: RunFile, { model, dataset }: EvaluationName): object {
  const { evalCfg, inferCfg } = datasetOf(file, dataset) ?? {};
  const [judge, ...others] = recordedJudges(file, { evalCfg });
  const { compat } = file.models.find(({ name }) => name === model) ?? {};
  const isMean = meanLosses.has(inferCfg?.inferencer?.type ?? '');
  return {
    ...evalCfg,
    ...(judge && { judge: judge.identity }),
    ...Object.fromEntries(others.map(({ name, identity }) => [`judge ${name}`, identity])),
    ...(compat && evalCfg && { compat }),
    ...(isMean && { 'loss divided by': meanLossOf(compat).divisor }),
  };
}

/** Inferencers that go by how surprising a text is for a token. */
const meanLosses = new Set(['PPLInferencer', 'PPLOnlyInferencer']);

function difference(kind: Difference['kind'], changes: readonly Change[]): Difference {
  const unique = new Map(changes.map((change) => [JSON.stringify(change), change]));
  return { kind, isSame: unique.size === 0, changes: [...unique.values()] };
}

function promptDifference(
  tasks: readonly PairedTask[],
  { details, others: differences }: { details: DetailPair; others: readonly Difference[] },
): Difference {
  const rows = tasks.reduce((sum, task) => sum + task.rows.pairing.rows, 0);
  const others = tasks.reduce((sum, task) => sum + task.rows.pairing.otherPrompts, 0);
  const note = `in ${others === 0 ? '' : `${formatCount(others)} of `}${countOf(rows, 'row')}`;
  const histories = tasks.reduce(
    (sum, { rows: { pairing } }) => sum + (pairing.otherHistories ?? 0),
    0,
  );
  const followed =
    histories === 0
      ? ''
      : `; later turns follow other answers in ${countOf(histories, 'dialogue')}`;
  if (others === 0) return { kind: 'prompts', isSame: true, note: note + followed, changes: [] };
  const causes = promptCauses(differences);
  const pairings = tasks.map((task) => task.rows.pairing);
  const told = describeCauses({ causes, pairings, files: [details.a, details.b] });
  return {
    kind: 'prompts',
    isSame: false,
    note: `${note}, ${told}${followed}`,
    causes,
    changes: [],
  };
}

function modelChanges(pairs: readonly EvaluationPair[], details: DetailPair): Change[] {
  const modelOf = ({ models }: RunFile, name: string, isServedKnown: boolean) => {
    const { identity, compat, format, tokenizer, config, served } =
      models.find((model) => model.name === name) ?? {};
    return {
      name,
      ...(isServedKnown && { 'served as': namesOf(served) }),
      ...identity,
      ...(compat && { compat }),
      ...(format && { format }),
      ...(tokenizer && { tokenizer: tokenizer.sha256 }),
      ...(config?.maxSeqLen !== undefined && { maxSeqLen: config.maxSeqLen }),
    };
  };
  const servedIn = ({ models }: RunFile, name: string) =>
    namesOf(models.find((model) => model.name === name)?.served);
  return pairs.flatMap(({ a, b }) => {
    // Older runs, and servers that do not say, leave it open.
    const isKnown = servedIn(details.a, a.model) !== '' && servedIn(details.b, b.model) !== '';
    return listChanges(modelOf(details.a, a.model, isKnown), modelOf(details.b, b.model, isKnown));
  });
}

function namesOf(served: readonly ServedName[] = []): string {
  return served
    .map(({ name }) => name)
    .sort()
    .join(', ');
}

/** Options that shape what is asked, and what `run.json` keeps of the datasets but their scorers. */
function settingChanges(pairs: readonly EvaluationPair[], details: DetailPair): Change[] {
  const optionsOf = ({ settings }: RunFile) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => shapingOptions.has(key)));
  const configOf = (side: RunFile, name: string) => {
    const { evalCfg: _, abbr: __, ...rest } = datasetOf(side, name) ?? { abbr: name };
    const { seed } = dataOf(side, name) ?? {};
    return withoutSources({ ...rest, ...(seed !== undefined && { seed }) });
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

function dataDifference(pairs: readonly EvaluationPair[], details: DetailPair): Difference {
  const changes = pairs.flatMap(({ name, a, b }): Change[] => {
    const left = dataHashes(details.a, a.dataset);
    const right = dataHashes(details.b, b.dataset);
    const pools = { a: dataOf(details.a, a.dataset)?.pool, b: dataOf(details.b, b.dataset)?.pool };
    return [
      ...(left.join() === right.join()
        ? []
        : [{ path: name, a: shortHashes(left), b: shortHashes(right) }]),
      ...(pools.a && pools.b && pools.a.hash !== pools.b.hash
        ? [{ path: `examples of ${name}`, a: shownPool(pools.a), b: shownPool(pools.b) }]
        : []),
    ];
  });
  const isRecorded = pairs.every(({ a }) => dataHashes(details.a, a.dataset).length > 0);
  const told = difference('data', changes);
  return told.isSame && !isRecorded ? { ...told, note: 'as far as files are recorded' } : told;
}

function shownPool({ rows, hash }: NonNullable<RecordedData['pool']>): string {
  return `${countOf(rows, 'row')} ${hash.slice(0, 12)}`;
}

function shortHashes(hashes: readonly string[]): string {
  return hashes.length === 0 ? 'no files' : hashes.map((hash) => hash.slice(0, 12)).join(', ');
}
