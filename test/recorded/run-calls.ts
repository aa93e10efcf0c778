import type { CombinedRow, ScoredPart } from '../../src/evaluation/inference.ts';
import { failureKinds } from '../../src/model/failure-kind.ts';
import type { TextLogprobs } from '../../src/model/loglikelihood.ts';
import { clusterOf, clusterOfRecord } from '../../src/run/cluster-of.ts';
import { costOf, priceOf, taskCost, totalCost } from '../../src/run/cost.ts';
import { isHopeless, isOverload } from '../../src/run/hopeless.ts';
import { LatencyTally } from '../../src/run/latency-tally.ts';
import { MetricTally, rowScoreKind } from '../../src/run/metric-tally.ts';
import { PossibleClusters } from '../../src/run/possible-clusters.ts';
import { askedAgain, rowState } from '../../src/run/resume.ts';
import { RowCase, turnScores, withVerdicts } from '../../src/run/row-case.ts';
import { isNotRight, RowSample, verdictOf } from '../../src/run/row-sample.ts';
import {
  inputOf,
  readReply,
  saysScorerFailed,
  scoredFields,
  withEnding,
} from '../../src/run/score-answer.ts';
import { pack, unpack } from '../../src/run/scoring-process/packed.ts';
import {
  askedName,
  isOtherModel,
  ServedNames,
  servedOtherwise,
  servedSoFar,
} from '../../src/run/served-models.ts';
import { addSpent, spentSince } from '../../src/run/spent.ts';
import { Column } from '../../src/run/store/column.ts';
import { IdSet } from '../../src/run/store/id-set.ts';
import { KeyOffsets } from '../../src/run/store/key-offsets.ts';
import { toCurrentRecord } from '../../src/run/store/old-record.ts';
import { recordFault, scoreFault } from '../../src/run/store/record-fault.ts';
import {
  describeProblems,
  ProblemList,
  problemWarnings,
} from '../../src/run/store/record-problem.ts';
import { RowIndex } from '../../src/run/store/row-index.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import { parseRunFile, type RunFile } from '../../src/run/store/run-file.ts';
import * as runParts from '../../src/run/store/run-file-parts.ts';
import { fileName, modelFolder } from '../../src/run/store/run-folder.ts';
import { restoreAnswer, storeAnswer } from '../../src/run/store/stored-answer.ts';
import { restoreLogprobs, storeLogprobs } from '../../src/run/store/stored-logprobs.ts';
import { tokensPerSecond } from '../../src/run/task-result.ts';

/** Methods of an object, called one after the other: what each gives. */
type Steps = readonly (readonly [method: string, ...args: readonly unknown[]])[];

function walk(object: object, steps: Steps): unknown[] {
  const methods = object as Readonly<Record<string, unknown>>;
  return steps.map(([method, ...args]) => {
    const member = methods[method];
    const given = typeof member === 'function' ? member.apply(object, args) : member;
    return typeof Object(given).next === 'function' ? [...given] : (given ?? null);
  });
}

/** A key with other digits at its beginning for every number. */
function keyOf(number: number): string {
  const words = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];
  return words
    .map((factor) => (Math.imul(number + 1, factor) >>> 0).toString(16).padStart(8, '0'))
    .join('');
}

/** Parts of running: what comes of them for what they are given. */
export const runCalls = {
  fault: (record: unknown) => recordFault(record) ?? null,
  /** Every field of a record in turn with each of these values. */
  faults: (record: object, values: readonly unknown[]) =>
    Object.keys(record).map((field) => [
      field,
      values.map((value) => recordFault({ ...record, [field]: value }) ?? null),
    ]),
  scoreFault: (record: RowRecord, range?: readonly [number, number]) =>
    scoreFault(record, range) ?? null,
  costs: (tokens: never, price: never, config: never, task: never, models: never) => [
    costOf(tokens, price) ?? null,
    priceOf(config),
    taskCost(task, models),
    totalCost([{ ...Object(task), ...taskCost(task, models) }]) ?? null,
  ],
  hopeless: (error: never, progress: never) => [isHopeless(error, progress), isOverload(error)],
  latency(rows: readonly never[]) {
    const tally = new LatencyTally();
    for (const row of rows) tally.add(row);
    return tally.latency ?? null;
  },
  spent: (all: readonly never[], before: never, now: never) => [
    addSpent(all),
    spentSince(before, now),
  ],
  again: (retry?: never) => failureKinds.map(askedAgain(retry ?? undefined)),
  clusters: (row: Record<string, unknown>, column: string, record: never) => [
    clusterOf(row, column) ?? null,
    clusterOf(row, undefined) ?? null,
    clusterOfRecord(record),
  ],
  served(names: readonly [string, number | undefined][], models: readonly never[], old?: never) {
    const counted = new ServedNames();
    for (const [name, answers] of names) counted.add(name, answers ?? undefined);
    counted.addAll([{ name: 'last', answers: 2 }]);
    const otherwise = servedOtherwise(models);
    const asked = models.map((model) => askedName(Object(model).identity) ?? null);
    const sofar = models.map((model) => servedSoFar(model, old));
    return [counted.list, otherwise, otherwise.map(isOtherModel), asked, sofar];
  },
  logprobs(said: readonly unknown[], damage?: object) {
    const read = said.map((one) => ({ ...Object(one), values: finite(Object(one).values) }));
    const stored = storeLogprobs(read as TextLogprobs[]);
    const kept = JSON.parse(JSON.stringify(stored));
    const damaged = kept.map((one: object, index: number) =>
      index === kept.length - 1 ? { ...one, ...damage } : one,
    );
    const whole = storeAnswer({ logprobs: read } as never);
    return [stored, restoreLogprobs(damaged) ?? null, restoreAnswer(whole) ?? null];
  },
  answer: (stored: never) => restoreAnswer(stored) ?? null,
  column: (steps: Steps) => walk(new Column((length) => new Float64Array(length)), steps),
  ids: (steps: Steps) => walk(new IdSet(), steps),
  /** So many keys, each with its place; then some of them. */
  offsets(count: number, asked: readonly number[]) {
    const offsets = new KeyOffsets();
    for (let number = 1; number <= count; number++) offsets.set(keyOf(number), number * 3);
    return asked.map((number) => offsets.get(keyOf(number)) ?? null);
  },
  index(count: number, steps: Steps) {
    const index = new RowIndex();
    for (let id = 0; id < count; id++) index.set(id, keyOf(id + 1), id * 100, keyOf(id));
    const named = steps.map(
      ([method, ...args]) =>
        [
          method,
          ...args.map((one) =>
            typeof one === 'string' && one.startsWith('#') ? keyOf(Number(one.slice(1))) : one,
          ),
        ] as const,
    );
    const parts = [...index.toParts((id) => id % 3 !== 2)].map(({ length }) => length);
    const found = walk(index, named);
    const rest = [...index.toParts(() => true)].map((part) => [
      ...new Float64Array(part.buffer.slice(0, 80)),
    ]);
    return [found, parts, rest];
  },
  state(steps: Steps, rejected: readonly number[], asked: readonly (readonly [number, number])[]) {
    const index = new RowIndex();
    walk(
      index,
      steps.map(
        ([method, ...args]) =>
          [
            method,
            ...args.map((one) =>
              typeof one === 'string' && one.startsWith('#') ? keyOf(Number(one.slice(1))) : one,
            ),
          ] as const,
      ),
    );
    const rejects = (id: number) => rejected.includes(id);
    return asked.map(([id, key]) =>
      rowState({ index, rejects }, { id, key: keyOf(key) }, () => keyOf(7)),
    );
  },
  old: (record: never) => toCurrentRecord(record),
  problems(count: number) {
    const list = new ProblemList();
    for (let line = 1; line <= count; line++) {
      list.add({ code: 'run.bad_record', file: 'a.jsonl', line, offset: line, reason: 'why' });
    }
    const sum = new ProblemList();
    sum.addAll(list);
    sum.addAll(list);
    return [sum.items.length, sum.total, describeProblems(sum), problemWarnings(list, 'do so')];
  },
  sample(kind: never, size: number, records: readonly never[], again = 1) {
    const sample = new RowSample(kind, size);
    for (let turn = 0; turn < again; turn++) {
      for (const record of records) {
        sample.offer({ ...Object(record), id: Object(record).id + turn * records.length });
      }
    }
    const { rows, totals, ends } = sample;
    const marks = records.map((record) => {
      const verdict = verdictOf(record, kind);
      return [verdict, isNotRight({ verdict, checks: Object(record).checks })];
    });
    return [rows, totals, ends.length, ends.slice(0, 20), marks];
  },
  /** A row of several requests: its plans, and the answers in the order in which they come. */
  case(plans: readonly (readonly object[])[], taken: readonly (readonly [number, object])[]) {
    const asked = plans.map((requests) => ({ id: 5, requests }));
    let plan = 0;
    const combine = (parts: readonly ScoredPart[]): CombinedRow => ({
      text: parts.map(({ text }) => text).join('|'),
      score: {
        type: 'scored',
        value: parts.length,
        extracted: 'x',
        compared: { got: '', want: '' },
        metrics: { turn_1: 1, turn_x: 2, all: parts.length },
      } as never,
    });
    const nothing = { id: 5, requests: [] };
    const row = new RowCase(
      { plan: () => (asked[++plan] ?? nothing) as never, combine } as never,
      asked[0] as never,
    );
    const seen: unknown[] = [row.takeReady().length];
    for (const [index, part] of taken) {
      seen.push([row.take(index, part as never), row.takeReady().length, row.tokens]);
    }
    const { ms, ties, redacted, finish, keys, history, verdicts, finishes, untold, fitted } = row;
    const facts = { ms, ties, redacted, finish, keys, history, verdicts, finishes, untold, fitted };
    return [seen, facts, row.turnScores, row.combine(), row.nameAt(0), row.fail(), row.fail()];
  },
  verdicts: (parts: readonly never[], combined: never) => [
    withVerdicts(parts, combined),
    turnScores(combined) ?? null,
  ],
  tally(scorer: never, scored: readonly never[], wrong: readonly never[], parts: string[] = []) {
    const tally = new MetricTally(scorer);
    for (const part of parts) tally.seePart(part);
    for (const record of scored) tally.add(record);
    for (const record of wrong) tally.addWrong(record);
    return [tally.result, tally.problem ?? null, rowScoreKind(scorer)];
  },
  possible(rows: number, changing: readonly (readonly [string, number, number])[], same: number) {
    const clusters = new PossibleClusters('gold');
    for (let id = 0; id < rows; id++) {
      const row = Object.fromEntries(
        changing.map(([column, groups, length]) => [
          column,
          `${id % groups}`.padStart(Math.max(1, length), 'text '),
        ]),
      );
      clusters.see({ ...row, gold: 'g'.repeat(300), none_id: null }, `prompt ${id % same}`);
    }
    return clusters.found ?? null;
  },
  reply(asked: never, result: never, thinking?: never, judged: object = {}) {
    const reply = readReply(asked, result, thinking);
    const { answer, ...input } = inputOf({ gold: '1', row: {}, thinking, ...judged, reply });
    return [reply, answer, input];
  },
  fields: (score: never, gold: unknown, finish?: string) => [
    scoredFields(score, gold, finish),
    withEnding(score, finish),
    saysScorerFailed(String(Object(score).reason)),
  ],
  packed: (value: unknown) => unpack(structuredClone(pack(value as never))),
  names: (names: readonly string[]) => names.map((name) => [fileName(name), modelFolder(name)]),
  speed: (tokens: never, seconds: number) => tokensPerSecond(tokens, seconds) ?? null,
  runFile: (value: unknown) => parseRunFile(value, 'run.json'),
  /** What is read out of the record of a run. */
  runParts: (file: RunFile, dataset: string, model: string) => [
    runParts.thinkingOf(file, model),
    runParts.priceOf(file, model),
    runParts.datasetOf(file, dataset),
    runParts.inputColumnsOf(file, dataset),
    runParts.suiteTypeOf(file, dataset),
    runParts.dataOf(file, dataset),
    runParts.dataHashes(file, dataset),
    runParts.stampOf(file, dataset),
    runParts.overridesOf(file),
    runParts.rangeOf(file, dataset),
    runParts.ruleOf(file, { model, dataset }),
  ],
};

/** Numbers that JSON has no form for, from their names. */
function finite(values: readonly (number | string | null)[] = []): unknown[] {
  return values.map((value) => (typeof value === 'string' ? Number(value) : value));
}
