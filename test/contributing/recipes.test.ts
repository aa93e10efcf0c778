import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { importProblems } from '../../scripts/import-rules.ts';
import { importsIn, isTest, readSource, sourceFiles } from '../../scripts/source-imports.ts';
import { applyDiff, printedPattern, readRecipes, type Step } from './read-recipes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const recipes = readRecipes(await readFile(join(root, 'CONTRIBUTING.md'), 'utf8'));
const steps = recipes.flatMap((recipe) => recipe.steps);

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typecase-contributing-'));
  await cp(join(root, 'src'), join(folder, 'src'), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json', 'biome.json']) {
    await cp(join(root, name), join(folder, name));
  }
  for (const name of ['node_modules', 'models', 'tasks']) {
    await symlink(join(root, name), join(folder, name));
  }
  server = createServer((_, response) => response.end('{"content":"Rome"}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  for (const step of steps) await apply(step);
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function apply(step: Step): Promise<void> {
  if (step.type === 'command') return;
  const file = join(folder, step.file);
  await mkdir(dirname(file), { recursive: true });
  const { port } = server.address() as AddressInfo;
  const text =
    step.type === 'new'
      ? step.text.replace('127.0.0.1:8080', `127.0.0.1:${port}`)
      : applyDiff(await readFile(file, 'utf8'), step.diff);
  await writeFile(file, text, { flag: step.type === 'new' ? 'wx' : 'w' });
}

describe.each(recipes)('$title', ({ steps }) => {
  const commands = steps.filter((step) => step.type === 'command');

  it('ends with a command', () => {
    expect(commands.length).toBeGreaterThan(0);
  });

  it.each(commands.map(({ args, printed }) => ({ line: args.join(' '), args, printed })))(
    'typecase $line',
    async ({ args, printed }) => {
      const { stdout } = await run(
        process.execPath,
        ['--import', 'tsx', 'src/cli/main.ts', ...args],
        { cwd: folder, env: { ...process.env, COLUMNS: '80', NO_COLOR: '1' } },
      );
      expect(stdout).toMatch(printedPattern(printed));
    },
    120_000,
  );
});

test('the changed source has right types', () => {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const files = [...changed()].map((file) => join(folder, file));
  const program = ts.createProgram(files, options);
  const problems = files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  expect(
    problems.map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    ),
  ).toEqual([]);
}, 180_000);

test('the changed source has no faults of style', async () => {
  const biome = join(root, 'node_modules/.bin/biome');
  await expect(run(biome, ['check', ...changed()], { cwd: folder })).resolves.toBeDefined();
});

test('the changed source keeps the directions of imports', async () => {
  const shipped = sourceFiles().filter((file) => !isTest(file));
  const texts = new Map(shipped.map((file) => [file, readSource(file)]));
  const before = problemsOf(texts);
  for (const file of changed()) {
    texts.set(file.replace('src/', ''), await readFile(join(folder, file), 'utf8'));
  }
  expect(problemsOf(texts)).toEqual(before);
});

function problemsOf(texts: ReadonlyMap<string, string>): string[] {
  const imports = [...texts].flatMap(([file, text]) => importsIn(text, file));
  return importProblems({ files: new Set(texts.keys()), imports });
}

/** The files of the source that the recipes make or change. */
function changed(): Set<string> {
  return new Set(
    steps.flatMap((step) => (step.type !== 'command' && /\.ts$/.test(step.file) ? step.file : [])),
  );
}

test('recipes of other kinds than these have a test too', () => {
  expect(recipes.map(({ title }) => title)).toEqual([
    'A data format',
    'A metric',
    'A model back end',
    'A suite',
    'A command',
  ]);
});

describe('changes', () => {
  const diff = ' b\n-c\n+d\n+e\n';

  it('take lines away and put others in', () => {
    expect(applyDiff('a\nb\nc\nf\n', diff)).toBe('a\nb\nd\ne\nf\n');
  });

  it('stand at one position only', () => {
    expect(() => applyDiff('a\nb\n', diff)).toThrow('0 positions');
    expect(() => applyDiff('b\nc\nb\nc\n', diff)).toThrow('2 positions');
  });
});

test('what a command prints may be left out', () => {
  const pattern = printedPattern('…\n  a (1)  …\n…\n');
  expect('head\n  a (1)  50\nfoot\n').toMatch(pattern);
  expect('head\n  b (1)  50\nfoot\n').not.toMatch(pattern);
});
