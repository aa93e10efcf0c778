import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addProjectFiles, installPackage, type Project, root } from './install-package.ts';

let project: Project;
let megabytes: number;
beforeAll(async () => {
  project = await installPackage();
  megabytes = (await bytesIn(join(project.folder, 'node_modules'))) / 2 ** 20;
  await addProjectFiles(project);
});
afterAll(() => project?.remove());

/** The room that files take on a disk with blocks of 4 KiB. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0);
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function inProject(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const { CI: _, VITEST: __, NODE_ENV: ___, ...inherited } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: project.folder, env: { ...inherited, COLUMNS: '100', ...env } };
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

test('installs little, and nothing that has to run or to be brought from elsewhere', async () => {
  const lock = await readFile(join(project.folder, 'node_modules/.package-lock.json'), 'utf8');
  const packages = Object.entries<{ hasInstallScript?: boolean }>(JSON.parse(lock).packages);
  const names = packages.map(([name]) => name.replace('node_modules/', ''));
  expect(packages.filter(([, entry]) => entry.hasInstallScript)).toEqual([]);
  expect(names).toContain('typecase');
  expect(names.filter((name) => /onnxruntime|kuromoji|jieba|^vitest/.test(name))).toEqual([]);
  expect(megabytes).toBeLessThan(60);
});

test('holds the pages and examples that README and the index of the docs name', () => {
  const folder = join(project.folder, 'node_modules/typecase');
  const wanted = ['README.md', 'docs/index.md'].flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link = '']) => link);
    const named = [...text.matchAll(/\bexamples\/[\w./-]*\w/g)].map(([path]) => path);
    const linked = links.filter((link) => !/^https?:/.test(link));
    return [...linked.map((link) => join(dirname(page), link)), ...named];
  });
  expect(wanted.length).toBeGreaterThan(60);
  expect(wanted.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});

const { Node16, NodeNext, Bundler } = ts.ModuleResolutionKind;
const resolutions = [
  { name: 'node16', module: ts.ModuleKind.Node16, moduleResolution: Node16 },
  { name: 'nodenext', module: ts.ModuleKind.NodeNext, moduleResolution: NodeNext },
  { name: 'bundler', module: ts.ModuleKind.ESNext, moduleResolution: Bundler },
];

test.each(resolutions)('has types for $name', async ({ module, moduleResolution }) => {
  const files = (await readdir(project.folder)).filter((name) => name.endsWith('.ts'));
  const program = ts.createProgram(
    files.map((name) => join(project.folder, name)),
    {
      module,
      moduleResolution,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts'],
      typeRoots: [join(project.folder, 'node_modules/@types')],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    },
  );
  const own = program
    .getSourceFiles()
    .filter(
      ({ fileName }) =>
        fileName.startsWith(project.folder) &&
        (!fileName.includes('node_modules') || fileName.includes('node_modules/typecase/')),
    );
  expect(own.length).toBeGreaterThan(files.length);
  const problems = own
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .map(({ file, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, ' ');
      return `${file?.fileName.slice(project.folder.length)}: ${text}`;
    });
  expect(problems).toEqual([]);
});

test.each(resolutions)(
  'has types for $name where neither those of Node nor of browsers are known',
  async ({ module, moduleResolution }) => {
    const paths = ['', '/prompt', '/retrieve', '/score', '/report', '/stats'];
    const lines = paths.map((path, index) => `export * as part${index} from 'typecase${path}';`);
    const file = join(project.folder, 'bare.ts');
    await writeFile(
      file,
      `${lines.join('\n')}
import { defineConfig, openEvaluations } from 'typecase';
export default defineConfig({
  models: [{ abbr: 'app', generate: async ({ prompt, signal }) => \`\${prompt} \${signal.aborted}\` }],
});
export async function look() {
  await using evaluations = await openEvaluations({ datasets: [] });
  return evaluations.length;
}
`,
    );
    const program = ts.createProgram([file], {
      ...{ module, moduleResolution },
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      types: [],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
    expect(problems).toEqual([]);
  },
);

/** Answers every chat request with the word in capitals that it asks about. */
async function withServer<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const [{ content }] = JSON.parse(body).messages;
    const text = String(content).replace('Shout: ', '').toUpperCase();
    const choices = [{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const npx = (args: readonly string[], env?: NodeJS.ProcessEnv) =>
  inProject('npx', ['--no', 'typecase', ...args], env);

test('runs a config in TypeScript with npx, and shows its prompts', async () => {
  const { run, view } = await withServer(async (SERVER_URL) => ({
    view: await npx(['view', 'shout.config.ts'], { SERVER_URL }),
    run: await npx(['run', 'shout.config.ts', '--fail-under', '60%'], { SERVER_URL }),
  }));
  expect(view.stdout).toContain('Shout: hello');
  expect(run.stdout).toContain('66.7');
  expect(run.code, run.stderr).toBe(0);
  expect((await npx(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('evaluates inside a test runner', async () => {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json'];
  const { code, stdout, stderr } = await withServer((SERVER_URL) =>
    inProject(process.execPath, vitest, { SERVER_URL }),
  );
  const report = JSON.parse(stdout.slice(stdout.indexOf('{')));
  expect(report.numPassedTests, stderr).toBe(2);
  expect(code, stderr).toBe(0);
});

test.each([
  ['model', 'onnxruntime-node', ['run', 'task:arithmetic/equation', '--model', 'typecase-tiny']],
  ['dictionary', '@sglkc/kuromoji', ['run', 'japanese.yaml']],
  ['dictionary', '@node-rs/jieba', ['run', 'chinese.yaml']],
] as const)('names the package that a %s needs: %s', async (_, name, args) => {
  for (const [file, language] of [
    ['japanese', 'ja'],
    ['chinese', 'zh'],
  ]) {
    const config = `models: [{ abbr: m, type: OpenAI, base_url: "http://127.0.0.1:9", model: m }]
datasets:
  - abbr: words
    rows: [{ q: 猫, a: 猫 }]
    reader_cfg: { input_columns: [q], output_column: a }
    infer_cfg: { prompt_template: { template: "{q}" } }
    eval_cfg: { evaluator: { type: rouge, language: ${language} } }
`;
    await writeFile(join(project.folder, `${file}.yaml`), config);
  }
  const { code, stderr } = await npx(args);
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(stderr).toContain(`\`npm install ${name}@${devDependencies[name]} --ignore-scripts\``);
  expect(code).toBe(2);
});

test.each(['v20.18.3', 'v18.20.8', 'v8.0.0'])(
  'says in one line that Node %s is too old',
  async (version) => {
    const old = join(project.folder, 'old.cjs');
    const number = version.slice(1);
    await writeFile(
      old,
      `Object.defineProperty(process, 'versions', { value: { node: '${number}' } });
Object.defineProperty(process, 'version', { value: '${version}' });`,
    );
    const bin = join(project.folder, 'node_modules/typecase/bin/typecase.cjs');
    const { code, stdout, stderr } = await inProject(process.execPath, ['-r', old, bin, 'run']);
    expect(stderr).toBe(`Typecase needs Node 20.19 or newer; this is ${version}.\n`);
    expect([code, stdout]).toEqual([2, '']);
  },
);

test('the command that asks for the version is written in words that old versions know', () => {
  const text = readFileSync(join(root, 'bin/typecase.cjs'), 'utf8');
  expect(text).not.toMatch(/=>|\b(?:let|const|async|await|class)\b|`|\?\.|\?\?|,\s*[)\]}]/);
});
