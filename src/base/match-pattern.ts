import { createContext, Script } from 'node:vm';
import { DataError } from '../errors.ts';
import { chargeWork, isWorkLimited } from './heavy-work.ts';

const maxMilliseconds = 1000;
/** Where more work goes to another process, which has all of that second. */
const firstMilliseconds = 50;
/** As many as a second has room for, more or less. */
const maxSteps = 3e7;

/** `pattern.exec` that gives up on a text after a second; a pattern may take for ever otherwise. */
export function patternMatcher(pattern: RegExp): (text: string) => RegExpExecArray | null {
  const { power, ways } = growthOf(pattern.source);
  const start = literalStart(pattern);
  const waysFromStart = ways / factorial(power - 1);
  return (text) => {
    const starts = start === '' ? text.length : countIndexes(text, start, pattern.ignoreCase);
    const steps = starts * waysFromStart * text.length ** (power - 1);
    // Watching takes longer than most matches.
    return steps <= maxSteps ? pattern.exec(text) : execWatched(pattern, text);
  };
}

type Search = () => RegExpExecArray | null;

let runWatched: ((search: Search) => RegExpExecArray | null) | undefined;

function execWatched(pattern: RegExp, text: string): RegExpExecArray | null {
  runWatched ??= createWatch();
  try {
    return runWatched(() => pattern.exec(text));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
    if (isWorkLimited()) chargeWork(Number.POSITIVE_INFINITY);
    throw tooSlow(pattern, text);
  }
}

/** Nothing but a script can be stopped from outside, so that a script makes the call. */
function createWatch(): (search: Search) => RegExpExecArray | null {
  const names: { search?: Search } = {};
  const context = createContext(names);
  const script = new Script('search()');
  return (search) => {
    names.search = search;
    const timeout = isWorkLimited() ? firstMilliseconds : maxMilliseconds;
    return script.runInContext(context, { timeout });
  };
}

function tooSlow({ source }: RegExp, { length }: string): DataError {
  return new DataError(
    'pattern.too_slow',
    `the pattern \`${source}\` takes more than a second on a text of ${length} characters`,
    {
      hint: 'Avoid nested repetition such as `(a+)+`, which can match in too many ways.',
    },
  );
}

interface Growth {
  /** The steps of a search grow with this power of the text's length, */
  readonly power: number;
  /** and there are so many ways through the pattern besides. */
  readonly ways: number;
}

const part =
  /\\(?<reference>[1-9]|k<)|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|(?<open>\()(?:\?(?:[:=!]|<[^>=!]*>|<[=!]))?|(?<close>\))|(?<repeat>[*+]|\{(?<least>\d+)(?<comma>,(?<most>\d*))?\})\??|(?<choice>[?|])\??/g;

/** An upper bound for how long a search may take. Repeats of what may vary itself have none. */
function growthOf(source: string): Growth {
  let [power, ways] = [1, 1];
  const groups = [{ varies: false }];
  let closed: { readonly end: number; readonly varies: boolean } | undefined;
  for (const { index, 0: text, groups: found = {} } of source.matchAll(part)) {
    const { reference, open, close, repeat, least, comma, most, choice } = found;
    const group = groups.at(-1) ?? { varies: false };
    if (open) groups.push({ varies: false });
    else if (close) {
      closed = { end: index + text.length, varies: group.varies };
      groups.pop();
      const outer = groups.at(-1);
      if (outer && group.varies) outer.varies = true;
    } else if (repeat) {
      if (closed?.end === index && closed.varies) return { power: Number.POSITIVE_INFINITY, ways };
      const isBounded = least !== undefined && (comma === undefined || most !== '');
      if (isBounded) ways *= Math.max(1, Number(most ?? least) - Number(least) + 1);
      else power += 1;
      group.varies ||= least === undefined || comma !== undefined;
    } else if (choice) {
      ways *= 2;
      group.varies = true;
    } else if (reference) power += 1;
  }
  return { power, ways };
}

/** The text that every match starts with, as far as it is plain to see. */
function literalStart({ source, ignoreCase }: RegExp): string {
  if (source.includes('|')) return '';
  const [written = ''] = /^(?:[^\\^$.*+?()[\]{}]|\\\W)*(?![*+?{])/.exec(source) ?? [];
  const start = written.replace(/\\(\W)/g, '$1');
  return ignoreCase ? start.toLowerCase() : start;
}

function countIndexes(text: string, start: string, ignoreCase: boolean): number {
  const searched = ignoreCase ? text.toLowerCase() : text;
  let places = 0;
  for (let at = searched.indexOf(start); at >= 0; at = searched.indexOf(start, at + 1)) places += 1;
  return places;
}

function factorial(number: number): number {
  return number <= 1 || !Number.isFinite(number) ? 1 : number * factorial(number - 1);
}
