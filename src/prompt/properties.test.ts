import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyFormat,
  columnName,
  dialogue,
  rawMessages,
  rowOf,
  templateText,
  text,
} from './arbitrary-prompts.fixture.ts';
import { joinSpans } from './origin.ts';
import { contentText } from './parts/content.ts';
import { compileLabelPrompts, compilePrompt } from './program.ts';
import { type Prompt, untrace } from './prompt.ts';
import { tracePromptList } from './prompt-list.ts';
import { createShotPool, fillPrompt, tracePrompt } from './render.ts';
import type { NamedRow } from './trace.ts';
import { formatValue, type Row } from './values.ts';

const columnSets = fc.uniqueArray(columnName, { minLength: 1, maxLength: 4 });

/** Templates of every kind with rows and examples that fit them. */
const scenes = columnSets.chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    outputColumn: fc.constantFrom(undefined, ...columns),
    format: anyFormat,
    mode: fc.constantFrom('gen' as const, 'ppl' as const),
    row: rowOf(columns),
    examples: fc.array(rowOf(columns), { maxLength: 3 }),
    templates: fc.oneof(
      templateText(columns).map((template) => ({
        promptTemplate: { template: `${template}</E>`, ice_token: '</E>' },
        iceTemplate: { template },
      })),
      fc.tuple(dialogue(columns, true), dialogue(columns, false)).map(([prompt, ice]) => ({
        promptTemplate: { template: prompt, ice_token: '</E>' },
        iceTemplate: { template: ice },
      })),
      fc.tuple(dialogue(columns, true), templateText(columns)).map(([prompt, ice]) => ({
        promptTemplate: { template: prompt, ice_token: '</E>' },
        iceTemplate: { template: ice },
      })),
      fc.tuple(rawMessages(columns, true), rawMessages(columns, false)).map(([prompt, ice]) => ({
        promptTemplate: { messages: prompt },
        iceTemplate: { messages: ice },
      })),
    ),
  }),
);

function contents(prompt: Prompt): string[] {
  if (prompt.type === 'text') return [prompt.text];
  return prompt.messages.map(({ content }) => contentText(content));
}

describe('a traced prompt', () => {
  it('joins to what is sent, whatever the templates, formats and values', () => {
    fc.assert(
      fc.property(scenes, ({ templates, format, mode, row, examples, outputColumn }) => {
        const hasShots = examples.length > 0;
        const program = compilePrompt({ ...templates, format, outputColumn, hasShots }, mode);
        const pool: NamedRow[] = examples.map((example, id) => ({ id, row: example }));
        const shots = createShotPool(program, pool)?.take(pool.map((_, index) => index));
        const traced = tracePrompt(program, { id: 'row', row }, shots);
        expect(untrace(traced)).toEqual(fillPrompt(program, row, shots));
      }),
      { numRuns: 1000 },
    );
  });

  it('says of every character where it came from, truthfully', () => {
    fc.assert(
      fc.property(scenes, ({ templates, format, mode, row, examples, outputColumn }) => {
        const program = compilePrompt(
          { ...templates, format, outputColumn, hasShots: examples.length > 0 },
          mode,
        );
        const pool: NamedRow[] = examples.map((example, id) => ({ id, row: example }));
        const shots = createShotPool(program, pool)?.take(pool.map((_, index) => index));
        const list = tracePromptList(program, { id: 'row', row }, shots);
        const spans = list.type === 'text' ? list.spans : list.items.flatMap((item) => item.spans);
        for (const { text: written, origin } of spans) {
          if (origin.type === 'literal') {
            const source = stringAt(templates, origin.at.path);
            expect(source.slice(origin.at.start, origin.at.start + written.length)).toBe(written);
          } else if (origin.type === 'field') {
            const source = origin.shot === undefined ? row : (examples[origin.shot] as Row);
            expect(origin.row).toBe(origin.shot === undefined ? 'row' : origin.shot);
            expect(formatValue(source[origin.field])).toBe(written);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

function stringAt(templates: object, path: readonly (string | number)[]): string {
  const [root, ...rest] = path;
  let found: unknown = templates;
  for (const key of [root === 'ice_template' ? 'iceTemplate' : 'promptTemplate', ...rest]) {
    found = (found as Record<string | number, unknown>)[key as string];
  }
  return found as string;
}

describe('filling', () => {
  it('is a single pass: placeholders in values stay as they are', () => {
    fc.assert(
      fc.property(
        columnSets.chain((columns) =>
          fc.tuple(fc.constant(columns), templateText(columns), rowOf(columns)),
        ),
        ([columns, template, row]) => {
          const program = compilePrompt({ promptTemplate: { template } });
          // An independent reading of the rule: cut at the placeholders, then look each one up.
          const expected = template
            .split(/(\{[^{}]*\})/)
            .map((piece) => {
              const name = /^\{([^{}]*)\}$/.exec(piece)?.[1];
              return name !== undefined && columns.includes(name) ? formatValue(row[name]) : piece;
            })
            .join('');
          expect(fillPrompt(program, row)).toEqual({ type: 'text', text: expected });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['{a} {b}', { a: '{b}', b: '{a}' }, '{b} {a}'],
    ['{a}', { a: '$& $1 $$' }, '$& $1 $$'],
    ['{a}', { a: '\\n\\' }, '\\n\\'],
    ['{__proto__}', JSON.parse('{"__proto__": "own"}'), 'own'],
    ['{__proto__} {constructor}', {}, '{__proto__} {constructor}'],
    ['{1}{0}', { 0: 'zero', 1: 'one' }, 'onezero'],
    ['{a}', { a: '\ud83d' }, '\ud83d'],
    ['\\boxed{} {{a}}', { a: 'x' }, '\\boxed{} {x}'],
    ['{q}: $\\mathbf{A}$', { q: 'x', A: 'y' }, 'x: $\\mathbfy$'],
  ])('%s with %j', (template, row, expected) => {
    expect(fillPrompt(compilePrompt({ promptTemplate: { template } }), row as Row)).toEqual({
      type: 'text',
      text: expected,
    });
  });
});

describe('the answer', () => {
  const secret = 'S3CR3T-ANSWER';
  const secretScenes = scenes.map((scene) => ({
    ...scene,
    row: {
      ...Object.fromEntries(scene.columns.map((column) => [column, 'x'])),
      [scene.columns[0] ?? 'q']: secret,
    },
    outputColumn: scene.columns[0] ?? 'q',
  }));

  it('never gets into its own prompt', () => {
    fc.assert(
      fc.property(
        secretScenes,
        text,
        ({ templates, format, mode, row, outputColumn }, maskToken) => {
          const program = compilePrompt({ ...templates, format, outputColumn, maskToken }, mode);
          for (const content of contents(fillPrompt(program, row)))
            expect(content).not.toContain(secret);
          const list = tracePromptList(program, { id: 0, row });
          const spans =
            list.type === 'text' ? list.spans : list.items.flatMap((item) => item.spans);
          expect(joinSpans(spans)).not.toContain(secret);
        },
      ),
    );
  });

  it('is replaced by the label under test in label prompts', () => {
    fc.assert(
      fc.property(secretScenes, ({ templates, format, row, outputColumn }) => {
        for (const { program } of compileLabelPrompts({ ...templates, format, outputColumn }, [
          'yes',
          'no',
        ])) {
          for (const content of contents(fillPrompt(program, row)))
            expect(content).not.toContain(secret);
        }
      }),
    );
  });
});

describe('label templates', () => {
  it('keep the order and the type of integer-like labels', () => {
    const template = new Map<unknown, string>([
      [1, 'one'],
      [0, 'zero'],
      ['1', 'text one'],
    ]);
    const programs = compileLabelPrompts({ promptTemplate: { template } });
    expect(programs.map(({ label, program }) => [label, fillPrompt(program, {})])).toEqual([
      [1, { type: 'text', text: 'one' }],
      [0, { type: 'text', text: 'zero' }],
      ['1', { type: 'text', text: 'text one' }],
    ]);
  });
});
