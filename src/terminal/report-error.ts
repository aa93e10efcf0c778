import { readFileSync } from 'node:fs';
import stringWidth from 'fast-string-width';
import { displayLocation, displayPath } from '../base/display-path.ts';
import { hidden, hideKeys } from '../base/hidden-text.ts';
import { thrownThere } from '../base/thrown-place.ts';
import { ConfigProblemsError } from '../config/problems.ts';
import {
  ConfigError,
  ModelError,
  RunError,
  RunFileError,
  type SourceLocation,
  TypecaseError,
} from '../errors.ts';
import { type Colors, describeTerminal, fitTerminal, type Terminal } from './terminal.ts';
import { showControls, showLines } from './text/show-controls.ts';

/** What code of a config threw where nothing awaits it: as an error of the config, with its place. */
function withPlace(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return new ConfigError('config.evaluation', `Code of the config threw ${String(error)}`);
  }
  const place = TypecaseError.isInstance(error) ? undefined : thrownThere(error);
  if (!place) return error;
  const { message } = error;
  const { file, line } = place;
  return new ConfigError('config.evaluation', `${displayPath(file)} failed to run: ${message}`, {
    // Columns are those of what was made of the file.
    at: { file, line, column: 1 },
    cause: error,
  });
}

const usageExit = 2;
const failureExit = 3;

/** Prints an error for people and gives the exit code that goes with it. */
export function reportError(thrown: unknown): number {
  const error = withPlace(thrown);
  const terminal = describeTerminal(process.stderr);
  process.stderr.write(formatError(error, terminal, process.stderr));
  return exitCodeOf(error);
}

/** The same, and for machines where they are to read it. */
export async function reportFailure(
  thrown: unknown,
  { command, json }: { readonly command: string; readonly json: boolean },
): Promise<number> {
  const error = withPlace(thrown);
  const exitCode = reportError(error);
  if (json) {
    const { writeError } = await import('./write-error.ts');
    writeError(error, { command, exitCode });
  }
  return exitCode;
}

/** Ends the process after an error that nothing awaited, as in a timer: what it says may hold a key. */
export function endWith(error: unknown): void {
  reportError(error);
  process.exit(failureExit);
}

/** Whether the input was wrong, or the work could not be finished. */
function exitCodeOf(error: unknown): number {
  if (error instanceof RunFileError) return usageExit;
  if (error instanceof ModelError || error instanceof RunError) return failureExit;
  return TypecaseError.isInstance(error) ? usageExit : failureExit;
}

/** An error in lines that fit a stream; what is to be copied keeps its lines. */
export function formatError(
  error: unknown,
  terminal: Terminal,
  stream?: NodeJS.WriteStream,
): string {
  if (error instanceof ConfigProblemsError) {
    return error.problems.map((problem) => formatKnown(problem, terminal, stream)).join('\n');
  }
  if (TypecaseError.isInstance(error)) {
    return (
      formatKnown(error, terminal, stream) +
      (process.env.TYPECASE_DEBUG ? `${hideKeys(error.stack ?? '')}\n` : '')
    );
  }
  return formatUnexpected(error, terminal.colors);
}

function formatKnown(
  { code, message, at, hint }: TypecaseError,
  terminal: Terminal,
  stream: NodeJS.WriteStream | undefined,
): string {
  const { colors } = terminal;
  const fitted = (text: string) => (stream ? fitTerminal(text, stream) : text);
  const text = showLines(hideKeys(message));
  const lines = [fitted(`${colors.red(colors.bold('error'))}${colors.dim(`[${code}]`)} ${text}`)];
  if (at) lines.push(...formatLocation(at, terminal, code === 'config.key_in_config'));
  if (hint !== undefined) {
    const advice = showLines(hideKeys(hint));
    const [said = '', ...copied] = `${colors.cyan('hint:')} ${advice}`.split('\n\n');
    lines.push([fitted(said), ...copied].join('\n\n'));
  }
  return `${lines.join('\n')}\n`;
}

function formatUnexpected(error: unknown, colors: Colors): string {
  const message = hideKeys(error instanceof Error ? error.message : String(error));
  const lines = [
    `${colors.red(colors.bold('error'))} This is a bug in Typecase: ${showControls(message)}`,
    process.env.TYPECASE_DEBUG && error instanceof Error
      ? hideKeys(error.stack ?? '')
      : `${colors.cyan('hint:')} Run again with TYPECASE_DEBUG=1 for details, and please report it.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The location, the line of the file up to what is secret, and a caret under the column. */
function formatLocation(
  at: SourceLocation,
  { colors, width }: Terminal,
  endsSecret: boolean,
): string[] {
  const location = `  at ${showControls(displayLocation(at))}`;
  const source = readLine(at);
  if (source === undefined) return [location];
  const number = String(at.line);
  const room = width - number.length - 6;
  const shown = endsSecret ? `${source.slice(0, at.column - 1)}${hidden}` : source;
  const { line, index } = maskSecrets(shown, at.column - 1);
  const { before, after } = cutAround(line, { index, room });
  const gutter = (text: string) => colors.dim(`  ${text.padStart(number.length)} │`);
  return [
    location,
    `${gutter(number)} ${before}${after}`,
    `${gutter('')} ${' '.repeat(stringWidth(before))}${colors.red('^')}`,
  ];
}

function readLine({ file, line }: SourceLocation): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  return text.split(/\r?\n/)[line - 1];
}

/** The part of a line around a character that fits on the screen. */
function cutAround(
  line: string,
  { index, room }: { index: number; room: number },
): { before: string; after: string } {
  const show = (text: string) => showControls(text.replaceAll('\t', '  '));
  const before = show(line.slice(0, index));
  const after = show(line.slice(index));
  if (stringWidth(before + after) <= room) return { before, after };
  const shownBefore = takeWidth([...before].reverse(), Math.floor(room / 2)).reverse();
  const start = shownBefore.join('') === before ? before : `…${shownBefore.slice(1).join('')}`;
  const shownAfter = takeWidth([...after], room - stringWidth(start) - 1).join('');
  return { before: start, after: shownAfter === after ? after : `${shownAfter}…` };
}

function takeWidth(characters: readonly string[], width: number): string[] {
  let used = 0;
  const end = characters.findIndex((character) => {
    used += stringWidth(character);
    return used > width;
  });
  return end < 0 ? [...characters] : characters.slice(0, end);
}

const name =
  '(?:(?:api|access|auth|private|secret)[_-]?(?:key|token)|passw(?:or)?d|secret|credentials?|authorization|cookie|[\\w-]+-key)';
/** What may also be a mark of a template, or a switch. */
const shortName =
  '(?:(?<!(?:ice|sep|replace|bos|eos|pad)_)token|bearer|auth)(?:[_-](?:header|value))?';
const scheme = String.raw`(?:bearer|basic)\s+`;

/** Passwords and keys. User names and passwords of addresses end with their `@`. */
const secret = new RegExp(
  [
    String.raw`(?<=:\/\/)[^\s"'\`]*@`,
    String.raw`(?<=:\/\/[^\s"'\`]*[?&](?!(?:api-)?version=)[\w.-]+=)[^&#\s"'\`]+`,
    String.raw`(?<=${name}["']?\s*[:=]\s*["'\`]?(?:${scheme})?)(?!${scheme})[^\s"'\`,}]+`,
    String.raw`(?<=${shortName}["']?\s*[:=]\s*["'\`]?(?:${scheme})?)(?!${scheme})[^\s"'\`,}<]{8,}`,
    // What is neither words nor a path, wherever it stands.
    String.raw`(?<![\w/.-])(?=[\w+=~]*[a-z])(?=[\w+=~]*[A-Z])(?=[\w+=~]*\d)[\w+=~]{20,}(?![\w/.-])`,
    String.raw`(?<![\w/.-])(?=[a-f]*\d)[\da-f]{32,}(?![\w/.-])`,
    String.raw`(?<=(?<![\w-])key["']?\s*[:=]\s*["'\`]?)[^\s"'\`,}]{8,}`,
    // A key in place of the name of its variable.
    String.raw`(?<=api_key_env["']?\s*[:=]\s*["'\`]?)(?![A-Za-z_]\w{0,18}(?!\w))[^\s"'\`,}]+`,
    String.raw`\b(?:sk|pk|ghp|gsk|xai)[-_][\w-]{8,}`,
    // Names of configs begin so too, and go on in words.
    String.raw`\bhf_[a-z\d]{12,}(?![\w-])`,
  ].join('|'),
  'gi',
);

/** Puts `***` in place of passwords and keys in a line. The index stays at its character. */
function maskSecrets(line: string, index: number): { line: string; index: number } {
  let shownIndex = index;
  const shown = line.replace(secret, (found: string, offset: number) => {
    const mask = found.endsWith('@') ? '***@' : '***';
    if (offset + found.length <= index) shownIndex += mask.length - found.length;
    else if (offset < index) shownIndex -= index - offset;
    return mask;
  });
  return { line: shown, index: shownIndex };
}
