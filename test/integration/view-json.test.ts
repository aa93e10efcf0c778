import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildCli, root } from './build-cli.ts';
import { runCli } from './run-cli.ts';

beforeAll(buildCli);

const view = (...args: string[]) => runCli(['view', ...args]);

interface JsonSpan {
  readonly text: string;
  readonly origin: { readonly type: string };
  readonly at: { readonly file: string; readonly line: number; readonly column: number } | null;
}

const examples = [
  'sums.yaml',
  'dialogue.yaml',
  'choices.json',
  'japanese.yaml',
  'typecase.config.ts',
];

test.each(examples)('%s: spans join to what is sent', async (name) => {
  const { code, stdout } = await view(`examples/${name}`, '--all', '--json', '--rows', ':2');
  expect(code).toBe(0);
  const { config, views } = JSON.parse(stdout);
  expect(config).toBe(`examples/${name}`);
  expect(views.length).toBeGreaterThan(1);
  for (const { prompts } of views) {
    for (const { prompt, spans, request } of prompts) {
      const join = (list: JsonSpan[]) => list.map(({ text }) => text).join('');
      if (prompt.type === 'text') {
        expect(join(spans)).toBe(prompt.text);
        if (request) expect(request.body.prompt).toBe(prompt.text);
      } else {
        const messages = spans.map(({ role, spans: own }: { role: string; spans: JsonSpan[] }) => ({
          role,
          content: join(own),
        }));
        expect(messages).toEqual(prompt.messages);
        expect(request.body.messages).toEqual(prompt.messages);
      }
    }
  }
});

test.each(['sums.yaml', 'dialogue.yaml', 'choices.json', 'japanese.yaml'])(
  '%s: places point at the text itself',
  async (name) => {
    const { stdout } = await view(`examples/${name}`, '--all', '--json');
    const lines = readFileSync(join(root, 'examples', name), 'utf8').split('\n');
    const spans: JsonSpan[] = JSON.parse(stdout).views.flatMap(
      ({ prompts }: { prompts: { prompt: { type: string }; spans: JsonSpan[] }[] }) =>
        prompts.flatMap(({ prompt, spans: own }) => (prompt.type === 'text' ? own : [])),
    );
    const literals = spans.filter(({ text, origin }) => origin.type === 'literal' && text !== '');
    expect(literals.length).toBeGreaterThan(1);
    for (const { text, at } of literals) {
      const written = JSON.stringify(text).slice(1, -1);
      expect(lines[(at?.line ?? 0) - 1]?.slice((at?.column ?? 0) - 1)).toSatisfy((rest: string) =>
        rest.startsWith(written),
      );
    }
    for (const { at } of spans.filter(({ origin }) => origin.type === 'field')) {
      expect(lines[(at?.line ?? 0) - 1]?.[(at?.column ?? 0) - 1]).toBe('{');
    }
  },
);

test('all that is known of a row', async () => {
  const { stdout } = await view('examples/choices.json', '-n', '--json', '--row', '1');
  const [only] = JSON.parse(stdout).views;
  expect(only).toMatchObject({
    model: 'base',
    dataset: 'capitals',
    row: { index: 1, id: 2 },
    shots: [0],
    mode: 'ppl',
    compat: null,
    inferencer: 'PPLInferencer',
    diagnostics: [],
  });
  expect(only.prompts.map(({ label }: { label: string }) => label)).toEqual(['A', 'B', 'C']);
  const [{ promptList, prompt, characters, tokens, request }] = only.prompts;
  expect(promptList).toBe(prompt.text);
  expect([characters, tokens, request]).toEqual([prompt.text.length, null, null]);
});
