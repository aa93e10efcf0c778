import type { Row } from '../../../prompt/values.ts';
import { stripText } from '../../../python/text.ts';
import { printed, type TaskFunctions } from '../prompts/document-texts.ts';
import { matchesIn, regexReplace } from '../prompts/regex-replace.ts';
import { type FilterPipeline, type FilterStep, functionIn } from '../tasks/task-config.ts';

/** What a filter makes of the answers to a row: other answers, or one value. */
type Filter = (answers: unknown, row: Row) => unknown;

type Options = Readonly<Record<string, unknown>>;

/** Builds the steps of a pipeline, each from its options. */
const builders: Readonly<Record<string, (options: Options, functions: TaskFunctions) => Filter>> = {
  take_first: () => (answers) => (Array.isArray(answers) ? answers[0] : answers),
  take_first_k:
    ({ k }) =>
    (answers) =>
      listOf(answers).slice(0, Number(k)),
  majority_vote: () => (answers) => [mostCommon(listOf(answers))],
  regex: (options) => eachAnswer(regexFilter(options)),
  regex_pos: ({ fallback = ['invalid'] }) => eachAnswer((answer) => taggedParts(answer, fallback)),
  remove_whitespace: () => eachAnswer((answer) => stripText(textOf(answer))),
  lowercase: () => eachAnswer((answer) => textOf(answer).toLowerCase()),
  uppercase: () => eachAnswer((answer) => textOf(answer).toUpperCase()),
  map: ({ mapping_dict, default_value = null }) => {
    const mapping = new Map(Object.entries(Object(mapping_dict ?? {})));
    return eachAnswer((answer) => mapping.get(printed(answer)) ?? default_value);
  },
  multi_choice_regex: (options) => (answers, row) =>
    listOf(answers).map((answer) => chosenOption(textOf(answer), options, row)),
  format_span: () => eachAnswer((answer) => namedEntities(textOf(answer))),
  custom: ({ filter_fn }, functions) => {
    const named = functionIn(filter_fn);
    const run = functions(named?.function ?? String(filter_fn));
    // A function of the original takes the answers to all rows at once.
    return (answers, row) => (run([answers], [row]) as readonly unknown[])[0];
  },
};

export const filterNames: readonly string[] = Object.keys(builders);

/** A pipeline of filters, ready to be run. */
export function buildFilters({ steps }: FilterPipeline, functions: TaskFunctions): Filter {
  const filters = steps.map(({ name, options }: FilterStep) => {
    const build = Object.hasOwn(builders, name) ? builders[name] : undefined;
    if (!build) throw new TypeError(`unknown filter ${name}`);
    return build(options, functions);
  });
  return (answers, row) => filters.reduce((value, filter) => filter(value, row), answers);
}

function eachAnswer(change: (answer: unknown) => unknown): Filter {
  return (answers) => listOf(answers).map(change);
}

/** Filters of the original go through whatever they are given, a text by its characters. */
function listOf(answers: unknown): readonly unknown[] {
  return Array.isArray(answers) ? answers : [...textOf(answers)];
}

function textOf(answer: unknown): string {
  return typeof answer === 'string' ? answer : '';
}

/** Of several that are as common, the first one. */
function mostCommon(answers: readonly unknown[]): unknown {
  const counts = new Map<unknown, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}

const defaultPattern = '#### (\\-?[0-9\\.\\,]+)';

function regexFilter(options: Options): (answer: unknown) => string {
  const { regex_pattern = defaultPattern, group_select = 0, fallback = '[invalid]' } = options;
  return (answer) =>
    foundIn(textOf(answer), String(regex_pattern), Number(group_select)) ?? String(fallback);
}

/**
 * The chosen one of all matches: its groups, if it has any, or all of it. Nothing where there is no
 * match, or where every group of it is empty.
 */
function foundIn(text: string, pattern: string, place: number): string | undefined {
  const [match] = [matchesIn(text, pattern).at(place)];
  if (!match) return undefined;
  const groups = match.slice(1).map((group) => group ?? '');
  const found = groups.length > 1 ? groups.find((group) => group !== '') : (groups[0] ?? match[0]);
  return found === undefined ? undefined : stripText(found);
}

const tagged = /\('([^']*)', '([^']*)'\)/g;

function taggedParts(answer: unknown, fallback: unknown): unknown {
  const tags = [...textOf(answer).matchAll(tagged)].map(([, , tag]) => tag);
  return tags.length > 0 ? tags : fallback;
}

/** Finds the letter of an option: by the pattern, by the option's text, or after a colon. */
function chosenOption(text: string, options: Options, { choices }: Row): string {
  const { regex_pattern = defaultPattern, group_select = 0, fallback = '[invalid]' } = options;
  const place = Number(group_select);
  const byPattern = foundIn(text, String(regex_pattern), place);
  if (byPattern) return byPattern;
  const texts = (Array.isArray(choices) ? choices : []).map((choice) =>
    ignoring(stripText(printed(choice)), options),
  );
  const letters = texts.map((_, index) => String.fromCodePoint(65 + index));
  const byText = foundIn(ignoring(text, options), texts.map(escapePattern).join('|'), place);
  if (byText) {
    const index = texts.lastIndexOf(byText);
    return index < 0 ? byText : `(${letters[index]})`;
  }
  const byLetter = foundIn(text, `:[\\s]*(${letters.join('|')})`, place);
  return byLetter ? `(${byLetter})` : String(fallback);
}

function ignoring(text: string, options: Options): string {
  const { regexes_to_ignore, ignore_case, ignore_punctuation } = options;
  const patterns = Array.isArray(regexes_to_ignore) ? regexes_to_ignore.map(String) : [];
  const kept = patterns.reduce((rest, pattern) => regexReplace(rest, pattern, '', 0), text);
  const cased = ignore_case ? kept.toLowerCase() : kept;
  return ignore_punctuation ? cased.replaceAll(/\p{P}/gu, '') : cased;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

const entityLabels: readonly (readonly [string, string])[] = [
  ['person', 'PER'],
  ['location', 'LOC'],
  ['organization', 'ORG'],
  ['counties', 'LOC'],
  ['places', 'LOC'],
  ['people', 'PER'],
  ['persons', 'PER'],
  ['company', 'ORG'],
  ['country', 'LOC'],
  ['continent', 'LOC'],
  ['time', 'DATE'],
  ['date', 'DATE'],
  ['per', 'PER'],
  ['loc', 'LOC'],
  ['org', 'ORG'],
];

/** Entities as `label: text`, with ` $ ` between them. */
function namedEntities(text: string): string {
  let labelled = text.toLowerCase();
  for (const [word, label] of entityLabels) {
    labelled = regexReplace(labelled, `\\b${word}\\s*:`, `${label}:`, 0);
  }
  const joined = labelled.split('$$').join('$').replace(/\$+$/, '');
  const lines = stripText(joined.replaceAll('\n', '$'));
  return matchesIn(lines, '\\b(PER|LOC|ORG|DATE):\\s*([^$]+)')
    .flatMap(([, label = '', values = '']) =>
      values
        .split(',')
        .map(stripText)
        .filter((entity) => entity.toLowerCase() !== 'none')
        .map((entity) => `${label.toLowerCase()}: ${entity}`),
    )
    .join(' $ ');
}
