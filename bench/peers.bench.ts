import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCli, cli } from '../test/integration/build-cli.ts';
import { startLoopbackServer } from './loopback.ts';
import { median } from './measure.ts';
import { watchMemory } from './peak-memory.ts';
import { concurrency, runCommand, writeTask } from './run-command.ts';

const rows = 5_000;
const rounds = 3;
const peers = fileURLToPath(new URL('peers', import.meta.url));

/** What is evaluated: an endpoint, or a function of a program. */
type Target = 'endpoint' | 'function';

interface Harness {
  readonly name: string;
  /** How many times as long as Typecase it is expected to take. */
  readonly bar?: number;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the output, or this file, says when every row was answered and right. */
  readonly success: RegExp;
  readonly result?: string;
}

function installPeers(): void {
  if (existsSync(join(peers, 'node_modules/.package-lock.json'))) return;
  const { status } = spawnSync('npm', ['ci', '--prefix', peers], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the other harnesses cannot be installed');
}

const binary = (name: string) => join(peers, 'node_modules/.bin', name);

function harnesses(folder: string, url: string, target: Target): readonly Harness[] {
  const commonOptions = ['--no-cache', '--no-table', '--no-progress-bar', '--no-share'];
  return [
    {
      name: 'typecase',
      command: [
        process.execPath,
        cli,
        ...runCommand.map((word) => (word === 'config.json' ? `${target}.json` : word)),
      ],
      success: new RegExp(`"scored": ?${rows}\\b`),
    },
    {
      name: 'vitest-evals',
      bar: target === 'function' ? 3 : 2,
      command: [
        binary('vitest'),
        ...['run', '--root', peers, '--reporter', 'vitest-evals/reporter'],
        ...['--maxConcurrency', String(concurrency)],
      ],
      env: {
        ROWS_FILE: join(folder, 'rows.jsonl'),
        SERVER_URL: target === 'endpoint' ? url : '',
      },
      success: new RegExp(`${rows} passed`),
    },
    {
      name: 'promptfoo',
      bar: 20,
      command: [
        binary('promptfoo'),
        ...[
          'eval',
          '--config',
          `promptfoo-${target}.json`,
          '--max-concurrency',
          String(concurrency),
        ],
        ...commonOptions,
        // What it prints at its end can be lost where the machine is busy.
        ...['--output', 'promptfoo-results.json'],
      ],
      env: {
        // Its own database and no log files: it may fail where those of an earlier run are in its way.
        HOME: join(folder, 'home'),
        PROMPTFOO_CONFIG_DIR: join(folder, 'home'),
        PROMPTFOO_DISABLE_DEBUG_LOG: '1',
        PROMPTFOO_DISABLE_ERROR_LOG: '1',
        PROMPTFOO_DISABLE_SHARING: '1',
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
        PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
      },
      success: new RegExp(`"successes": ?${rows}\\b`),
      result: 'promptfoo-results.json',
    },
  ];
}

/** The same rows and question for promptfoo, and for Typecase with the function. */
async function writeTasks(folder: string, url: string): Promise<void> {
  const lines = (await readFile(join(folder, 'rows.jsonl'), 'utf8')).trimEnd().split('\n');
  const tests = lines.map((line) => `{"vars":${line}}`).join('\n');
  await writeFile(join(folder, 'tests.jsonl'), tests);
  const settings = { apiBaseUrl: `${url}/v1`, apiKey: 'none', max_tokens: 16 };
  const providers = {
    endpoint: { id: 'openai:chat:bench', config: settings },
    function: { id: `file://${join(peers, 'provider.mjs')}` },
  };
  for (const [target, provider] of Object.entries(providers)) {
    const config = {
      prompts: ['{{question}}'],
      providers: [provider],
      defaultTest: { assert: [{ type: 'equals', value: '{{answer}}' }] },
      tests: 'file://tests.jsonl',
    };
    await writeFile(join(folder, `promptfoo-${target}.json`), JSON.stringify(config));
  }
  const config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));
  const file = join(peers, 'ask.mjs');
  const models = [{ abbr: 'm', type: 'function', file, export: 'ask', version: '1' }];
  await writeFile(join(folder, 'endpoint.json'), JSON.stringify(config));
  await writeFile(join(folder, 'function.json'), JSON.stringify({ ...config, models }));
}

async function measure({ name, command, env, success, result }: Harness, folder: string) {
  for (const left of ['runs', 'home'])
    await rm(join(folder, left), { recursive: true, force: true });
  await mkdir(join(folder, 'home'));
  const [program = '', ...args] = command;
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env } });
  const peak = watchMemory(child.pid ?? 0);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [status] = await once(child, 'close');
  const seconds = (performance.now() - startedAt) / 1000;
  const megabytes = peak();
  const told = result === undefined ? output : await readFile(join(folder, result), 'utf8');
  if (status !== 0 || !success.test(told))
    throw new Error(`${name} failed:\n${output.slice(-2_000)}`);
  return { seconds, megabytes };
}

installPeers();
buildCli();
const server = await startLoopbackServer();
const folder = await writeTask(server.url, rows);
await writeTasks(folder, server.url);

async function compare(target: Target) {
  const compared = harnesses(folder, server.url, target);
  const figures = new Map(
    compared.map(({ name }) => [name, [] as { seconds: number; megabytes: number }[]]),
  );
  for (let round = 0; round < rounds; round++) {
    for (const harness of compared) figures.get(harness.name)?.push(await measure(harness, folder));
  }
  const middle = (name: string, key: 'seconds' | 'megabytes') =>
    median((figures.get(name) ?? []).map((figure) => figure[key]));
  return compared.map(({ name, bar }) => ({
    asked: target,
    harness: name,
    rows,
    seconds: Number(middle(name, 'seconds').toPrecision(3)),
    'peak MB': Math.round(middle(name, 'megabytes')),
    'times typecase': Number(
      (middle(name, 'seconds') / middle('typecase', 'seconds')).toPrecision(3),
    ),
    bar: bar === undefined ? '' : `≥ ${bar}`,
  }));
}

const targets = (['endpoint', 'function'] as const).filter(
  (target) => !process.argv.includes('--function') || target === 'function',
);
const results = [];
for (const target of targets) results.push(...(await compare(target)));
server.stop();
await rm(folder, { recursive: true });
if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else console.table(results);
