import * as z from 'zod';
import { ConfigError, type ConfigPath, formatPath } from '../../errors.ts';
import type { Row } from '../../prompt/values.ts';
import { optionsOf } from '../compare/choice.ts';
import {
  buildComponent,
  type ComponentBuilders,
  type ComponentTypes,
  componentType,
  type LocatedComponent,
  locateAll,
} from '../component/component.ts';
import {
  components,
  labels,
  nonEmptyText,
  oneOfNames,
  parsedText,
  texts,
  trueOrFalse,
} from '../component/option-kinds.ts';
import { codeBlock } from './code-block.ts';
import { type Extractor, within } from './extractor.ts';
import { jsonValue, parseJsonPath } from './json-extractor.ts';
import { afterMarker, boxed, untilNextQuestion } from './marked-answer.ts';
import { firstNumber, lastNumber } from './number-extractors.ts';
import { cleanWith, firstClause, plainWords } from './opencompass-postprocess.ts';
import { choiceText, firstOption, lastOption } from './option-extractors.ts';
import type { Option } from './option-texts.ts';
import { firstLine, lastLine, regex, trimmed } from './text-extractors.ts';

/** OpenCompass's functions under the names that configs import them by. */
const opencompassFunctions = {
  general_postprocess: 'general',
  first_capital_postprocess: 'first-capital',
  last_capital_postprocess: 'last-capital',
  first_capital_postprocess_multi: 'first-capital-multi',
  multiple_select_postprocess: 'multiple-select',
  extract_non_reasoning_content: 'extract-non-reasoning-content',
  first_option_postprocess: 'first-option',
  last_option_postprocess: 'last-option',
  first_number_postprocess: 'first-number',
  gsm8k_postprocess: 'gsm8k',
  gsm8k_dataset_postprocess: 'gsm8k-dataset',
} as const;

/** The name here of a post-processor that may be one of OpenCompass's functions. */
export function ownNameOf(type: string): string {
  return Object.hasOwn(opencompassFunctions, type)
    ? opencompassFunctions[type as keyof typeof opencompassFunctions]
    : type;
}

/** The extractors for a row, to be tried in order. */
export type ExtractorsOf = (row: Row) => readonly Extractor[];

/** What the post-processors of a config stand for. */
export function buildExtractors(
  located: readonly LocatedComponent[],
  types: ExtractorBuilders = postprocessorTypes,
): ExtractorsOf {
  const parts = located.map((part) => buildComponent(types, part, undefined));
  const [only] = parts;
  return only && parts.length === 1 ? only : (row) => parts.flatMap((part) => part(row));
}

export type ExtractorBuilders = ComponentBuilders<ExtractorsOf>;

interface Settings<Shape extends z.core.$ZodLooseShape> {
  readonly summary: string;
  readonly options?: Shape;
  readonly build: (
    options: z.output<z.ZodObject<Shape>>,
    located: LocatedComponent,
  ) => ExtractorsOf;
}

/** What every post-processor takes: another one, in whose find it looks. */
const everywhere = {
  within: components.optional().describe('Post-processors to apply first'),
};

function postprocessor<Shape extends z.core.$ZodLooseShape>({
  summary,
  options,
  build,
}: Settings<Shape>) {
  return componentType({
    summary,
    options: { ...(options as Shape), ...everywhere },
    build(read, _: unknown, located): ExtractorsOf {
      const inner = build(read as z.output<z.ZodObject<Shape>>, located);
      const { within: outer } = read as z.output<z.ZodObject<typeof everywhere>>;
      if (!outer) return inner;
      const outerOf = buildExtractors(locateAll(outer, [...located.path, 'within']));
      return (row) => outerOf(row).flatMap((part) => inner(row).map((find) => within(part, find)));
    },
  });
}

/** A post-processor that finds the same for all rows and has no options. */
function plain(summary: string, extractor: Extractor) {
  return postprocessor({ summary, build: () => constant(extractor) });
}

function constant(extractor: Extractor): ExtractorsOf {
  const extractors = [extractor];
  return () => extractors;
}

function ofOptions(summary: string, create: (options: readonly Option[]) => Extractor) {
  return postprocessor({
    summary,
    options: {
      options: labels.optional().describe('The labels to choose from; ABCD by default'),
      cushion: trueOrFalse
        .optional()
        .describe(
          'Accepted, and used only in compat modes: labels are never looked for inside words',
        ),
    },
    build({ options = [...'ABCD'] }) {
      const extractors = untilNextQuestion([create(options.map((label) => ({ label })))]);
      return () => extractors;
    },
  });
}

const groupError = { error: 'the number or name of a group' };

export const regexOptions = {
  pattern: nonEmptyText.describe('The pattern, in JavaScript syntax, without slashes'),
  group: z
    .union([z.int().min(0, groupError), z.string()], groupError)
    .optional()
    .describe('The number or name of the group to use'),
  flags: nonEmptyText.optional().describe('Flags of the pattern; `u` by default'),
};

interface RegexOptions {
  readonly pattern: string;
  readonly group?: number | string | undefined;
  readonly flags?: string | undefined;
}

/** The extractor of a pattern that stands in the config. */
export function buildRegex(
  located: LocatedComponent,
  { pattern, group, flags }: RegexOptions,
): Extractor {
  return regex(compilePattern(pattern, [...located.path, 'pattern'], flags), group);
}

/** A pattern that stands in the config. */
export function compilePattern(pattern: string, path: ConfigPath, flags = 'u'): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw new ConfigError(
      'config.bad_pattern',
      `${formatPath(path)} is not a regular expression: ${cause instanceof Error ? cause.message : cause}`,
      { path, hint: 'Write it in JavaScript syntax, without slashes around it.', cause },
    );
  }
}

/** Post-processors by the names that they have here. */
export const ownPostprocessors = {
  trimmed: plain('the whole text, without white space around it', trimmed),
  'first-line': plain('the first line that is not blank', firstLine),
  'last-line': plain('the last line that is not blank', lastLine),
  'first-number': plain('the first number', firstNumber),
  'last-number': plain('the last number', lastNumber),
  boxed: plain('the content of the last \\boxed{…}', boxed),
  'first-option': ofOptions('the option that is named first', firstOption),
  'last-option': ofOptions('the option that is named last', lastOption),
  'choice-text': postprocessor({
    summary: 'the label of the option whose text is, or is in, the answer',
    options: {
      options: labels.optional().describe('The labels to choose from; A, B, C … by default'),
      text_columns: texts.describe('The columns with the texts of the options, or one with a list'),
    },
    build:
      ({ options, text_columns: textColumns }) =>
      (row) => [choiceText(optionsOf(row, { labels: options, textColumns }))],
  }),
  'after-marker': postprocessor({
    summary: 'the line after the last marker',
    options: { marker: texts.describe('The marker, or a list of them') },
    build: ({ marker }) => constant(afterMarker(marker)),
  }),
  regex: postprocessor({
    summary: 'what a pattern finds',
    options: regexOptions,
    build: (options, located) => constant(buildRegex(located, options)),
  }),
  json: postprocessor({
    summary: 'a value of the last JSON object',
    options: {
      path: parsedText('a path such as `answer.value` or `items[0]`', parseJsonPath).describe(
        'Path in the object, such as `answer.value` or `items[0]`',
      ),
    },
    build: ({ path }) => constant(jsonValue(path)),
  }),
  code: postprocessor({
    summary: 'a fenced block of code',
    options: {
      language: texts.optional().describe('The languages that the block may be marked with'),
      which: oneOfNames(['first', 'last']).optional().describe('Which block, if there are several'),
    },
    build: ({ language, which }) => constant(codeBlock({ languages: language, which })),
  }),
  chain: postprocessor({
    summary: 'the first of several post-processors that finds something',
    options: { extractors: components.describe('Post-processors to try in order') },
    build: ({ extractors }, { path }) =>
      buildExtractors(locateAll(extractors, [...path, 'extractors'])),
  }),
  general: cleaner(
    'general',
    'the text up to the first stop, without articles and punctuation',
    (text) => plainWords(firstClause(text)),
  ),
  'first-capital': cleaner('first-capital', 'the first capital letter'),
  'last-capital': cleaner('last-capital', 'the last capital letter'),
  'first-capital-multi': cleaner('first-capital-multi', 'the first run of letters from A to D'),
  'multiple-select': cleaner('multiple-select', 'all capital letters, sorted, each once'),
  'extract-non-reasoning-content': cleaner(
    'extract-non-reasoning-content',
    'the text without <think>…</think>',
  ),
  gsm8k: plain('the last number before a next `Question:`', {
    name: 'gsm8k',
    extract: (text) => lastNumber.extract(text.split('Question:', 1)[0] ?? ''),
  }),
  'gsm8k-dataset': plain('the number after `####`', {
    ...within(afterMarker(['####']), firstNumber),
    name: 'gsm8k-dataset',
  }),
};

const aliases = Object.entries(opencompassFunctions).map(
  ([alias, name]) => [alias, { ...ownPostprocessors[name], summary: `as \`${name}\`` }] as const,
);

export type PostprocessorName = keyof typeof ownPostprocessors | keyof typeof opencompassFunctions;

/** The same, and under the names of OpenCompass's functions. */
export const postprocessorTypes: ComponentTypes<ExtractorsOf> = {
  ...ownPostprocessors,
  ...Object.fromEntries(aliases),
};

/** What a cleaned text was read from is not known; it counts as read from all of the answer. */
function cleaner(
  name: string,
  summary: string,
  clean: (text: string) => string = (text) => cleanWith(name, text),
) {
  return plain(summary, {
    name,
    extract(text) {
      const value = clean(text);
      if (value.trim() === '') return undefined;
      const start = text.indexOf(value);
      return start < 0
        ? { value, start: 0, end: text.length }
        : { value, start, end: start + value.length };
    },
  });
}
