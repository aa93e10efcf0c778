import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from '../integration/joints/call-command.ts';
import { writeFolder } from '../integration/run-cli.ts';

const answers = `generate: ({ row }) => { globalThis.asked = (globalThis.asked ?? 0) + 1; return row.a; }`;

interface Parts {
  readonly evaluator: string;
  readonly rows?: string;
  readonly models?: string;
}

/** A config whose model answers what stands in the row. */
function config({
  evaluator,
  rows = `[{ q: 'x', a: '{"d": "2020-13-45"}' }]`,
  models = '',
}: Parts) {
  return `export default {
  models: [{ abbr: 'app', version: '1', ${answers} }${models}],
  datasets: [{
    abbr: 'd',
    rows: ${rows},
    reader_cfg: { input_columns: ['q'], output_column: 'a' },
    infer_cfg: { prompt_template: { template: '{q}' } },
    eval_cfg: { evaluator: ${evaluator} },
  }],
};
`;
}

async function run(parts: Parts, options: readonly string[] = []) {
  const folder = await writeFolder({ 'c.ts': config(parts) });
  const out = join(folder, 'out');
  const ended = await callCommand(['run', join(folder, 'c.ts'), '--out', out, ...options]);
  return { ...ended, folder, out };
}

const ownChecks = `[{ q: 'x', a: 'hello', checks: [{ type: 'contains', value: 'zzz' }] }]`;
const brings = (check: string) => `[{ q: 'x', a: 'hello', checks: [${check}] }]`;
const judge = `, { abbr: 'judge', judge: true, version: '1', generate: () => 'pass' }`;

test.each<[string, Parts, string]>([
  [
    'checks of rows that nobody makes',
    { evaluator: `{ type: 'contains' }`, rows: ownChecks },
    'config.unused_checks',
  ],
  [
    'the same as JSON',
    { evaluator: `{ type: 'exact' }`, rows: `[{ q: 'x', a: 'b', checks: '{"type":"is-json"}' }]` },
    'config.unused_checks',
  ],
  [
    'a set that is not among the sets',
    {
      evaluator: `{ type: 'checks', sets: { style: {} }, checks: [{ type: 'contains', value: 'a', set: 'stlye' }] }`,
    },
    'Did you mean `style`?',
  ],
  [
    'a transform that nobody defines',
    {
      evaluator: `{ type: 'checks', transforms: { trim: (text) => text.trim() }, checks: [{ type: 'contains', value: 'a', transform: 'trmi' }] }`,
    },
    'Did you mean `trim`?',
  ],
  ['a length without bounds', { evaluator: `{ type: 'length' }` }, 'has no `min` and no `max`'],
  [
    'a length that nothing has',
    { evaluator: `[{ type: 'length', min: 10, max: 2 }]` },
    'above its `max` of 2',
  ],
  [
    'a rubric with a column that no row has',
    { evaluator: `{ type: 'judge', model: 'judge', rubric: 'ok {nope}' }`, models: judge },
    'has a column `nope`',
  ],
  [
    'a schema that is none',
    { evaluator: `[{ type: 'json-schema', schema: { type: 'objekt' } }]` },
    'config.bad_schema',
  ],
  [
    'a misspelt check of a row',
    { evaluator: '[]', rows: brings(`{ type: 'contians', value: 'x' }`) },
    'Did you mean `contains`?',
  ],
  [
    'a misspelt key of one',
    { evaluator: '[]', rows: brings(`{ type: 'contains', vlaue: 'x' }`) },
    'Did you mean `value`?',
  ],
  [
    'a schema in a row that is no JSON',
    { evaluator: '[]', rows: brings(`{ type: 'is-json', value: 'type: object' }`) },
    'checks[0].schema must be',
  ],
  [
    'the same in the config',
    { evaluator: `[{ type: 'contains-json', value: 'type: object' }]` },
    'evaluator[0].schema must be',
  ],
  [
    'a rubric of a row that nobody judges by',
    { evaluator: '[]', rows: brings(`{ type: 'llm-rubric', value: 'is kind' }`) },
    'row 0: checks[0] has no `model`',
  ],
  [
    'a rubric of a row whose judge is not there',
    { evaluator: '[]', rows: brings(`{ type: 'llm-rubric', value: 'is kind', model: 'jury' }`) },
    'row 0: ',
  ],
  [
    'an empty name',
    { evaluator: `[{ type: 'contains', value: 'x', name: '' }]` },
    'evaluator[0].name must be text that is not empty, not an empty string',
  ],
  [
    'a misspelt key of a check',
    { evaluator: `[{ type: 'contains', vlaue: 'x' }]` },
    'Did you mean `value`?',
  ],
  [
    'a misspelt key of an evaluator',
    { evaluator: `{ type: 'contains', vlaue: 'x' }` },
    'Did you mean `value`?',
  ],
])('%s: refused before anything is asked', async (_, parts, told) => {
  Object.assign(globalThis, { asked: 0 });
  const { code, stderr } = await run(parts);
  expect(stderr).toContain(told);
  expect([code, (globalThis as { asked?: number }).asked]).toEqual([2, 0]);
});

test('a column `checks` that holds no checks is a column', async () => {
  const rows = `[{ q: 'x', a: 'hello', checks: 3 }, { q: 'y', a: 'hello', checks: 'all good' }]`;
  expect((await run({ evaluator: `{ type: 'exact' }`, rows })).code).toBe(0);
});

test.each([`() => 'good'`, `() => ({ scor: 1 })`, '() => NaN', '() => 7', '() => {}'])(
  'a scorer that gives no score is no success: %s',
  async (score) => {
    for (const evaluator of [
      `{ type: 'function', score: ${score} }`,
      `[{ type: 'function', score: ${score} }]`,
    ]) {
      const { code, stderr } = await run({ evaluator });
      expect(stderr).toMatch(
        /app on d: no row has a score: (?:function: )?(?:score out of range|the function gave no (?:number|score)|no checks)\.\n/,
      );
      expect(code).toBe(3);
    }
  },
);

test.each([
  ['date', '2020-13-45', '2020-12-31'],
  ['email', 'nobody', 'a@example.org'],
  ['uuid', '12', '00000000-0000-4000-8000-000000000000'],
])('the format %s of a JSON Schema counts', async (format, wrong, right) => {
  const schema = `{ properties: { d: { type: 'string', format: '${format}' } } }`;
  for (const draft of ['', `$schema: 'https://json-schema.org/draft/2020-12/schema', `]) {
    const evaluator = `{ type: 'json-schema', schema: ${schema.replace('{', `{ ${draft}`)} }`;
    for (const [value, code] of [
      [wrong, 1],
      [right, 0],
    ] as const) {
      const rows = `[{ q: 'x', a: '{"d": "${value}"}' }]`;
      expect((await run({ evaluator, rows }, ['--fail-under', '1'])).code).toBe(code);
    }
  }
});

test.each(['S', '[S]'])(
  'an answer that does not pass any more is a regression: %s',
  async (form) => {
    const evaluatorOf = (pass: boolean) =>
      form.replace('S', `{ type: 'function', score: () => ({ score: 1, pass: ${pass} }) }`);
    const before = await run({ evaluator: evaluatorOf(true) });
    const after = await run({ evaluator: evaluatorOf(false) });
    await cp(before.out, join(after.folder, 'base'), { recursive: true });
    const held = await callCommand([
      ...['run', join(after.folder, 'c.ts'), '--out', after.out],
      ...['--baseline', join(after.folder, 'base'), '--max-regressions', '0'],
    ]);
    expect(held.stderr).toContain('d: 1 row is worse in B; at most 0 allowed (--max-regressions).');
    expect(held.stderr).toContain('the function reported a failure');
    expect(held.code).toBe(1);
  },
);
