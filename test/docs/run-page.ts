import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Block, blocksOf, commandsOf, wordsOf } from './page-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly error?: string;
}

/** A process that runs commands, one after the other. */
export interface CommandHost {
  run(args: readonly string[], cwd: string): Promise<Outcome>;
  close(): void;
}

export function startCommandHost(): CommandHost {
  const { CI: _, FORCE_COLOR: __, ...env } = process.env;
  const child: ChildProcess = fork(fileURLToPath(new URL('command-host.mjs', import.meta.url)), {
    env: { ...env, COLUMNS: '80', NO_COLOR: '1' },
    execArgv: [],
  });
  return {
    run: (args, cwd) =>
      new Promise((resolve, reject) => {
        const fail = (code: number | null) => reject(new Error(`the process ended with ${code}`));
        child.once('exit', fail);
        child.once('message', (outcome) => {
          child.off('exit', fail);
          resolve(outcome as Outcome);
        });
        child.send({ args, cwd });
      }),
    close: () => child.kill(),
  };
}

export interface PageRun {
  /** The page with what its commands print now. */
  readonly page: string;
  /** Commands that did not end as the page says. */
  readonly problems: readonly string[];
}

/**
 * Does what a page says, in an empty project: writes the files that blocks are named after, runs the commands of `sh`
 * blocks, and puts what they print into the `text` blocks behind them.
 */
export async function runPage(page: string, host: CommandHost): Promise<PageRun> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-page-'));
  const problems: string[] = [];
  const replaced: { block: Block; text: string }[] = [];
  let printed: string | undefined;
  try {
    await mkdir(join(folder, 'node_modules'));
    await symlink(root, join(folder, 'node_modules/typecase'));
    for (const block of blocksOf(page)) {
      if (block.language === 'sh') printed = await runBlock(block, { folder, host, problems });
      else if (block.language === 'text' && printed !== undefined && block.lead.trim() === '') {
        replaced.push({ block, text: shortened(printed, block.info) });
        printed = undefined;
      } else await writeBlock(block, folder);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return { page: withOutputs(page, replaced), problems };
}

interface Place {
  readonly folder: string;
  readonly host: CommandHost;
  readonly problems: string[];
}

/** What the last command of a block printed; undefined where it is not run. */
async function runBlock(
  block: Block,
  { folder, host, problems }: Place,
): Promise<string | undefined> {
  if (block.info.startsWith('skip')) return undefined;
  const expected = Number(/^exit (\d+)/.exec(block.info)?.[1] ?? 0);
  let printed = '';
  for (const command of commandsOf(block)) {
    const [first, second, ...rest] = wordsOf(command);
    if (first !== 'npx' || second !== 'typecase') {
      problems.push(
        `line ${block.line}: \`${command}\` is no command of Typecase; say \`sh skip: why\``,
      );
      continue;
    }
    const { code, stdout, stderr, error = '' } = await host.run(rest, folder);
    if (code !== expected) {
      problems.push(`line ${block.line}: \`${command}\` ended with ${code}\n${stderr}${error}`);
    }
    printed = `${stdout}${withoutProgress(stderr)}`;
    printed = printed
      .replaceAll(`${root}`, 'node_modules/typecase/')
      .replaceAll(folder, '/home/you/project');
  }
  return printed;
}

/** Progress is written now and then: what of it is there depends on the machine. */
function withoutProgress(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/\d+\/\d+ rows?\b.*·|^\S.* · \d+\/s/.test(line))
    .join('\n');
}

/** `from WORD` starts at the line that has it; `head 5` and `tail 5` keep so many lines. */
function shortened(text: string, info: string): string {
  let lines = text.replace(/\n+$/, '').split('\n');
  const from = /from (\S+)/.exec(info)?.[1];
  const head = Number(/head (\d+)/.exec(info)?.[1] ?? Number.POSITIVE_INFINITY);
  const tail = Number(/tail (\d+)/.exec(info)?.[1] ?? Number.POSITIVE_INFINITY);
  if (from)
    lines = lines.slice(
      Math.max(
        0,
        lines.findIndex((line) => line.startsWith(from) || line.includes(` ${from} `)),
      ),
    );
  if (lines.length > head) lines = [...lines.slice(0, head), '…'];
  if (lines.length > tail) lines = ['…', ...lines.slice(-tail)];
  const shown = lines.map((line) => line.trimEnd()).join('\n');
  return `${shown.replace(/^\n+|\n+$/g, '')}\n`;
}

function withOutputs(page: string, replaced: readonly { block: Block; text: string }[]): string {
  return replaced.toReversed().reduce((text, { block, text: output }) => {
    const isSame = masked(block.code) === masked(output);
    return isSame ? text : text.slice(0, block.from) + output + text.slice(block.to);
  }, page);
}

/** What differs from run to run: times, dates, and what was in the cache of a local model. */
function masked(text: string): string {
  return text
    .replaceAll(/Prefix cache: .* reused\./g, '#')
    .replaceAll(/\d+(?:\.\d+)? (?:ms|s|min)\b/g, '# s')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '#')
    .replaceAll(/[\d,.]+ (?:kB|MB)\b/g, '# B');
}

/** Blocks that are named after a file: `yaml sums.yaml`. */
async function writeBlock({ info, code }: Block, folder: string): Promise<void> {
  if (!/^[\w./-]+\.\w+$/.test(info)) return;
  const file = join(folder, info);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, code);
}
