import { nearestName } from '../../../base/nearest-name.ts';
import { type ConfigPath, TemplateError } from '../../../errors.ts';
import { CompatError } from '../../../python/compat-error.ts';
import { type FormatPiece, parseFormat } from '../../../python/format/format-fields.ts';
import { formatMap } from '../../../python/format/format-map.ts';
import { pyStr } from '../../../python/repr.ts';
import { stripText } from '../../../python/text.ts';
import type { PyValue } from '../../../python/values.ts';
import type { GqaCompat } from '../compat.ts';
import { type GqaSample, groupsOf, stepsOf, valueAt } from '../samples/sample.ts';

/** The template that is used unless another one is given. */
export const defaultTemplate =
  'You are assisting with the GQA benchmark. Answer the question based on the referenced image.\n' +
  'Image ID: {image_id}\nQuestion: {question}\nAnswer:';

export interface TemplateOptions {
  readonly compat?: GqaCompat | undefined;
  /** Where the template stands in a file. */
  readonly path?: ConfigPath | undefined;
}

/** Fills the template in for a sample. */
export type FillTemplate = (sample: GqaSample) => string;

/**
 * Reads a template with the rules of Python's `str.format_map`. Names that are no variables are
 * refused at once; in compat mode they are empty, as in the original.
 */
export function compileTemplate(template: string, options: TemplateOptions = {}): FillTemplate {
  const pieces = parseFormat(template);
  if (options.compat) return (sample) => fill(pieces, sample);
  checkPieces(pieces, options);
  return (sample) => {
    try {
      return fill(pieces, sample);
    } catch (error) {
      if (!(error instanceof CompatError)) throw error;
      throw badTemplate(`${error.message} in sample \`${pyStr(valueAt(sample, 'id'))}\``, options);
    }
  };
}

function fill(pieces: readonly FormatPiece[], sample: GqaSample): string {
  return stripText(formatMap(pieces, (name) => variableOf(sample, name)));
}

function checkPieces(pieces: readonly FormatPiece[], options: TemplateOptions): void {
  for (const piece of pieces) {
    if (piece.type === 'problem') throw badTemplate(piece.message, options);
    if (piece.type === 'text') continue;
    if (!variableNames.includes(piece.name)) throw unknownVariable(piece.name, options);
    if (!['', 'r', 's', 'a'].includes(piece.conversion)) {
      throw badTemplate(`\`!${piece.conversion}\` is not \`!r\`, \`!s\` or \`!a\``, options);
    }
    checkPieces(piece.specPieces ?? [], options);
  }
}

function badTemplate(problem: string, { path }: TemplateOptions): TemplateError {
  return new TemplateError(
    'gqa.bad_template',
    `The prompt template cannot be filled in: ${problem}`,
    {
      path,
      hint: 'Write `{question}` for a variable, and `{{` and `}}` for braces.',
    },
  );
}

function unknownVariable(name: string, { path }: TemplateOptions): TemplateError {
  const near = nearestName(name, variableNames);
  return new TemplateError(
    'gqa.unknown_variable',
    `The prompt template has \`{${name}}\`, which is not a variable`,
    {
      path,
      hint: `${near ? `Did you mean \`{${near}}\`? ` : ''}Variables: ${variableNames.join(', ')}.`,
    },
  );
}

/** What a prompt template can name, and where in a sample it comes from. */
const variables: Readonly<Record<string, (sample: GqaSample) => PyValue>> = {
  question: (sample) => valueAt(sample, 'question'),
  image_id: (sample) => valueAt(sample, 'imageId'),
  answer: (sample) => valueAt(sample, 'answer'),
  full_answer: (sample) => valueAt(sample, 'fullAnswer'),
  dataset_id: (sample) => valueAt(sample, 'id'),
  global_group: (sample) => valueAt(groupsOf(sample), 'global'),
  local_group: (sample) => valueAt(groupsOf(sample), 'local'),
  semantic_str: (sample) => valueAt(sample, 'semanticStr'),
  semantic_program: semanticProgram,
};

/** The names that a prompt template may use. */
const variableNames: readonly string[] = Object.keys(variables);

/** The value of a variable; empty if there is no such variable. */
function variableOf(sample: GqaSample, name: string): PyValue {
  const read = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return read ? read(sample) : '';
}

function semanticProgram(sample: GqaSample): string {
  return stepsOf(sample)
    .map((step) => `${pyStr(valueAt(step, 'operation'))}:${pyStr(valueAt(step, 'argument'))}`)
    .join(' | ');
}
