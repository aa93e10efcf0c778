import { getKey, isMapping } from '../../../prompt/mapping.ts';
import { Float } from '../../../prompt/values.ts';
import { literalEval } from '../../../python/literal.ts';
import { readFloatText } from '../../../python/parse-number.ts';
import { pyStr } from '../../../python/repr.ts';
import { stripText } from '../../../python/text.ts';
import { isList, listItems, PyDict, type PyValue } from '../../../python/values.ts';
import { type JudgeType, judgeWith, plainJudge } from './row-judge.ts';

const share = { direction: 'higher', range: [0, 1] } as const;

/** Evaluators of grids, blanks and steps, by the names of their classes. */
export const sheetJudges: Readonly<Record<string, JudgeType>> = {
  ZebraLogicMCEvaluator: plainJudge(
    'score',
    (got, want) => namedLetter(got).toUpperCase() === pyStr(want).toUpperCase(),
  ),
  ZebraLogicGridEvaluator: judgeWith({}, () => ({
    metric: 'cell_accuracy',
    meanName: 'perfect_accuracy',
    datasetMetrics: [
      { name: 'cell_accuracy', ...share, type: 'sums', measure: (sums) => part(sums, 0, 1) },
    ],
    judge(got, want) {
      const gold = gridRows(want);
      if (!gold) return undefined;
      const [right, all] = rightCells(pyStr(got), gold);
      return { value: Number(right === all), metrics: {}, counts: [right, all] };
    },
  })),
  ProcessBenchEvaluator: judgeWith({}, () => ({
    metric: 'f1',
    meanName: 'match',
    datasetMetrics: [
      {
        name: 'f1',
        ...share,
        type: 'sums',
        measure: (sums) => harmonic(part(sums, 0, 1), part(sums, 2, 3)),
      },
      { name: 'error_acc', ...share, type: 'sums', measure: (sums) => part(sums, 0, 1) },
      { name: 'correct_acc', ...share, type: 'sums', measure: (sums) => part(sums, 2, 3) },
    ],
    judge(got, want) {
      const boxed = [...pyStr(got).matchAll(/boxed\{([^}]*)\}/g)].at(-1)?.[1];
      const said = boxed === undefined ? undefined : stepOf(boxed.replace(/[{}]/g, ''));
      const label = stepOf(pyStr(want));
      const value = Number(said === label);
      const isError = label !== '-1';
      return { value, metrics: {}, counts: isError ? [value, 1, 0, 0] : [0, 0, value, 1] };
    },
  })),
  F1ScoreEvaluator: judgeWith({}, () => ({
    metric: 'F1Score',
    meanName: 'row_f1',
    datasetMetrics: [
      { name: 'F1Score', ...share, type: 'sums', measure: (sums) => 2 * part(sums, 0, 1) },
    ],
    judge(got, want) {
      const [said, right] = [pyStr(got), pyStr(want)].map(lettersIn) as [Set<string>, Set<string>];
      const common = [...said].filter((letter) => right.has(letter)).length;
      const value = (2 * common) / (said.size + right.size);
      return { value, metrics: {}, counts: [common, said.size + right.size] };
    },
  })),
  AccScoreStr_Evaluator: plainJudge('ACCStrScore', (got, want) =>
    stripText(got)
      .toLowerCase()
      .includes(stripText(pyStr(want)).toLowerCase()),
  ),
  OpenSWIMSEEvaluator: judgeWith({}, () => ({
    metric: 'score',
    direction: 'lower',
    range: [0, Number.POSITIVE_INFINITY],
    traits: [{ name: 'valid', ...share }],
    judge(got, want) {
      const right = isList(want) ? listItems(want).map(numberOf) : [];
      if (right.length === 0 || right.some(Number.isNaN)) return undefined;
      const said = floatsIn(pyStr(got));
      const wide = right.map((number, index) => (number - (said?.[index] ?? 0)) ** 2);
      const value = Math.sqrt(wide.reduce((sum, square) => sum + square, 0) / wide.length);
      return { value, metrics: { valid: Number(said?.length === right.length) } };
    },
  })),
};

function part(sums: ArrayLike<number>, of: number, all: number): number {
  return sums[all] ? (sums[of] ?? 0) / (sums[all] ?? 1) : 0;
}

function harmonic(one: number, other: number): number {
  return one + other > 0 ? (2 * one * other) / (one + other) : 0;
}

/** A step as a number where it is one. */
function stepOf(text: string): string {
  const plain = stripText(text);
  return /^[+-]?\d+$/.test(plain) ? String(BigInt(plain.replace(/^\+/, ''))) : plain;
}

function lettersIn(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .replace(/[^A-Da-d,]+/g, '')
      .split(','),
  );
}

function numberOf(value: PyValue): number {
  return readFloatText(pyStr(value)) ?? Number.NaN;
}

/** The last list of an answer, if all in it are written as decimals. */
function floatsIn(text: string): number[] | undefined {
  const written = (text.match(/\[[\s\S]*?\]/g) ?? []).at(-1);
  const { value = null } = (written && literalEval(written)) || {};
  const items = isList(value) ? listItems(value) : [];
  if (items.length === 0 || !items.every((item) => item instanceof Float)) return undefined;
  const numbers = items.map(numberOf);
  return numbers.some(Number.isNaN) ? undefined : numbers;
}

function namedLetter(text: string): string {
  const lines = stripText(text).split('\n').map(stripText);
  return (
    /[Tt]he (?:final )?answer is[:\s]+\(?([A-Ja-j])\)?/.exec(text)?.[1] ??
    /\*\*([A-Ja-j])\*\*/.exec(text)?.[1] ??
    lines.map((line) => /^\s*\(?([A-Ja-j])\)?\s*$/.exec(line)?.[1]).findLast((one) => one) ??
    [...text.matchAll(/\(([A-Ja-j])\)/g)].at(-1)?.[1] ??
    ''
  );
}

function gridRows(want: PyValue): string[][] | undefined {
  const given = want instanceof PyDict ? want : literalEval(pyStr(want))?.value;
  const rows = given instanceof PyDict ? given.get('rows') : rowsOfJson(pyStr(want));
  if (rows === undefined || !isList(rows)) return undefined;
  return listItems(rows).map((row) =>
    isList(row) ? listItems(row).map((cell) => pyStr(cell)) : [],
  );
}

function rowsOfJson(text: string): PyValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMapping(value) ? (getKey(value, 'rows') as PyValue | undefined) : undefined;
  } catch {
    return undefined;
  }
}

const cellOf = (text: string) => stripText(text).toLowerCase();

/** How many cells are right, and of how many: in a table of the same height, or anywhere in the text. */
function rightCells(text: string, gold: readonly string[][]): [right: number, all: number] {
  const cells = gold.flat();
  const table = tableIn(text);
  const hasHead =
    table.length === gold.length + 1 &&
    ['house', 'houses', 'home', 'position'].includes(cellOf(table[0]?.[0] ?? ''));
  const rows = hasHead ? table.slice(1) : table;
  const right =
    table.length > 1 && rows.length === gold.length
      ? gold.flatMap((row, index) =>
          row.filter((cell, at) => {
            const said = rows[index]?.[at];
            return said !== undefined && cellOf(said) === cellOf(cell);
          }),
        )
      : cells.filter((cell) => text.toLowerCase().includes(cell.toLowerCase()));
  return [right.length, cells.length];
}

function tableIn(text: string): string[][] {
  return text
    .split('\n')
    .map(stripText)
    .filter((line) => line.startsWith('|') && !/^\|[-| :]+\|$/.test(line))
    .map((line) =>
      line
        .replace(/^\|+|\|+$/g, '')
        .split('|')
        .map(stripText),
    );
}
