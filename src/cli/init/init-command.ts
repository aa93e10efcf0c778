import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command, Option } from 'commander';
import { displayPath } from '../../base/display-path.ts';
import { UsageError } from '../../base/usage-error.ts';
import { Cancelled } from '../../terminal/cancelled.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import { type Start, startFiles } from './start-files.ts';

const cancelled = 130;

/** `typecase init`: writes a config and a few rows to start from. */
export async function runInit(args: readonly string[]): Promise<number> {
  const options = parseInitOptions(args);
  if (!options) return 0;
  const { folder, nonInteractive, ...given } = options;
  try {
    refuseStarted(folder);
    const asks = !nonInteractive && process.stdin.isTTY === true && process.stdout.isTTY === true;
    const start = asks ? await (await import('./ask-start.ts')).askStart(given) : given;
    await writeStart(folder, start);
    return 0;
  } catch (error) {
    if (error instanceof Cancelled) return cancelled;
    throw error;
  }
}

const configNames = ['typecase.config.ts', 'typecase.config.yaml'];

function refuseStarted(folder: string): void {
  for (const name of configNames) refuseExisting(join(folder, name));
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new UsageError('init.exists', `${displayPath(file)} already exists`, {
    hint: 'Nothing was written. Choose another folder: `typecase init my-evaluation`.',
  });
}

async function writeStart(folder: string, start: Partial<Start>): Promise<void> {
  const schema = 'node_modules/typecase/schema/typecase.schema.json';
  const { config, data } = startFiles({
    ...start,
    ...(existsSync(join(folder, schema)) && { schema: `./${schema}` }),
  });
  const files = [config, data].map(({ name, text }) => ({ file: join(folder, name), text }));
  for (const { file } of files) refuseExisting(file);
  const { colors } = describeTerminal(process.stdout);
  for (const { file, text } of files) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
    process.stdout.write(`${colors.green('wrote')} ${displayPath(file)}\n`);
  }
  const name = displayPath(join(folder, config.name));
  const commands = [
    [`npx typecase view ${name}`, 'show the prompts'],
    [`npx typecase plan ${name}`, 'estimate requests and cost'],
    [`npx typecase run ${name}`, 'ask the model and score its answers'],
  ] as const;
  const width = Math.max(...commands.map(([command]) => command.length));
  const lines = commands.map(
    ([command, what]) => `  ${command.padEnd(width)}  ${colors.dim(what)}`,
  );
  process.stdout.write(`\nNext:\n${lines.join('\n')}\n`);
}

interface InitOptions extends Partial<Start> {
  readonly folder: string;
  readonly nonInteractive: boolean;
}

/** Reads the arguments of `typecase init`, or prints its help and gives undefined. */
function parseInitOptions(args: readonly string[]): InitOptions | undefined {
  const parsed = parseArguments(describeInit(), args);
  if (!parsed) return undefined;
  const defaults = { nonInteractive: false };
  return { ...defaults, ...parsed.opts(), folder: parsed.processedArgs[0] };
}

export function describeInit(): Command {
  return addExamples(
    new Command('typecase init')
      .description('Creates a starter config with sample data.')
      .argument('[folder]', 'folder to write to', '.')
      .addOption(new Option('--format <format>', 'config format').choices(['yaml', 'ts']))
      .option('--model <url>', 'endpoint, such as http://127.0.0.1:8000/v1')
      .option('--model-name <name>', 'model name to send to the endpoint')
      .option('-n, --non-interactive', 'ask no questions; use the defaults'),
    [
      ['start here', 'typecase init'],
      [
        'without questions, in TypeScript',
        'typecase init my-eval -n --format ts --model http://127.0.0.1:8000/v1',
      ],
    ],
  );
}
