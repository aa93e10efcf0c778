import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, loadConfig } from '../../../src/index.ts';
import { writeFolder } from '../run-cli.ts';
import { callCommand } from './call-command.ts';
import { startRecordingServer } from './recording-server.ts';

const files = {
  'test.jsonl': '{"q":"1+1=?","a":"2"}\n{"q":"1+5=?","a":"6"}\n',
  'one.jsonl': '{"q":"1+1=?","a":"2"}\n',
};
const human = (prompt: string) => ({ role: 'HUMAN', prompt });
const bot = (prompt: string) => ({ role: 'BOT', prompt });

interface Slip {
  readonly template: object;
  /** What is warned about, and where: the text at the place. */
  readonly told: readonly (readonly [code: string, at: string])[];
  /** The same in compat modes, where it is other. */
  readonly compat?: readonly (readonly [code: string, at: string])[];
}

const slips: Readonly<Record<string, Slip>> = {
  'a column_token_map the wrong way round': {
    template: { template: 'Q: </q> q', column_token_map: { '</q>': 'q' } },
    told: [['unknown_field', '"q"']],
  },
  'an unknown column in a column_token_map': {
    template: { template: 'Q: </q>', column_token_map: { q: '</q>', x: '</x>' } },
    told: [['unknown_field', '"</x>"']],
  },
  'an unknown column in a text': {
    template: { template: 'Q: {qq} {q}' },
    told: [['unknown_field', '{qq}']],
  },
  'an unknown column in a turn': {
    template: { template: { round: [human('{q}, {w}'), bot('{a}')] } },
    told: [['unknown_field', '{w}']],
  },
  'no input column': {
    template: { template: 'Add them. {a}' },
    told: [['no_input', '{"template"']],
  },
  'no input column in turns': {
    template: { template: { round: [human('Add them.'), bot('{a}')] } },
    told: [['no_input', '{"template"']],
  },
  'the answer in a HUMAN turn': {
    template: { template: { round: [human('{q} {a}?'), bot('{a}')] } },
    told: [['answer_left_out', '{a}?']],
  },
  'the answer in a SYSTEM turn': {
    template: { template: { begin: [{ role: 'SYSTEM', prompt: '{a}!' }], round: [human('{q}')] } },
    told: [['answer_left_out', '{a}!']],
  },
  'the answer within the last turn': {
    template: { template: { round: [human('{q} {a} or not?')] } },
    told: [['answer_left_out', '{a} or']],
  },
  'the answer twice in a text': {
    template: { template: 'Q: {q} ({a})\nA: {a}' },
    told: [['answer_left_out', '{a})\\nA: {a}"']],
  },
  'the answer twice in the last turn': {
    template: { template: { round: [human('{q} {a} A: {a}')] } },
    told: [['answer_left_out', '{a} A: {a}"']],
  },
  'the answer at the end of the last turn': {
    template: { template: { round: [human('{q} A: {a}\n')] } },
    told: [],
  },
  'doubled braces': {
    template: { template: { round: [human('{{q}}')] } },
    told: [['doubled_braces', '{q}']],
    compat: [],
  },
  'text without a role': {
    template: { template: { begin: ['Solve.'], round: [human('{q}')] } },
    told: [['text_without_role', '"Solve."']],
    compat: [],
  },
};

const textAt = (text: string, line: string, column: string) =>
  text
    .split('\n')
    .slice(Number(line) - 1)
    .join('\n')
    .slice(Number(column) - 1)
    .replace(/^\{\s+/, '{')
    .split('\n')[0];

test.each([undefined, 'opencompass', 'aisbench'])(
  'slips in templates are told by every command alike, with their place, compat %s',
  async (compat) => {
    await using server = await startRecordingServer();
    const model = { abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' };
    const dataset = (path: string, infer: object, abbr: string) => ({
      ...{ abbr, path, reader_cfg: { input_columns: ['q'], output_column: 'a' } },
      infer_cfg: { prompt_template: infer },
      eval_cfg: { evaluator: { type: 'exact' } },
    });
    for (const [name, slip] of Object.entries(slips)) {
      const datasets = [dataset('test.jsonl', slip.template, 'd')];
      const config = { ...(compat && { compat }), models: [model], datasets };
      const text = JSON.stringify(config, undefined, 1);
      const folder = await writeFolder({ ...files, 'c.json': text });
      const file = join(folder, 'c.json');
      const expected = (compat && slip.compat ? slip.compat : slip.told).map(([code, at]) => [
        `template.${code}`,
        at,
      ]);
      const heard: unknown[] = [];
      for (const args of [
        ['plan', file],
        ['run', file],
      ]) {
        const { code, stderr } = await callCommand([...args, '--out', join(folder, 'out')]);
        const told = stderr.matchAll(/^warning\[(\S+)\] .*\n {2}at .*c\.json:(\d+):(\d+)$/gm);
        const found = [...told].map(([, of, line = '', column = '']) => [of, line, column]);
        expect([name, stderr.match(/^warning/gm)?.length ?? 0]).toEqual([name, found.length]);
        heard.push([code, found.filter(([of]) => of?.startsWith('template.'))]);
      }
      const view = JSON.parse((await callCommand(['view', file, '--json'])).stdout);
      const shown = view.views[0].diagnostics.filter(
        (one: { kind: string }) => one.kind === 'warning',
      );
      heard.push([
        0,
        shown.map(({ code, at }: { code: string; at: { line: number; column: number } }) => [
          code,
          `${at.line}`,
          `${at.column}`,
        ]),
      ]);
      const { diagnostics } = await evaluate(await loadConfig(file), { out: join(folder, 'own') });
      const own = diagnostics.filter(({ kind }) => kind === 'warning');
      heard.push([0, own.map(({ code, at }) => [code, `${at?.line}`, `${at?.column}`])]);
      expect([name, heard]).toEqual([name, Array(4).fill(heard[0])]);
      const [, places] = heard[0] as [number, [string, string, string][]];
      expect([name, places.map(([code]) => code)]).toEqual([name, expected.map(([code]) => code)]);
      for (const [index, [, line, column]] of places.entries()) {
        expect(textAt(text, line, column)).toContain(expected[index]?.[1]);
      }
    }
  },
  60_000,
);

test('fifty alike are a sum', async () => {
  await using server = await startRecordingServer();
  const model = { abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' };
  const dataset = (template: string, index: number) => ({
    ...{ abbr: `${index}`, path: 'test.jsonl' },
    reader_cfg: { input_columns: ['q'], output_column: 'a' },
    infer_cfg: { prompt_template: { template } },
  });
  for (const [make, lines] of [
    [() => '{q} {w}', ['`{w}` is not a column, so it is sent as written']],
    [
      (index: number) => `{q} {w${index}}`,
      [0, 1, 2].map((index) => `\`{w${index}}\` is not a column, so it is sent as written`),
    ],
  ] as const) {
    const datasets = Array.from({ length: 50 }, (_, index) => dataset(make(index), index));
    const folder = await writeFolder({
      ...files,
      'c.json': JSON.stringify({ models: [model], datasets }, undefined, 1),
    });
    const { stderr } = await callCommand(['plan', join(folder, 'c.json')]);
    const said = stderr.match(/(?<=^warning\S+ ).*/gm);
    const more = lines.length > 1 ? ['… and 47 more warnings like this'] : [];
    expect(said).toEqual([...lines, ...more]);
    expect(stderr.match(/^ {2}at /gm)).toHaveLength(3);
    expect(stderr.includes('… and 47 more places')).toBe(lines.length === 1);
  }
});
