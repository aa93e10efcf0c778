import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RowRecord } from '../src/run/store/row-record.ts';
import { Tally } from '../src/run/summarize.ts';
import { compileScorer } from '../src/score/compile-scorer.ts';
import type { Component } from '../src/score/component/component.ts';
import { splitAnswer } from '../src/score/split-thought.ts';

/** Scores a number of short answers in one process, and measures it. */
interface Measured {
  readonly rowsPerSecond: number;
  readonly peakMegabytes: number;
  readonly score: number;
}

const sizes = [10_000, 100_000, 1_000_000];
const letters = 'ABCD';

interface Work {
  readonly evaluator: Component;
  readonly answerOf: (row: number) => string;
  readonly goldOf: (row: number) => string;
}

const letterOf = (row: number) => letters.charAt((row * 7) % 4);
const works: Readonly<Record<string, Work>> = {
  exact: {
    evaluator: { type: 'exact' },
    answerOf: (row) => ` ${row % 97} \n`,
    goldOf: (row) => String(row % 89),
  },
  number: {
    evaluator: { type: 'number' },
    answerOf: (row) => `${row % 13} boxes of 3 make **${(row % 13) * 3}**.`,
    goldOf: (row) => String((row % 11) * 3),
  },
  choice: {
    evaluator: { type: 'choice' },
    answerOf: (row) => `I think the answer is (${letterOf(row)}).`,
    goldOf: (row) => letters.charAt(row % 4),
  },
  regex: {
    evaluator: { type: 'regex', pattern: '####\\s*(-?[\\d,.]+)' },
    answerOf: (row) => `${row % 13} boxes of 3 make ${(row % 13) * 3}.\n#### ${(row % 13) * 3}`,
    goldOf: (row) => String((row % 11) * 3),
  },
  'macro-F1': {
    evaluator: { type: 'classification', labels: [...letters] },
    answerOf: (row) => `The answer is ${letterOf(row)}.`,
    goldOf: (row) => letters.charAt(row % 3),
  },
  BLEU: {
    evaluator: { type: 'bleu' },
    answerOf: (row) => `The ${row % 7} dogs bit the man number ${row % 5}.`,
    goldOf: (row) => `The ${row % 11} dogs bit the man number ${row % 3}.`,
  },
};

function scoreRows({ evaluator, answerOf, goldOf }: Work, rows: number): Measured {
  const scorer = compileScorer({ evaluator });
  const tally = new Tally(scorer);
  const startedAt = performance.now();
  for (let id = 0; id < rows; id++) {
    const answer = splitAnswer(answerOf(id));
    tally.add(recordOf(id, scorer.score({ answer, gold: goldOf(id), row: {} })));
  }
  const { score } = tally.result;
  const seconds = (performance.now() - startedAt) / 1000;
  if (!score || tally.scored !== rows) throw new Error(`${tally.scored} of ${rows} rows scored`);
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return { rowsPerSecond: rows / seconds, peakMegabytes: Number(peak) / 1024, score: score.value };
}

function recordOf(id: number, score: ReturnType<ReturnType<typeof compileScorer>['score']>) {
  const base = { id, key: '', prompt: '' };
  const record: RowRecord =
    score.type === 'unscored'
      ? { ...base, outcome: 'unscored', reason: score.reason }
      : { ...base, outcome: 'scored', score: score.value, cell: score.cell, counts: score.counts };
  return record;
}

function measureApart(name: string, rows: number): Measured {
  const args = ['--import', 'tsx', fileURLToPath(import.meta.url), name, String(rows)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

const [name = '', rows] = process.argv.slice(2);
const work = works[name];
if (work && rows !== undefined) {
  console.log(JSON.stringify(scoreRows(work, Number(rows))));
} else {
  const figures = Object.keys(works).map((evaluator) => {
    const measured = sizes.map((rows) => measureApart(evaluator, rows));
    // The first rows also pay for the heap that the engine grows to.
    const peaks = sizes.map((rows, index) => [
      `peak MB, ${rows.toLocaleString('en')} rows`,
      Math.round(measured[index]?.peakMegabytes ?? Number.NaN),
    ]);
    const rate = measured.at(-1)?.rowsPerSecond ?? Number.NaN;
    return { evaluator, 'rows/s': Math.round(rate), ...Object.fromEntries(peaks) };
  });
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures, null, 2));
  else console.table(figures);
}
