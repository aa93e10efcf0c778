import type { Config } from '../config/config.ts';
import {
  type FailUnder,
  type Gate,
  maxWithin,
  readFailUnder,
  readRowLimit,
  type WrittenRowLimit,
} from '../config/gate.ts';
import { gateFor } from '../config/gate-for.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { holdToGate } from '../report/gate.ts';
import type { EvaluationName } from '../run/store/open-run.ts';
import type { GateResult, RunSummary, TaskResult } from '../run/summary.ts';

/** What results are held to, whatever the config says. */
export interface GateOptions {
  /**
   * The lowest score that passes, from 0 to 1, or by the name of the metric on its own scale, such as
   * `{ grade: 7 }`; rows without a score count as wrong.
   */
  readonly failUnder?: FailUnder | undefined;
  /** How many rows, and samples of the others, may have no score: `3`, or `'5%'` of them. */
  readonly maxUnscored?: WrittenRowLimit | undefined;
  /** How many rows may fail: `3`, or `'5%'` of them; 0 by default. */
  readonly allowFailed?: WrittenRowLimit | undefined;
}

interface HeldTo {
  readonly options: GateOptions;
  readonly config?: Config | undefined;
}

/** What a model on a dataset is held to. */
export function gateOf(name: EvaluationName, { options, config }: HeldTo): Gate {
  return gateFor(name, { config, given: givenGate(options) });
}

/**
 * How many rows of evaluations may fail by their gates. What a share of the rows comes to is known
 * once they are counted, which begins when somebody asks; until then all of them may.
 */
export function rowsThatMayFail(evaluations: readonly Evaluation[], heldTo: HeldTo): number {
  const allowedOf = (evaluation: Evaluation): number => {
    const { modelName: model, task } = evaluation;
    const { allowFailed = none } = gateOf({ model, dataset: task.name }, heldTo);
    return maxWithin(allowFailed, () => totalOf(evaluation));
  };
  return evaluations.reduce((sum, one) => sum + allowedOf(one), 0);
}

const totals = new WeakMap<Evaluation, number>();

function totalOf(evaluation: Evaluation): number {
  const known = totals.get(evaluation);
  if (known !== undefined) return known;
  const count = (total: number) => void totals.set(evaluation, total);
  count(Number.POSITIVE_INFINITY);
  // Rows that cannot be read to their end are told of by the run itself.
  evaluation.rows.count().then(count, () => count(0));
  return Number.POSITIVE_INFINITY;
}

const none = { rows: 0 };

/** The summary with what became of its gates. */
export function withGates(summary: RunSummary, heldTo: HeldTo): RunSummary {
  return hold(summary, (result) => gateOf(result, heldTo));
}

/** The same where single scores are held to nothing: rows that failed are told all the same. */
export function withFailures(summary: RunSummary, heldTo: HeldTo): RunSummary {
  return hold(summary, (result) => {
    const { allowFailed } = gateOf(result, heldTo);
    return { allowFailed };
  });
}

/** The summary of a run that is scored again, held to what it was held to before. */
export function withGatesAgain(
  summary: RunSummary,
  before: readonly GateResult[],
  options: GateOptions,
): RunSummary {
  const held = hold(summary, ({ model, dataset, metric }) => {
    const own = before.filter((gate) => gate.model === model && gate.dataset === dataset);
    return withGiven(gateOfResults(own), { metric, ...givenGate(options) });
  });
  return {
    ...held,
    ...(held.gates && { gates: held.gates.map((gate) => withRecorded(gate, before)) }),
  };
}

/** What a command says of a gate counts for this time, beside what it says nothing of. */
function withGiven(recorded: Gate, { metric, ...given }: Gate & { readonly metric: string }): Gate {
  const { failUnder } = given;
  const marks = typeof failUnder === 'number' ? { [metric]: failUnder } : failUnder;
  const before = typeof recorded.failUnder === 'object' ? recorded.failUnder : {};
  return { ...recorded, ...defined(given), ...(marks && { failUnder: { ...before, ...marks } }) };
}

/** Notes what the run is held to where something else was asked for. */
function withRecorded(result: GateResult, before: readonly GateResult[]): GateResult {
  const own = before.find(
    ({ model, dataset, gate, metric }) =>
      model === result.model &&
      dataset === result.dataset &&
      gate === result.gate &&
      metric === result.metric,
  );
  const recorded = own && askedOfRun(own);
  return recorded === undefined || recorded === result.asked ? result : { ...result, recorded };
}

function askedOfRun({ recorded, asked }: GateResult): GateResult['asked'] {
  return recorded ?? asked;
}

function hold(summary: RunSummary, gateOfResult: (result: TaskResult) => Gate): RunSummary {
  const { gates: _, ...rest } = summary;
  const gates = summary.results.flatMap((result) => holdToGate(result, gateOfResult(result)));
  return gates.length > 0 ? { ...rest, gates } : rest;
}

function givenGate({ failUnder, maxUnscored, allowFailed }: GateOptions): Gate {
  return {
    failUnder: failUnder === undefined ? undefined : readFailUnder(failUnder),
    maxUnscored: readRowLimit(maxUnscored),
    allowFailed: readRowLimit(allowFailed),
  };
}

function defined(gate: Gate): Gate {
  return Object.fromEntries(Object.entries(gate).filter(([, value]) => value !== undefined));
}

/** The gate that these are the results of. */
function gateOfResults(results: readonly GateResult[]): Gate {
  const limitOf = (name: GateResult['gate']) =>
    readRowLimit(results.filter(({ gate }) => gate === name).map(askedOfRun)[0]);
  const marks = results.flatMap((result) =>
    result.gate === 'fail_under'
      ? [[result.metric ?? '', Number(askedOfRun(result))] as const]
      : [],
  );
  return {
    ...(marks.length > 0 && { failUnder: Object.fromEntries(marks) }),
    maxUnscored: limitOf('max_unscored'),
    allowFailed: limitOf('allow_failed'),
  };
}
