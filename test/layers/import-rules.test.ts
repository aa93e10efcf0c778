import { describe, expect, it } from 'vitest';
import { importProblems } from '../../scripts/import-rules.ts';
import { importsIn } from '../../scripts/source-imports.ts';

/** The problems of a made-up tree: texts of files by their paths below `src`. */
function problemsOf(tree: Readonly<Record<string, string>>): string[] {
  const imports = Object.entries(tree).flatMap(([file, text]) => importsIn(text, file));
  return importProblems({ files: new Set(Object.keys(tree)), imports });
}

describe('imports point one way', () => {
  it('down is allowed, and within a room', () => {
    const down = { 'data/a.ts': "import '../base/b.ts';", 'base/b.ts': "import './c.ts';" };
    expect(problemsOf({ ...down, 'base/c.ts': '' })).toEqual([]);
  });

  it.each([
    ["import { a } from '../run/a.ts';", 'run'],
    ["import type { A } from '../run/a.ts';", 'run'],
    ["import {\n  a,\n  type B,\n} from '../run/a.ts';", 'run'],
    ["export * from '../run/a.ts';", 'run'],
    ["const a = await import('../run/a.ts');", 'run'],
    ["const a = await import(\n  '../run/a.ts'\n);", 'run'],
    ["type A = import('../run/a.ts').A;", 'run'],
    ["new Worker(new URL('../run/a.ts', import.meta.url));", 'run'],
    ["import { a } from '../model/a.ts';", 'model'],
  ])('%s is found in `data`', (text, room) => {
    expect(problemsOf({ [`${room}/a.ts`]: '', 'data/b.ts': text })).toEqual([
      `src/data/b.ts imports ${room}/a.ts: \`${room}\` is not below \`data\``,
    ]);
  });

  it('a file of no room is named, whether it imports anything or not', () => {
    expect(problemsOf({ 'attic/a.ts': '', 'run/b.ts': "import '../attic/a.ts';" })).toEqual([
      'src/attic/a.ts is in no layer: add `attic` to scripts/layers.ts',
    ]);
  });

  it('what is not there is named; packages are not looked for', () => {
    const tree = { 'run/a.ts': "import './b.ts';\nimport 'zod';\nimport './c.json';" };
    expect(problemsOf(tree)).toEqual([
      'src/run/a.ts imports run/b.ts: there is no such file, or it is a test',
    ]);
  });
});

describe('cycles', () => {
  it.each(["import './b.ts';", "import type { B } from './b.ts';", "type B = import('./b.ts').B;"])(
    '%s makes one',
    (text) => {
      expect(problemsOf({ 'run/a.ts': text, 'run/b.ts': "import './a.ts';" })).toEqual([
        'import cycle: run/a.ts → run/b.ts → run/a.ts',
      ]);
    },
  );

  it('what is loaded later makes none', () => {
    const tree = { 'run/a.ts': "await import('./b.ts');", 'run/b.ts': "import './a.ts';" };
    expect(problemsOf(tree)).toEqual([]);
  });

  it('all of them are named', () => {
    const cycle = { 'run/a.ts': "import './b.ts';", 'run/b.ts': "import './a.ts';" };
    const other = { 'data/a.ts': "import './a.ts';" };
    expect(problemsOf({ ...cycle, ...other })).toHaveLength(2);
  });
});

describe('commands and suites', () => {
  it.each([
    ['cli/run/options.ts', 'cli/view/options.ts'],
    ['cli/run/options.ts', 'cli/view-command.ts'],
    ['suites/gqa/prompts/options.ts', 'suites/gqa/study/study-command.ts'],
  ])('%s does not import %s', (from, to) => {
    const commands = { 'suites/gqa/prompts/gqa-command.ts': '', [to]: '' };
    expect(problemsOf({ ...commands, [from]: importing(from, to) })).toEqual([
      `src/${from} imports ${to}: commands do not import commands`,
    ]);
  });

  it.each([
    ['cli/run/run-command.ts', 'cli/run/options.ts'],
    ['suites/gqa/prompts/gqa-command.ts', 'suites/gqa/study/table.ts'],
    ['suites/gqa/index.ts', 'suites/gqa/prompts/gqa-command.ts'],
  ])('%s may import %s', (from, to) => {
    expect(problemsOf({ [to]: '', [from]: importing(from, to) })).toEqual([]);
  });

  it('suites do not import suites', () => {
    const tree = { 'suites/a/a.ts': "import '../b/index.ts';", 'suites/b/index.ts': '' };
    expect(problemsOf(tree)).toEqual([
      'src/suites/a/a.ts imports suites/b/index.ts: suites do not import suites',
    ]);
  });
});

it('a folder with an index is entered through it', () => {
  const tree = {
    'suites/index.ts': "import './gqa/index.ts';",
    'suites/gqa/index.ts': "import './study.ts';",
    'suites/gqa/study.ts': '',
    'cli/main.ts': "import '../suites/index.ts';",
  };
  expect(problemsOf(tree)).toEqual([]);
  expect(problemsOf({ ...tree, 'cli/list.ts': "import '../suites/gqa/study.ts';" })).toEqual([
    'src/cli/list.ts imports suites/gqa/study.ts: goes round src/suites/gqa/index.ts',
  ]);
});

describe('what browsers run', () => {
  const files = { 'base/files.ts': "import { readFile } from 'node:fs/promises';" };

  it.each([
    'prompt/a.ts',
    'python/a.ts',
    'chat-template/a.ts',
    'compat/prompt/a.ts',
    'exports/stats.ts',
  ])('%s has no Node, itself or by what it loads', (file) => {
    expect(problemsOf({ [file]: "import 'node:path';" })).toEqual([
      `src/${file} imports node:path: runs in browsers too`,
    ]);
    expect(problemsOf({ ...files, [file]: importing(file, 'base/files.ts') })).toEqual([
      `src/${file} → base/files.ts imports node:fs/promises: runs in browsers too`,
    ]);
  });

  it('types do not matter, nor do other rooms', () => {
    const types = { 'prompt/a.ts': "import type { File } from '../base/files.ts';" };
    expect(problemsOf({ ...files, ...types, 'data/a.ts': "import '../base/files.ts';" })).toEqual(
      [],
    );
  });
});

function importing(from: string, to: string): string {
  return `import '${'../'.repeat(from.split('/').length - 1)}${to}';`;
}
