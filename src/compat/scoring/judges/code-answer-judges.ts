import { toPython } from '../../../python/convert.ts';
import { literalEval } from '../../../python/literal.ts';
import { pyEquals } from '../../../python/operators.ts';
import { pyRepr, pyStr } from '../../../python/repr.ts';
import { stripText } from '../../../python/text.ts';
import type { PyValue } from '../../../python/values.ts';
import { type JudgeType, plainJudge } from './row-judge.ts';

/** Evaluators of LiveCodeBench that compare values: what code gives, and what a test wants. */
export const codeAnswerJudges: Readonly<Record<string, JudgeType>> = {
  LCBCodeExecutionEvaluator: plainJudge('pass@1', (got, want) => {
    const sample = readSample(want);
    const right = literalEval(String(sample?.output));
    if (!sample || !right) return undefined;
    const said = executionAnswer(got);
    if (said.includes(String(sample.input))) return false;
    const value = literalEval(said);
    return value !== undefined && pyRepr(value.value) === pyRepr(right.value);
  }),
  LCBTestOutputEvaluator: plainJudge('pass@1', (got, want) => {
    const right = readJsonText(String(readSample(want)?.output));
    if (!right) return undefined;
    const value = literalEval(wantedValue(assertion(got)));
    return value !== undefined && pyEquals(value.value, toPython(right.value));
  }),
};

function readJsonText(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function readSample(reference: PyValue): Readonly<Record<string, unknown>> | undefined {
  const value = readJsonText(pyStr(reference))?.value;
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function executionAnswer(text: string): string {
  const marked = [...text.matchAll(/\[PYTHON\]([\s\S]*?)\[\/PYTHON\]/g)].at(-1)?.[1] ?? text;
  const parts = marked.split('==');
  const said = parts.length > 1 ? stripText(parts[1] ?? '') : marked;
  return stripText(said.split(said.includes('[/ANSWER]') ? '[/ANSWER]' : '\n', 1)[0] ?? '');
}

/** The last line that asserts something, or the first block of code. */
function assertion(text: string): string {
  const lines = text.split('\n');
  const last = lines.findLast((line) => line.startsWith('assert'));
  if (last !== undefined) return last;
  const python = lines.findIndex((line) => /```[pP]ython/.test(line));
  const marks = lines.flatMap((line, index) =>
    line.includes('```') && index >= python ? [index] : [],
  );
  const [start, end] = marks;
  return start === undefined || end === undefined ? '' : lines.slice(start + 1, end).join('\n');
}

/** What an assertion compares with, or all of a text that asserts nothing. */
function wantedValue(text: string): string {
  const lines = text.split('\n');
  const line = lines.find((one) => !one.startsWith('#') && one.includes('assert'));
  const statement = stripText(lines.length > 1 && line !== undefined ? line : text);
  if (!statement.includes('assert')) return statement;
  const parts = statement.split('==');
  const ends = parts.map((_, index) => stripText(parts.slice(index).join('==')));
  return ends.slice(1).find((end) => literalEval(end) !== undefined) ?? '';
}
