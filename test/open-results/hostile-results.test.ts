import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeZip } from '../../src/base/zip.fixture.ts';
import { readPromptfoo } from '../../src/import/results/promptfoo-results.ts';
import { openRun } from '../../src/index.ts';
import { callCommand } from '../integration/joints/call-command.ts';
import { inspectFiles, jsonLines, lmEvalFolder, sumRows, writeFiles } from './foreign-files.ts';

const rows = sumRows.slice(0, 2);

function deep(levels: number, inner = '"x"'): string {
  return '['.repeat(levels) + inner + ']'.repeat(levels);
}

const outFolder = () => join(mkdtempSync(join(tmpdir(), 'typecase-opened-')), 'run');

async function opened(path: string) {
  const out = outFolder();
  const startedAt = performance.now();
  const said = await callCommand(['open', path, '--out', out]);
  return { ...said, out, seconds: (performance.now() - startedAt) / 1000 };
}

describe('results of other harnesses that are out to harm', () => {
  test.each([
    [
      'nesting in a prompt of OpenCompass',
      {
        'predictions/m/d.json': `{"0": {"origin_prompt": ${deep(5000)}, "prediction": "x", "gold": "x"}}`,
      },
    ],
    [
      'nesting in a sample of Inspect',
      { 'a.eval': inspectWith({ input: JSON.parse(deep(3000)) }) },
    ],
    [
      'nesting in a gold answer of promptfoo',
      {
        'r.json': `{"results": {"results": [{"success": true, "prompt": {"raw": ${deep(3000)}}, "vars": {}}]}}`,
      },
    ],
  ])('%s is refused, with its file', async (_, files) => {
    const folder = writeFiles(files);
    const [name = ''] = Object.keys(files);
    const path = name.startsWith('predictions') ? folder : join(folder, name);
    const said = await opened(path);
    expect(said.code, said.stderr).toBe(2);
    expect(said.stderr).toContain('nested more than 200 levels deep');
    expect(said.stderr).not.toContain('should not have happened');
  });

  test('white space without end takes no longer than other text', async () => {
    const blank = ' '.repeat(400_000);
    const folder = writeFiles({
      'predictions/m/d.json': `{"0": {"prediction": NaN,${blank}"origin_prompt": "q", "gold": "x"}}`,
    });
    const said = await opened(folder);
    expect([said.code, said.stderr]).toEqual([0, '']);
    expect(said.seconds).toBeLessThan(10);
  });

  test('NaN and Infinity in what was said stay as they were said', async () => {
    const answer = 'x = [1, NaN, -Infinity], y: NaN }';
    const folder = writeFiles({
      'predictions/m/d.json': `{"0": {"origin_prompt": "q", "prediction": ${JSON.stringify(answer)}, "gold": ${JSON.stringify(answer)}, "PPL": NaN, "loss": -Infinity}}`,
      'results/m/d.json': { accuracy: 100 },
    });
    const said = await opened(folder);
    expect(said.code, said.stderr).toBe(0);
    const run = await openRun(said.out);
    for await (const record of run.rows({ model: 'm', dataset: 'd' })) {
      expect(record).toMatchObject({ answer, score: 1 });
    }
  });

  test('names of models lead out of no folder, and stand for one model each', async () => {
    const results = ['..', '../../evil', '.._.._evil', '__proto__', 'a b', 'a/b'].map(
      (provider, testIdx) => ({
        ...{ testIdx, provider, vars: {}, success: true },
        prompt: { raw: 'q', label: 'q' },
        response: { output: `of ${provider}` },
      }),
    );
    const file = join(writeFiles({ 'r.json': { results: { results } } }), 'r.json');
    const said = await opened(file);
    expect(said.code, said.stderr).toBe(0);
    expect(readdirSync(dirname(said.out))).toEqual(['run']);
    const folders = readdirSync(said.out);
    expect(folders).toHaveLength(results.length);
    for (const name of folders) expect(existsSync(join(said.out, name, 'run.json'))).toBe(true);
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'the name %s is one like others',
    async (name) => {
      const samples = inspectFiles(rows);
      const sample = JSON.parse(samples['samples/1_epoch_1.json'] ?? '');
      sample.scores.match.value = name;
      sample.input = [
        { role: name, content: 'a' },
        { role: 'user', content: 'b' },
      ];
      const archive = makeZip({ ...samples, 'samples/1_epoch_1.json': JSON.stringify(sample) });
      const said = await opened(join(writeFiles({ 'a.eval': archive }), 'a.eval'));
      expect(said.stderr).not.toContain('should not have happened');
      const run = await openRun(said.out);
      for await (const record of run.rows({ model: 'tiny', dataset: 'sums' })) {
        expect(JSON.stringify(record)).not.toContain('native code');
      }
    },
  );

  test('100,000 rows of promptfoo are read in time', async () => {
    const many = Array.from({ length: 100_000 }, (_, index) => ({
      ...{ testIdx: index, provider: 'p', vars: {}, success: true },
      ...{ promptId: `p${index}`, prompt: { raw: 'q' }, response: { output: 'x' } },
    }));
    const file = join(writeFiles({ 'r.json': { results: { results: many } } }), 'r.json');
    const startedAt = performance.now();
    expect(readPromptfoo(file)).toHaveLength(100_000);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test.each([
    ['a number for rows', { results: { results: 5 } }],
    ['rows that are numbers', { results: { results: [1, null, 'x', []] } }],
    ['a list for a result', { results: [], configs: [] }],
    ['texts for settings', { results: { t: 'x' }, configs: { t: 'y' } }],
  ])('%s: nothing that is known', async (_, content) => {
    const said = await opened(join(writeFiles({ 'results_1.json': content }), 'results_1.json'));
    expect(said.code).toBe(2);
    expect(said.stderr).toContain('has no results of a known kind');
  });

  test('wrong types in every place are read or refused, never more', async () => {
    const wrong = [null, 5, -1e308, 'x', [], {}, [[]], true, { a: { b: 1 } }];
    for (const value of wrong) {
      const sample = { id: value, input: value, target: value, output: value, scores: value };
      const files = {
        'a.eval': inspectWith(sample),
        'r.json': JSON.stringify({
          results: { results: [{ success: value, provider: value, prompt: value, vars: value }] },
        }),
        'predictions/m/d.json': JSON.stringify({ 0: { prediction: value, gold: value }, 1: value }),
        'results/m/d.json': JSON.stringify({ accuracy: value, details: value }),
        'results_2026.json': { results: { t: { acc: value } }, configs: { t: { task: value } } },
        'samples_t_2026.jsonl': jsonLines([
          {
            doc_id: value,
            doc: value,
            arguments: value,
            resps: value,
            target: value,
            metrics: value,
          },
        ]),
      };
      const folder = writeFiles(files);
      for (const path of ['', 'a.eval', 'r.json', 'results_2026.json']) {
        const said = await opened(join(folder, path));
        expect([0, 2, 3], `${JSON.stringify(value)} ${path} ${said.stderr}`).toContain(said.code);
        expect(said.stderr, JSON.stringify(value)).not.toContain('should not have happened');
      }
    }
  });

  test('a pipe, a device and links that lead round are not waited for', async () => {
    const folder = writeFiles({ 'predictions/m/x.txt': '', 'predictions/notes.txt': '' });
    execFileSync('mkfifo', [join(folder, 'predictions/m/d.json')]);
    const pipe = await opened(folder);
    expect([pipe.code, pipe.stderr]).toEqual([2, expect.stringContaining('it is a pipe')]);
    const device = writeFiles({ 'x.txt': '' });
    symlinkSync('/dev/zero', join(device, 'a.eval'));
    expect((await opened(join(device, 'a.eval'))).code).toBe(2);
    const round = writeFiles({ 'x.txt': '' });
    symlinkSync(round, join(round, 'predictions'));
    symlinkSync('nowhere', join(round, 'gone'));
    expect(await opened(round)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no results of a known kind'),
    });
  });

  test('templates and patterns in the settings of a task are bounded', async () => {
    const folder = lmEvalFolder(rows);
    const [stamp = ''] = readdirSync(join(folder, 'tiny')).filter((name) => /^results/.test(name));
    const file = join(folder, 'tiny', stamp);
    for (const change of [
      { doc_to_target: '{% for i in range(10**9) %}{{ i }}{% endfor %}' },
      { doc_to_target: '{{ "x" * 2000000000 }}' },
      { doc_to_target: '!function utils.evil' },
      {
        filter_list: [
          { name: 'stripped', filter: [{ function: 'regex', regex_pattern: '(a+)+$' }] },
        ],
      },
    ]) {
      const content = JSON.parse(readFileSync(file, 'utf8'));
      Object.assign(content.configs.sums, change);
      writeFileSync(file, JSON.stringify(content));
      const said = await opened(folder);
      expect([0, 2, 3], said.stderr).toContain(said.code);
      expect(said.stderr).not.toContain('should not have happened');
      expect(said.seconds).toBeLessThan(20);
    }
  });
});

function inspectWith(change: object): Buffer {
  const files = inspectFiles(rows);
  const name = 'samples/1_epoch_1.json';
  const sample = { ...JSON.parse(files[name] ?? ''), ...change };
  return makeZip({ ...files, [name]: JSON.stringify(sample) });
}
