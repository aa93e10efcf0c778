import { TypecaseError } from '../../errors.ts';
import { openingsOf, type ScoringSettings } from '../../evaluation/scorer-of.ts';
import { suiteDatasetsOf } from '../../evaluation/suite-datasets.ts';
import { clusterOf } from '../../run/cluster-of.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
import { datasetOf, suiteTypeOf, thinkingOf } from '../../run/store/run-file-parts.ts';
import { prepareScorer } from '../../score/open-scorer.ts';
import { isMeasured } from '../../score/row-score.ts';
import { isScoredByFunction, runsPrograms } from '../recorded-evaluators.ts';
import { type Rescoring, rescoreRecord } from '../rescore/rescore-record.ts';
import { askedRows, recordedScoring } from '../rescore/scored-evaluations.ts';
import type { BundledVerdict } from './bundle-format.ts';
import { differencesOf } from './differences-of.ts';
import type { BundledTask, OpenedEvaluation } from './remake-bundled.ts';

/** What became of scoring the answers of an evaluation again. */
export interface RescoredCount {
  readonly scored: number;
  readonly wrong: readonly string[];
  /** Why they cannot be scored again, if they cannot. */
  readonly reason?: string | undefined;
}

/** Scores the answers of a bundle again, as `score` does, and compares. Nobody is asked. */
export async function rescoreBundled(
  task: OpenedEvaluation,
  records: readonly RowRecord[],
): Promise<RescoredCount> {
  const reason = await whyNot(task);
  if (reason !== undefined) return { scored: 0, wrong: [], reason };
  try {
    return await rescoreAll(task, records);
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    return { scored: 0, wrong: [], reason: error.message };
  }
}

function scoringOf({ file, evaluation: { model, dataset } }: BundledTask): ScoringSettings {
  const { evalCfg, inferCfg } = datasetOf(file, dataset) ?? {};
  const compat = file.models.find(({ name }) => name === model)?.compat;
  const openings = openingsOf(inferCfg);
  return { evalCfg, inferencer: inferCfg?.inferencer?.type, compat, openings };
}

/** Programs of a bundle are not run. */
async function whyNot(task: BundledTask): Promise<string | undefined> {
  const { dataset } = task.evaluation;
  const recorded = datasetOf(task.file, dataset) ?? {};
  if (isScoredByFunction(recorded))
    return 'they are scored by a function, which runs do not record';
  if (runsPrograms(recorded)) return 'they are programs, which are not run here';
  const suite = await suiteDatasetsOf(suiteTypeOf(task.file, dataset));
  return suite && 'they are scored by the rules of their suite';
}

async function rescoreAll(
  task: OpenedEvaluation,
  records: readonly RowRecord[],
): Promise<RescoredCount> {
  const { file, evaluation: name, opened } = task;
  const scoring = scoringOf(task);
  await prepareScorer(scoring.evalCfg);
  const verdicts = { of: () => verdictsOf(task) };
  const rescoring: Rescoring = {
    ...(await recordedScoring(name, { scoring, verdicts, onlyJudge: file.judges?.[0]?.name })),
    scoringOf: (record) => record.scoring,
    thinking: thinkingOf(file, name.model),
    parts: partsOf(records),
  };
  const clusterBy = datasetOf(file, name.dataset)?.readerCfg?.clusterBy;
  const whole = new Map(records.flatMap((one) => (one.part === undefined ? [[one.id, one]] : [])));
  const wrong: string[] = [];
  let scored = 0;
  for await (const { plan, gold } of askedRows(opened)) {
    const record = whole.get(Number(plan.id));
    if (!record || record.outcome === 'failed') continue;
    const asked = { evaluation: opened, plan };
    const again = await rescoreRecord(record, { gold, asked }, rescoring);
    const found = again
      ? differencesOf(
          comparedParts(asScored(record, rescoring.scorer), record),
          comparedParts(
            { ...asScored(again, rescoring.scorer), cluster: clusterOf(plan.row, clusterBy) },
            record,
          ),
        ).map(({ path, a, b }) => `${path}: the log says ${a}, rescoring gives ${b}`)
      : ['a part of its answer is missing'];
    if (found.length === 0) scored++;
    wrong.push(...found.map((text) => `row ${record.id}: ${text}`));
  }
  return { scored, wrong };
}

/** The record with those measures that its scorer has; logs of earlier versions have more of judges. */
function asScored(record: RowRecord, scorer: Rescoring['scorer']): RowRecord {
  const told = Object.entries(record.metrics ?? {}).filter(([name]) => isMeasured(name, scorer));
  return { ...record, metrics: told.length > 0 ? Object.fromEntries(told) : undefined };
}

const numbers = ['outcome', 'score', 'metrics', 'cell', 'counts', 'rounds', 'samples'] as const;
const words = [
  ...(['answer', 'label', 'ties', 'loglikelihoods', 'reason', 'extracted'] as const),
  ...(['gold', 'compared', 'cluster'] as const),
];

/** What a score is; and how it came about, as far as the log says so: older ones say less. */
function comparedParts(record: RowRecord, logged: RowRecord): Partial<RowRecord> {
  const told = words.filter((word) => logged[word] !== undefined);
  return Object.fromEntries([...numbers, ...told].map((part) => [part, record[part]]));
}

/** The lines of parts, which are those of another row where that was asked the same. */
function partsOf(records: readonly RowRecord[]): Rescoring['parts'] {
  const lines = new Map<string, RowRecord>();
  for (const record of records) {
    if (typeof record.part !== 'number') continue;
    lines.set(record.key, record);
    lines.set(`${record.id} ${record.key}`, record);
  }
  return {
    read: async (id, key) => lines.get(`${id} ${key}`) ?? lines.get(key),
    write: () => undefined,
  };
}

/** What judges said, as the bundle has it. */
function verdictsOf({ bundle, evaluation }: BundledTask) {
  const said = new Map<string, string>();
  for (const line of bundle.lines(evaluation, 'verdicts')) {
    const { key, text }: BundledVerdict = JSON.parse(line);
    said.set(key, text);
  }
  return {
    keep: () => undefined,
    async find(key: string) {
      const text = said.get(key);
      const finishReason = 'stop' as const;
      return text === undefined ? undefined : { result: { text, finishReason, totalMs: 0 } };
    },
  };
}
