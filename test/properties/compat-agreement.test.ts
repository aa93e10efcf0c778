import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCompatPrompt, prepareCompat } from '../../src/compat/prompt/build.ts';
import { formatOf } from '../../src/prompt/format.ts';
import { compileLabelPrompts, compilePrompt } from '../../src/prompt/program.ts';
import { untrace } from '../../src/prompt/prompt.ts';
import { createShotPool, fillPrompt } from '../../src/prompt/render.ts';

/**
 * Two independent implementations of one idea: where none of the originals' quirks is in play, the
 * engine and the compat modes make the same prompt.
 */

const word = fc.stringMatching(/^[a-zA-Z0-9 .,!?äé質問\n]{0,8}[a-z質]$/u);
const rowOf = fc.record({ q: word, x: word, a: word, n: fc.integer().map(String) });
const filled = fc
  .array(fc.oneof(word, fc.constantFrom('{q}', '{x}', '{n}')), { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(''));

const turns = fc.tuple(filled, filled).map(([human, bot]) => [
  { role: 'HUMAN', prompt: human },
  { role: 'BOT', prompt: bot },
]);
const round = fc.array(turns, { minLength: 1, maxLength: 3 }).map((rounds) => rounds.flat());
const system = filled.map((prompt) => ({ role: 'SYSTEM', fallback_role: 'HUMAN', prompt }));

const textMeta = fc.record({
  begin: word,
  round: fc.tuple(word, word, word, word).map(([a, b, c, d]) => [
    { role: 'HUMAN', begin: a, end: b },
    { role: 'BOT', begin: c, end: d, generate: true },
  ]),
  end: word,
  reserved_roles: fc.constantFrom([], [{ role: 'SYSTEM', begin: '<S>', end: '</S>' }]),
});
const chatMeta = fc.constantFrom([], [{ role: 'SYSTEM', api_role: 'SYSTEM' }]).map((reserved) => ({
  round: [
    { role: 'HUMAN', api_role: 'HUMAN' },
    { role: 'BOT', api_role: 'BOT', generate: true },
  ],
  reserved_roles: reserved,
}));
const model = fc.oneof(
  textMeta.map((metaTemplate) => ({ takes: 'text' as const, metaTemplate })),
  chatMeta.map((metaTemplate) => ({ takes: 'messages' as const, metaTemplate })),
  fc.constant({ takes: 'text' as const, metaTemplate: undefined }),
);

const templates = fc.oneof(
  fc.tuple(filled, filled, filled).map(([before, after, example]) => ({
    promptTemplate: {
      type: 'PromptTemplate',
      template: `${before}</E>${after}`,
      ice_token: '</E>',
    },
    iceTemplate: { type: 'PromptTemplate', template: `${example}{a}` },
  })),
  fc.tuple(system, round, turns).map(([first, prompt, example]) => ({
    promptTemplate: {
      type: 'PromptTemplate',
      template: { begin: [first, '</E>'], round: prompt },
      ice_token: '</E>',
    },
    iceTemplate: { type: 'PromptTemplate', template: { round: example } },
  })),
);

const scenes = fc.record({
  compat: fc.constantFrom('opencompass' as const, 'aisbench' as const),
  model,
  templates,
  row: rowOf,
  examples: fc.array(rowOf, { minLength: 1, maxLength: 3 }),
});

function namedRows(rows: readonly Record<string, string>[]) {
  return rows.map((row, id) => ({ id, row }));
}

describe.each(['gen', 'ppl'] as const)('without quirks in play, in mode %s', (mode) => {
  it('engine and compat modes agree', () => {
    fc.assert(
      fc.property(scenes, ({ compat, model: side, templates: pair, row, examples }) => {
        const pool = namedRows(examples);
        const label = 'yes';
        const settings = {
          promptTemplate: pair.promptTemplate,
          iceTemplate: pair.iceTemplate,
          hasShots: true,
          outputColumn: 'a',
          format: formatOf({ ...side, path: ['meta_template'] }),
        };
        const program =
          mode === 'gen'
            ? compilePrompt(settings)
            : (compileLabelPrompts(settings, [label])[0]?.program ?? compilePrompt(settings));
        const shots = createShotPool(program, pool)?.take(pool.map((_, index) => index));

        const setup = prepareCompat({
          compat,
          ...pair,
          reader: { input_columns: ['q', 'x', 'n'], output_column: 'a' },
          retriever: { type: 'FixKRetriever' },
          model: {
            kind: side.takes === 'text' ? 'text' : 'chat',
            metaTemplate: side.metaTemplate,
          },
        });
        const compatPrompt = buildCompatPrompt(setup, {
          row: { id: 0, row },
          shots: pool,
          mode,
          label,
        });
        expect(fillPrompt(program, row, shots)).toEqual(untrace(compatPrompt.prompt));
      }),
      { numRuns: 500 },
    );
  });
});
