import { type ConfigPath, formatPath } from '../../errors.ts';
import { formatValue } from '../../prompt/values.ts';
import { openScorer } from '../../score/open-scorer.ts';
import type { Plain } from '../plain-value.ts';
import { type Code, compileCode, importCode, isCodeFile } from './import-code.ts';
import { filePath, type Reading, refuse } from './reading.ts';

/** What changes an answer before it is looked at, where it stands. */
export interface WrittenTransform {
  readonly value: unknown;
  readonly path: ConfigPath;
}

/** Reads code that changes answers; undefined, and a problem, where it is none. */
export async function readTransform(
  reading: Reading,
  { value, path }: WrittenTransform,
): Promise<Code | undefined> {
  reading.code.push(formatPath(path));
  if (typeof value === 'function') return value as Code;
  const file = filePath(value);
  if (file !== undefined && isCodeFile(file))
    return reading.isAsked ? importCode(reading, file, path) : () => null;
  if (file === undefined && typeof value === 'string')
    return compileCode(reading, value, { names: ['output', 'context'], path });
  refuse(reading, path, { what: 'is not JavaScript or TypeScript code' });
  return undefined;
}

/** Code that is given what the transforms make of an answer, one after the other. */
export function afterTransforms(transforms: readonly Code[], code: Code): Code {
  if (transforms.length === 0) return code;
  return async (output, context, ...rest) => {
    let made = output;
    for (const transform of transforms) made = await transform(made, context, ...rest);
    if (made === undefined || made === null) throw new Error('the transform returned nothing');
    return code(made, context, ...rest);
  };
}

/** A check of data as code: what is given to it is looked at as the check does. */
export async function codeOfCheck(check: Plain): Promise<Code> {
  const { weight: _, name: __, ...evaluator } = check;
  const scorer = await openScorer({ evaluator: { type: 'checks', checks: [evaluator] } });
  const { signal } = new AbortController();
  return async (output) => {
    const answer = formatOutput(output);
    const input = { answer: { raw: answer, answer }, gold: undefined, row: {} };
    const score = await (scorer.scoreLater?.(input, signal) ?? scorer.score(input));
    return score.type === 'scored' && score.value === 1;
  };
}

/** Values are written as promptfoo writes them. */
function formatOutput(output: unknown): string {
  return typeof output === 'object' ? JSON.stringify(output) : formatValue(output);
}
