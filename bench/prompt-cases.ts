import type { ModelFormat } from '../src/prompt/format.ts';
import { parseMetaTemplate } from '../src/prompt/meta-template.ts';
import { joinSpans } from '../src/prompt/origin.ts';
import { compileLabelPrompts, compilePrompt } from '../src/prompt/program.ts';
import type { Prompt } from '../src/prompt/prompt.ts';
import { createShotPool, fillPrompt, tracePrompt } from '../src/prompt/render.ts';
import type { NamedRow } from '../src/prompt/trace.ts';
import type { Variant } from './measure.ts';

export interface BenchRow {
  readonly question: string;
  readonly A: string;
  readonly B: string;
  readonly answer: string;
  readonly [column: string]: unknown;
}

export interface PromptCase {
  readonly name: string;
  readonly handWritten: (index: number) => string | string[];
  readonly variants: Variant[];
}

const metaTemplate = {
  begin: '<s>',
  round: [
    { role: 'HUMAN', begin: '<|user|>\n', end: '<|end|>\n' },
    { role: 'BOT', begin: '<|assistant|>\n', end: '<|end|>\n', generate: true },
  ],
  reserved_roles: [{ role: 'SYSTEM', begin: '<|system|>\n', end: '<|end|>\n' }],
};
const format: ModelFormat = {
  type: 'text',
  meta: parseMetaTemplate(metaTemplate, 'text', ['meta_template']),
};
const instruction = 'Answer the following questions. Give the letter only.';
const round = [
  { role: 'HUMAN', prompt: 'Question: {question}\nA. {A}\nB. {B}' },
  { role: 'BOT', prompt: 'Answer: {answer}' },
];
const begin = [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: instruction }, '</E>'];

export function makeRows(count: number, seed: number): BenchRow[] {
  return Array.from({ length: count }, (_, index) => ({
    question: `What is ${index * seed + 17} plus ${index + seed}? Think of item number ${index}.`,
    A: `${index * seed + seed}`,
    B: `${index + 3 * seed}`,
    answer: index % 2 === 0 ? 'A' : 'B',
  }));
}

function turns(row: BenchRow): string {
  return `<|user|>\nQuestion: ${row.question}\nA. ${row.A}\nB. ${row.B}<|end|>\n<|assistant|>\n`;
}

function writtenByHand(row: BenchRow, shots: readonly BenchRow[]): string {
  let text = `<s><|system|>\n${instruction}<|end|>\n`;
  for (const shot of shots) text += `${turns(shot)}Answer: ${shot.answer}<|end|>\n`;
  return text + turns(row);
}

function textOf(prompt: Prompt): string {
  return prompt.type === 'text' ? prompt.text : '';
}

/** A dialogue with `shotCount` examples, the same for all rows or others for each. */
export function fewShotCase(
  rows: BenchRow[],
  shotCount: number,
  draw: 'fixed' | 'per-row',
): PromptCase {
  const pool = makeRows(2_000, 7);
  const fixed = Array.from({ length: shotCount }, (_, shot) => shot * 3);
  const drawn = rows.map((_, index) =>
    Array.from({ length: shotCount }, (_, shot) => (index * 31 + shot * 97) % pool.length),
  );
  const indexesOf = (index: number) => (draw === 'fixed' ? fixed : (drawn[index] ?? []));
  const program = compilePrompt({
    promptTemplate: { template: { begin, round }, ice_token: '</E>' },
    iceTemplate: { template: { round } },
    outputColumn: 'answer',
    hasShots: shotCount > 0,
    format,
  });
  const named: NamedRow[] = pool.map((row, id) => ({ id, row }));
  const shots = createShotPool(program, named);
  const rowAt = (index: number) => rows[index % rows.length] as BenchRow;
  const handShots = (index: number) =>
    indexesOf(index % rows.length).map((id) => pool[id] as BenchRow);
  return {
    name: `${shotCount} shots, ${draw}`,
    handWritten: (index) => writtenByHand(rowAt(index), handShots(index)),
    variants: [
      {
        name: 'typecase',
        run: (index) =>
          textOf(fillPrompt(program, rowAt(index), shots?.take(indexesOf(index % rows.length)))),
      },
      {
        name: 'with origins',
        run: (index) => {
          const taken = shots?.take(indexesOf(index % rows.length));
          const traced = tracePrompt(program, { id: index, row: rowAt(index) }, taken);
          return traced.type === 'text' ? joinSpans(traced.spans) : '';
        },
      },
    ],
  };
}

/** Four labels, each a prompt in full. */
export function labelCase(rows: BenchRow[]): PromptCase {
  const labels = ['A', 'B', 'C', 'D'];
  const template = Object.fromEntries(
    labels.map((label) => [
      label,
      { begin: [begin[0]], round: [round[0], { role: 'BOT', prompt: `Answer: ${label}` }] },
    ]),
  );
  const programs = compileLabelPrompts({
    promptTemplate: { template },
    outputColumn: 'answer',
    format,
  });
  const rowAt = (index: number) => rows[index % rows.length] as BenchRow;
  return {
    name: '4-label PPL',
    handWritten: (index) =>
      labels.map(
        (label) =>
          `<s><|system|>\n${instruction}<|end|>\n${turns(rowAt(index))}Answer: ${label}<|end|>\n`,
      ),
    variants: [
      {
        name: 'typecase',
        run: (index) => programs.map(({ program }) => textOf(fillPrompt(program, rowAt(index)))),
      },
      {
        name: 'with origins',
        run: (index) =>
          programs.map(({ program }) => {
            const traced = tracePrompt(program, { id: index, row: rowAt(index) });
            return traced.type === 'text' ? joinSpans(traced.spans) : '';
          }),
      },
    ],
  };
}
