import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeZip } from '../../src/base/zip.fixture.ts';
import { parseTextTemplate } from '../../src/chat-template/text-template.ts';
import { TypecaseError } from '../../src/errors.ts';
import { openResults } from '../../src/import/results/open-results.ts';
import { literalEval } from '../../src/python/literal.ts';
import { translatePattern } from '../../src/python/pattern.ts';
import { matchesIn, regexReplace } from '../../src/suites/lm-eval/prompts/regex-replace.ts';
import { readTaskYaml } from '../../src/suites/lm-eval/tasks/read-task-yaml.ts';
import { namesMatching } from '../../src/suites/lm-eval/tasks/task-index.ts';

const options = { name: 'doc_to_text', file: 't', regexReplace };
const render = (source: string, row = {}) => parseTextTemplate(source, options).render(row);

const bounds = 20_000;

async function refused(run: () => unknown): Promise<string> {
  const start = performance.now();
  try {
    await run();
  } catch (error) {
    expect(performance.now() - start).toBeLessThan(bounds);
    if (!TypecaseError.isInstance(error)) throw error;
    return error.code;
  }
  throw new Error('it was not refused');
}

test.each([
  [
    '{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}',
    'jinja.too_much',
  ],
  ["{{ 'x' * 1000000000 }}", 'jinja.too_much'],
  ['{{ range(1000000000) | list }}', 'jinja.too_much'],
  ['{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}', 'jinja.failed'],
  ['{{ missing }}', 'jinja.failed'],
  ['{% if missing %}{% endif %}', 'jinja.failed'],
  ['{{ missing == 1 }}', 'jinja.failed'],
  ['{% if %}', 'jinja.syntax'],
  ['{{ q | nothing }}', 'jinja.unknown_filter'],
])('the template %s is refused', async (source, code) => {
  expect(await refused(() => render(source, { q: 'a' }))).toBe(code);
});

test.each([
  ['a{% if true %}\n b {% endif %}\n', {}, 'a\n b \n'],
  ['{{ missing | default("none") }}{{ missing is defined }}', {}, 'noneFalse'],
  [
    '{{ x | tojson }}',
    { x: { b: "<'&>", a: 'é' } },
    '{"a": "\\u00e9", "b": "\\u003c\\u0027\\u0026\\u003e"}',
  ],
  ['{{ x | regex_replace("(\\\\w)b", "\\\\1-") }}', { x: 'abcb' }, 'a-c-'],
])('the template %s gives what Jinja gives', (source, row, text) => {
  expect(render(source, row)).toBe(text);
  const traced = parseTextTemplate(source, options).trace(row);
  expect(traced.map((part) => part.text).join('')).toBe(text);
});

test('a pattern that would take for ever is given up', async () => {
  expect(await refused(() => matchesIn(`${'a'.repeat(60)}!`, '(a+)+$'))).toBe('pattern.too_slow');
});

test.each([
  ['(?i)ABC', 'xabc', 'abc'],
  ['\\d+\\.\\-', '12.-', '12.-'],
  ['[\\w\\-]+', 'a-b c', 'a-b'],
  ['(?P<x>a)(?P=x)', 'baa', 'aa'],
  ['a\\nb', 'a\nb', 'a\nb'],
  ['(?s)a.b', 'a\nb', 'a\nb'],
  ['^b(?#note)$', 'b\n', 'b'],
  ['[]x]+', 'y]x', ']x'],
  ['\\(([A-Z])\\)', 'it is (B)', '(B)'],
])('the pattern %s finds in %j what Python finds', (pattern, text, found) => {
  expect(translatePattern(pattern).exec(text)?.[0]).toBe(found);
});

test.each([
  ["['a', \"b\\n\", r'c\\d']", ['a', 'b\n', 'c\\d']],
  ['[1, -2, 0x10, True, None]', [1, -2, 16, true, null]],
  ['[1 2]', undefined],
  ['__import__("os")', undefined],
  [`${'['.repeat(5000)}${']'.repeat(5000)}`, undefined],
])('literals are read as Python reads them: %s', (text, value) => {
  expect(literalEval(text)?.value).toEqual(value);
});

test('files are bounded: cycles of includes, aliases without end, deep nesting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-hostile-'));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  write('b.yaml', 'include: a.yaml');
  expect(await refused(() => readTaskYaml(write('a.yaml', 'include: b.yaml')))).toBe(
    'lm_eval.bad_include',
  );
  expect(await refused(() => readTaskYaml(write('c.yaml', 'include: nowhere.yaml')))).toBe(
    'lm_eval.bad_include',
  );
  const bomb = Array.from({ length: 12 }, (_, index) =>
    index === 0
      ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
      : `a${index}: &a${index} [${`*a${index - 1}, `.repeat(9)}]`,
  ).join('\n');
  expect(await refused(() => readTaskYaml(write('d.yaml', bomb)))).toMatch(/^config\./);
  expect(await refused(() => readTaskYaml(write('e.yaml', `a: ${'['.repeat(100_000)}`)))).toMatch(
    /^config\./,
  );
  const { value } = await readTaskYaml(
    write('f.yaml', 'task: t\ntask: u\nx: [no, y, "!function"]\nf: !function u.f'),
  );
  expect(value).toEqual({ task: 'u', x: [false, 'y', '!function'], f: '!function u.f' });
});

test('names match as in a shell', () => {
  const names = ['mmlu_a', 'mmlu_b', 'arc(x)', 'arc'];
  expect(namesMatching('mmlu_[!b]', names)).toEqual(['mmlu_a']);
  expect(namesMatching('arc*', names)).toEqual(['arc(x)', 'arc']);
  expect(namesMatching('arc(?)', names)).toEqual(['arc(x)']);
});

test('result files are bounded: archives that are damaged, JSON that is deep', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-hostile-'));
  const open = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return openResults(join(folder, name), join(folder, 'out'));
  };
  const archive = makeZip({ 'header.json': '{"eval": {}}' });
  await refused(() => open('a.eval', archive.subarray(0, archive.length - 5)));
  await refused(() => open('b.eval', makeZip({ 'header.json': '{"eval": ' })));
  await refused(() => open('c.json', `${'['.repeat(200_000)}`));
  await refused(() => open('d.json', '{"results": {"results": 5}}'));
});
