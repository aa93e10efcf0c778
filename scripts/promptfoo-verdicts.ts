/**
 * Runs configs through promptfoo and through Typecase against one server, and compares every verdict:
 * `npx tsx scripts/promptfoo-verdicts.ts [--record] [--peers FOLDER] [NAME …]`. With `--record` what
 * promptfoo says becomes what the tests expect.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { startChatServer } from '../test/functions/chat-server.ts';
import { answerTo } from '../test/promptfoo/answers.ts';
import {
  configNames,
  environment,
  prepareConfig,
  recorded,
  type Verdicts,
  verdictsOfPromptfoo,
  verdictsOfRun,
} from '../test/promptfoo/compare.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'boolean' },
    peers: { type: 'string', default: join(root, 'bench', 'peers') },
  },
});

/** Nothing of it leaves this machine. */
const quiet = {
  PROMPTFOO_DISABLE_DEBUG_LOG: '1',
  PROMPTFOO_DISABLE_ERROR_LOG: '1',
  PROMPTFOO_DISABLE_SHARING: '1',
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
};

async function run(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  await once(child, 'close');
  return output;
}

async function ofPromptfoo(folder: string, url: string): Promise<Verdicts> {
  const home = join(folder, 'home');
  await mkdir(home);
  const output = await run(
    join(values.peers, 'node_modules', '.bin', 'promptfoo'),
    ['eval', '-c', 'promptfooconfig.json', '--no-cache', '--no-table', '-o', 'theirs.json'],
    {
      cwd: folder,
      env: { ...environment(url), ...quiet, HOME: home, PROMPTFOO_CONFIG_DIR: home },
    },
  );
  return verdictsOfPromptfoo(join(folder, 'theirs.json')).catch((error: Error) => {
    throw new Error(`${error.message}\n${output}`);
  });
}

async function ofTypecase(folder: string, url: string): Promise<Verdicts> {
  const output = await run(
    process.execPath,
    [join(root, 'bin', 'typecase.cjs'), 'run', 'promptfooconfig.json', '--out', 'ours'],
    { cwd: folder, env: environment(url) },
  );
  return verdictsOfRun(join(folder, 'ours')).catch((error: Error) => {
    throw new Error(`${error.message}\n${output}`);
  });
}

await using server = await startChatServer(answerTo);
const names = positionals.length > 0 ? positionals : await configNames();
const known = await readFile(recorded, 'utf8').then(JSON.parse, () => ({}));
const all: Record<string, Verdicts> = { ...known };
let [count, differing] = [0, 0];
for (const name of names) {
  const folder = await prepareConfig(name);
  const theirs = await ofPromptfoo(folder, server.url);
  const ours = await ofTypecase(folder, server.url).catch((error: Error): Verdicts => {
    console.log(`${name}: ${error.message}`);
    return {};
  });
  all[name] = theirs;
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const [one, other] = [theirs[key], ours[key]];
    const keys = new Set(Object.keys({ ...one?.assertions, ...other?.assertions }));
    const told = [...keys].map((metric) => [
      metric,
      one?.assertions[metric],
      other?.assertions[metric],
    ]);
    for (const [what, left, right] of [['the test', one?.pass, other?.pass], ...told]) {
      count += 1;
      if (left === right) continue;
      differing += 1;
      console.log(`${name} ${key}: ${what}: promptfoo says ${left}, Typecase ${right}`);
    }
  }
  const tests = Object.keys(theirs).length;
  console.log(
    `${name}: ${tests} tests, ${isDeepStrictEqual(theirs, ours) ? 'the same' : 'not the same'}`,
  );
  await rm(folder, { recursive: true });
}
console.log(`${count} verdicts of ${names.length} configs, ${differing} not the same`);
if (values.record) await writeFile(recorded, `${JSON.stringify(all, undefined, 1)}\n`);
process.exitCode = differing === 0 ? 0 : 1;
