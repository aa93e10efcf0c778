#!/usr/bin/env node
import { registerSuites } from '../suites/index.ts';
import { configSources } from '../tasks/sources.ts';
import { commandFor, commandGroups, commands } from './commands.ts';

// Help and version print without loading a command: everything else is imported when it is used.

registerSuites();
configSources.promptfoo = () => import('../import/promptfoo/read-promptfoo.ts');
process.stdout.on('error', stopAtClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
process.on('exit', reportEarlyEnd);
process.on('uncaughtException', async (error) =>
  (await import('../terminal/report-error.ts')).endWith(error),
);
let tellEarlyEnd: ((message: string) => void) | undefined;
const exitCode = await main(process.argv.slice(2));
process.off('exit', reportEarlyEnd);
process.exitCode = exitCode;
leaveWhatIsLeft();

async function main([name, ...rest]: readonly string[]): Promise<number> {
  switch (name) {
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(helpText());
      return 0;
    case '--version':
    case '-V':
      process.stdout.write(`${(await import('../base/version.ts')).version}\n`);
      return 0;
    default:
      return runCommand(name, rest);
  }
}

async function runCommand(name: string, rest: readonly string[]): Promise<number> {
  try {
    const command = commandFor(name, rest);
    // Tasks that come with Typecase run no code of others.
    const isKept = command?.keepsOutput && !rest.some((word) => /^--task(?:=|$)/.test(word));
    if (isKept && rest.includes('--json')) {
      const { keepOutput, writeJson } = await import('../terminal/output.ts');
      keepOutput();
      tellEarlyEnd = (message) => writeJson(name, { exitCode: 3, errors: [{ message }] });
    }
    if (command) return await (await command.load())(rest);
    const { unknownCommand } = await import('../base/usage-error.ts');
    throw unknownCommand(
      name,
      commands.map((entry) => entry.name),
    );
  } catch (error) {
    const { reportFailure } = await import('../terminal/report-error.ts');
    return reportFailure(error, { command: name, json: rest.includes('--json') });
  }
}

function helpText(): string {
  const shown = [...new Map(commands.map((entry) => [entry.name, entry])).values()];
  const indent = Math.max(...shown.map(({ name }) => name.length)) + 5;
  const width = Math.max(40, process.stdout.columns || Number(process.env.COLUMNS) || 80);
  const parts = commandGroups.map((group) => {
    const lines = shown
      .filter((entry) => entry.group === group)
      .map(({ name, summary }) => {
        const text = wrap(summary, width - indent).join(`\n${' '.repeat(indent)}`);
        return `  ${name.padEnd(indent - 2)}${text}\n`;
      });
    return `${group}:\n${lines.join('')}`;
  });
  const title = 'Typecase evaluates language models and treats the prompt as the thing under test.';
  return `${wrap(title, width).join('\n')}

Usage: typecase <command> [options]

${parts.join('\n')}
typecase <command> --help   options and examples
typecase --version          print the version
`;
}

/** Lines of words that fit a width. */
function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Code of a config may end the process, or leave nothing to wait for: a gate does not pass by that. */
function reportEarlyEnd(): void {
  process.exitCode = 3;
  const message =
    'The command ended early: loaded code called `process.exit`, failed outside its promise, or never settled. Saved results are kept; run the same command to resume.';
  process.stderr.write(`${message}\n`);
  tellEarlyEnd?.(message);
}

/** Timers and connections of a config's code keep nobody waiting once the command is done and its output is read. */
function leaveWhatIsLeft(): void {
  // Taking the heap down first would take longer than some commands.
  process.once('beforeExit', () => process.exit());
  leaveTimers();
}

function leaveTimers(): void {
  setTimeout(() => {
    const isWritten = process.stdout.writableLength + process.stderr.writableLength === 0;
    if (isWritten) process.exit();
    leaveTimers();
  }, 1000).unref();
}

/** Nobody reads the progress any more; the work goes on. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** A reader such as `head` may close the pipe before everything is written. */
function stopAtClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.off('exit', reportEarlyEnd);
  process.exit();
}
