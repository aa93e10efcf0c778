import type { ConfigPath } from '../../errors.ts';
import { type Code, compileCode, importCode, isCodeFile } from './import-code.ts';
import { codeAt, filePath, type Reading, refuse } from './reading.ts';

/** What changes an answer before it is looked at, where it stands. */
export interface WrittenTransform {
  readonly value: unknown;
  readonly path: ConfigPath;
  /** What the code calls that which it changes: an answer by default. */
  readonly input?: string | undefined;
}

/** Reads code that changes answers or variables; undefined, and a problem, where it is none. */
export async function readTransform(
  reading: Reading,
  { value, path, input = 'output' }: WrittenTransform,
): Promise<Code | undefined> {
  reading.unwritten.push(codeAt(path));
  if (typeof value === 'function') return value as Code;
  const file = filePath(value);
  if (file !== undefined && isCodeFile(file))
    return reading.isAsked ? importCode(reading, file, path) : () => null;
  if (file === undefined && typeof value === 'string')
    return compileCode(reading, value, { names: [input, 'context'], path });
  refuse(reading, path, { what: 'is not JavaScript or TypeScript code' });
  return undefined;
}

/** Code that is given what the transforms make of an answer, one after the other. */
export function changedBy(transforms: readonly Code[], code: Code): Code {
  if (transforms.length === 0) return code;
  return async (output, context, ...rest) => {
    let made = output;
    for (const transform of transforms) made = await transform(made, context, ...rest);
    if (made === undefined || made === null) throw new Error('the transform returned nothing');
    return code(made, context, ...rest);
  };
}
