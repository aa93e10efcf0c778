import { ConfigError, formatPath } from '../errors.ts';
import { isMapping } from '../prompt/mapping.ts';
import {
  type Component,
  missingOption,
  nonEmptyText,
  type OptionReader,
  type PlacedComponent,
  readOptions,
  texts,
  trueOrFalse,
  unknownType,
} from './component-options.ts';
import type { Extractor } from './extractor.ts';
import { firstNumber, lastNumber } from './number-extractors.ts';
import { opencompassPostprocessors } from './opencompass-postprocess.ts';
import { firstOption, lastOption } from './option-extractors.ts';
import type { Option } from './option-texts.ts';
import { afterMarker, boxed, firstLine, regex, trimmed } from './text-extractors.ts';

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

/** The extractors that a post-processor of a config stands for, to be tried in order. */
export function buildExtractors(placed: PlacedComponent): readonly Extractor[] {
  const { type } = placed.component;
  const build = builders.get(opencompassFunctions.get(type) ?? type);
  if (!build) throw unknownType(placed, [...builders.keys(), ...opencompassFunctions.keys()]);
  return build(placed);
}

type Build = (placed: PlacedComponent) => readonly Extractor[];

/** Labels of options: the characters of a text, or the entries of a list. */
export const labels: OptionReader<readonly string[]> = {
  expected: 'the letters on offer, or a list of labels',
  read: (value) => texts.read(typeof value === 'string' ? [...value] : value),
};

const builders = new Map<string, Build>([
  ['trimmed', always(trimmed)],
  ['first-line', always(firstLine)],
  ['first-number', always(firstNumber)],
  ['last-number', always(lastNumber)],
  ['boxed', always(boxed)],
  ['first-option', forOptions(firstOption)],
  ['last-option', forOptions(lastOption)],
  ['after-marker', buildAfterMarker],
  ['regex', (placed) => [buildRegex(placed, readOptions(placed, regexOptions))]],
  ['chain', buildChain],
]);
for (const [name, clean] of opencompassPostprocessors) {
  builders.set(name, always(fromCleaner(name, clean)));
}

function always(extractor: Extractor): Build {
  return (placed) => {
    readOptions(placed, {});
    return [extractor];
  };
}

function forOptions(create: (options: readonly Option[]) => Extractor): Build {
  return (placed) => {
    // `cushion` comes with OpenCompass's function; labels are never looked for inside words here.
    const { options = [...'ABCD'] } = readOptions(placed, {
      options: labels,
      cushion: trueOrFalse,
    });
    return [create(options.map((label) => ({ label })))];
  };
}

function buildAfterMarker(placed: PlacedComponent): readonly Extractor[] {
  const { marker } = readOptions(placed, { marker: texts });
  if (!marker) throw missingOption(placed, 'marker');
  return [afterMarker(marker)];
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
  placed: PlacedComponent,
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

function buildChain(placed: PlacedComponent): readonly Extractor[] {
  const { extractors } = readOptions(placed, { extractors: components });
  if (!extractors) throw missingOption(placed, 'extractors');
  return extractors.flatMap((component, index) =>
    buildExtractors({ component, path: [...placed.path, 'extractors', index] }),
  );
}

const components: OptionReader<readonly Component[]> = {
  expected: 'a list of post-processors, each with a `type`',
  read: (value) =>
    Array.isArray(value) && value.length > 0 && value.every(isComponent) ? value : undefined,
};

function isComponent(value: unknown): value is Component {
  return isMapping(value) && typeof (value as Partial<Component>).type === 'string';
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
