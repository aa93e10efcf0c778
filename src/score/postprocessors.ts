import { ConfigError, formatPath } from '../errors.ts';
import type { Row } from '../prompt/values.ts';
import { optionsOf } from './choice.ts';
import {
  components,
  type LocatedComponent,
  locateAll,
  missingOption,
  nonEmptyText,
  type OptionReader,
  oneOfNames,
  readOptions,
  texts,
  trueOrFalse,
  unknownType,
} from './component-options.ts';
import { choiceText } from './extract/choice-text.ts';
import { codeBlock } from './extract/code-block.ts';
import { jsonValue } from './extract/json-extractor.ts';
import { type JsonPath, parseJsonPath } from './extract/json-path.ts';
import { opencompassPostprocessors } from './extract/opencompass-postprocess.ts';
import { type Extractor, within } from './extractor.ts';
import { firstNumber, lastNumber } from './number-extractors.ts';
import { firstOption, lastOption } from './option-extractors.ts';
import type { Option } from './option-texts.ts';
import { afterMarker, boxed, firstLine, lastLine, regex, trimmed } from './text-extractors.ts';

/** OpenCompass's functions under the names that configs import them by. */
export const opencompassFunctions: ReadonlyMap<string, string> = new Map([
  ['general_postprocess', 'general'],
  ['first_capital_postprocess', 'first-capital'],
  ['last_capital_postprocess', 'last-capital'],
  ['first_capital_postprocess_multi', 'first-capital-multi'],
  ['multiple_select_postprocess', 'multiple-select'],
  ['extract_non_reasoning_content', 'extract-non-reasoning-content'],
  ['first_option_postprocess', 'first-option'],
  ['last_option_postprocess', 'last-option'],
  ['first_number_postprocess', 'first-number'],
]);

/** The extractors for a row, to be tried in order. */
export type ExtractorsOf = (row: Row) => readonly Extractor[];

/** What the post-processors of a config stand for. */
export function buildExtractors(placed: readonly LocatedComponent[]): ExtractorsOf {
  const parts = placed.map(buildPart);
  const [only] = parts;
  return only && parts.length === 1 ? only : (row) => parts.flatMap((part) => part(row));
}

function buildPart(placed: LocatedComponent): ExtractorsOf {
  const { type } = placed.component;
  const build = builders.get(opencompassFunctions.get(type) ?? type);
  if (!build) throw unknownType(placed, [...builders.keys(), ...opencompassFunctions.keys()]);
  const inner = build(placed);
  const outer = components.read(placed.component.within);
  if (!outer) return inner;
  const outerOf = buildExtractors(locateAll(outer, [...placed.path, 'within']));
  return (row) => outerOf(row).flatMap((part) => inner(row).map((find) => within(part, find)));
}

type Build = (placed: LocatedComponent) => ExtractorsOf;

/** What every post-processor takes: another one, in whose find it looks. */
const everywhere = { within: components };

/** Labels of options: the characters of a text, or the entries of a list. */
export const labels: OptionReader<readonly string[]> = {
  expected: 'the letters on offer, or a list of labels',
  read: (value) => texts.read(typeof value === 'string' ? [...value] : value),
};

const builders = new Map<string, Build>([
  ['trimmed', always(trimmed)],
  ['first-line', always(firstLine)],
  ['last-line', always(lastLine)],
  ['first-number', always(firstNumber)],
  ['last-number', always(lastNumber)],
  ['boxed', always(boxed)],
  ['first-option', forOptions(firstOption)],
  ['last-option', forOptions(lastOption)],
  ['choice-text', buildChoiceText],
  ['after-marker', buildAfterMarker],
  ['regex', buildRegexPart],
  ['json', buildJson],
  ['code', buildCode],
  ['chain', buildChain],
]);
for (const [name, clean] of opencompassPostprocessors) {
  builders.set(name, always(fromCleaner(name, clean)));
}

function always(extractor: Extractor): Build {
  return (placed) => {
    readOptions(placed, everywhere);
    return constant(extractor);
  };
}

function constant(extractor: Extractor): ExtractorsOf {
  const extractors = [extractor];
  return () => extractors;
}

function forOptions(create: (options: readonly Option[]) => Extractor): Build {
  return (placed) => {
    // `cushion` comes with OpenCompass's function; labels are never looked for inside words here.
    const { options = [...'ABCD'] } = readOptions(placed, {
      options: labels,
      cushion: trueOrFalse,
      ...everywhere,
    });
    return constant(create(options.map((label) => ({ label }))));
  };
}

function buildChoiceText(placed: LocatedComponent): ExtractorsOf {
  const { options, text_columns: textColumns } = readOptions(placed, {
    options: labels,
    text_columns: texts,
    ...everywhere,
  });
  if (!textColumns) throw missingOption(placed, 'text_columns');
  return (row) => [choiceText(optionsOf(row, { labels: options, textColumns }))];
}

function buildAfterMarker(placed: LocatedComponent): ExtractorsOf {
  const { marker } = readOptions(placed, { marker: texts, ...everywhere });
  if (!marker) throw missingOption(placed, 'marker');
  return constant(afterMarker(marker));
}

const jsonPath: OptionReader<JsonPath> = {
  expected: 'a path such as `answer.value` or `items[0]`',
  read: (value) => (typeof value === 'string' ? parseJsonPath(value) : undefined),
};

function buildJson(placed: LocatedComponent): ExtractorsOf {
  const { path } = readOptions(placed, { path: jsonPath, ...everywhere });
  if (!path) throw missingOption(placed, 'path');
  return constant(jsonValue(path));
}

function buildCode(placed: LocatedComponent): ExtractorsOf {
  const { language, which } = readOptions(placed, {
    language: texts,
    which: oneOfNames('first', 'last'),
    ...everywhere,
  });
  return constant(codeBlock({ languages: language, which }));
}

function buildRegexPart(placed: LocatedComponent): ExtractorsOf {
  return constant(buildRegex(placed, readOptions(placed, { ...regexOptions, ...everywhere })));
}

const group: OptionReader<number | string> = {
  expected: 'the number or the name of a group',
  read: (value) =>
    (Number.isInteger(value) && Number(value) >= 0) || typeof value === 'string'
      ? (value as number | string)
      : undefined,
};

export const regexOptions = { pattern: nonEmptyText, group, flags: nonEmptyText };

interface RegexOptions {
  readonly pattern?: string;
  readonly group?: number | string;
  readonly flags?: string;
}

/** The extractor of a pattern that stands in the config. */
export function buildRegex(
  placed: LocatedComponent,
  { pattern, group, flags = 'u' }: RegexOptions,
): Extractor {
  if (pattern === undefined) throw missingOption(placed, 'pattern');
  try {
    return regex(new RegExp(pattern, flags), group);
  } catch (cause) {
    const path = [...placed.path, 'pattern'];
    throw new ConfigError(
      'config.bad_pattern',
      `${formatPath(path)} is no regular expression: ${cause instanceof Error ? cause.message : cause}`,
      { path, hint: 'Write it as JavaScript does, without slashes around it.', cause },
    );
  }
}

function buildChain(placed: LocatedComponent): ExtractorsOf {
  const { extractors } = readOptions(placed, { extractors: components, ...everywhere });
  if (!extractors) throw missingOption(placed, 'extractors');
  return buildExtractors(locateAll(extractors, [...placed.path, 'extractors']));
}

/** What a cleaned text was read from is not known; it counts as read from all of the answer. */
function fromCleaner(name: string, clean: (text: string) => string): Extractor {
  return {
    name,
    extract(text) {
      const value = clean(text);
      if (value.trim() === '') return undefined;
      const start = text.indexOf(value);
      return start < 0
        ? { value, start: 0, end: text.length }
        : { value, start, end: start + value.length };
    },
  };
}
