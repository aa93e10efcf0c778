import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callCommand } from '../integration/joints/call-command.ts';
import { writeFiles } from '../open-results/foreign-files.ts';

const provider = { id: 'openai:chat:m', config: { apiBaseUrl: 'http://127.0.0.1:9/v1' } };

async function viewed(config: object, files: Record<string, string> = {}) {
  const folder = writeFiles({
    ...files,
    'promptfooconfig.json': { providers: [provider], ...config },
  });
  const startedAt = performance.now();
  const said = await callCommand(['view', join(folder, 'promptfooconfig.json')]);
  return { ...said, folder, seconds: (performance.now() - startedAt) / 1000 };
}

describe('a promptfooconfig that is out to harm', () => {
  it('makes no tests without number of a few lists', async () => {
    const list = Array.from({ length: 40 }, (_, index) => `v${index}`);
    const vars = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x${index}`, list]));
    const said = await viewed({ prompts: ['{{x0}}'], tests: [{ vars }] });
    expect(said.code, said.stderr).toBe(2);
    expect(said.stderr).toContain('makes more than 100,000 tests of one');
    expect(said.seconds).toBeLessThan(20);
  });

  it('cannot have the command wait for a pipe, or read a device', async () => {
    const folder = writeFiles({ 'x.txt': '' });
    execFileSync('mkfifo', [join(folder, 'pipe.txt')]);
    const pipe = await viewed({ prompts: [`file://${folder}/pipe.txt`], tests: [] });
    expect([pipe.code, pipe.stderr]).toEqual([2, expect.stringContaining('is a pipe')]);
    const vars = { x: `file://${folder}/pipe.txt` };
    const inTests = await viewed({ prompts: ['{{x}}'], tests: [{ vars }] });
    expect([inTests.code, inTests.stderr]).toEqual([2, expect.stringContaining('is a pipe')]);
    const folders = await viewed({ prompts: ['file://inner.txt'] }, { 'inner.txt/x': '' });
    expect([folders.code, folders.stderr]).toEqual([2, expect.stringContaining('is a folder')]);
  });

  it.each([
    ['loops', '{% for i in range(1000000000) %}{{ i }}{% endfor %}'],
    ['copies', '{{ "x" * 2000000000 }}'],
    ['brackets', `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`],
    ['the constructor', '{{ x.constructor.constructor("return process")().env }}'],
    ['a prototype', '{{ x.__proto__.polluted }}{% set x.__proto__.polluted = 1 %}'],
  ])('has templates with limits: %s', async (_, template) => {
    const said = await viewed({ prompts: [template], tests: [{ vars: { x: 'y' } }] });
    expect([0, 2], said.stderr).toContain(said.code);
    expect(said.stderr).not.toContain('should not have happened');
    expect(said.stdout).not.toContain('PATH');
    expect(said.seconds).toBeLessThan(20);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each([[{}], [{ type: 5 }], [{ type: { a: 1 } }], [{ type: [{}] }], [{ type: null }]])(
    'names an assertion without a type: %j',
    async (assertion) => {
      const tests = [{ vars: { x: 'y' }, assert: [assertion] }];
      const said = await viewed({ prompts: ['{{x}}'], tests });
      expect(said.code).toBe(2);
      expect(said.stderr).toContain('tests[0].assert[0] has no `type` that is a text');
    },
  );

  it('nests no prompt without end', async () => {
    const nested = `${'['.repeat(20_000)}"{{x}}"${']'.repeat(20_000)}`;
    const said = await viewed(
      { prompts: ['file://deep.json'], tests: [{ vars: { x: 'y' } }] },
      { 'deep.json': nested },
    );
    expect(said.code, said.stderr).toBe(2);
    expect(said.stderr).toContain('nested more than 200 levels deep');
  });
});
