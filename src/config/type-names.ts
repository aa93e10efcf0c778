import * as z from 'zod';
import { nearestName } from '../base/nearest-name.ts';
import { editorText, forEditors } from './editor-schema.ts';

export const modelTypes = [
  'OpenAI',
  'OpenAICompletions',
  'AISDK',
  'Local',
  'Dummy',
  'Replay',
  'function',
] as const;

export const templateTypes = [
  'PromptTemplate',
  'RawPromptTemplate',
  'MultiTurnPromptTemplate',
  'MMPromptTemplate',
] as const;

export const retrieverTypes = [
  'ZeroRetriever',
  'FixKRetriever',
  'RandomRetriever',
  'BalancedRetriever',
  'SlidingWindowRetriever',
  'BM25Retriever',
  'TopkRetriever',
  'VotekRetriever',
  'DPPRetriever',
  'MDLRetriever',
  'FunctionRetriever',
] as const;

/** Names that the field's configs use and Typecase cannot run. */
export const missingRetrieverTypes = ['XiezhiRetriever'] as const;

export const inferencerTypes = [
  'GenInferencer',
  'PPLInferencer',
  'LLInferencer',
  'CLPInferencer',
  'PPLOnlyInferencer',
  'SCInferencer',
  'ChatInferencer',
  'MultiTurnGenInferencer',
] as const;

export type InferencerName = (typeof inferencerTypes)[number];

/** The name at the end of a dotted import path. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

interface TypeNames<Name extends string> {
  /** What the names are names of, such as `a retriever`. */
  readonly kind: string;
  readonly known: readonly Name[];
  readonly missing?: readonly string[];
  /** What to use in place of a name that other systems have. */
  readonly equivalentOf?: (name: string) => string | undefined;
}

/** Schema of a type's name, which may be a dotted import path. */
export function typeName<Name extends string>({
  kind,
  known,
  missing = [],
  equivalentOf,
}: TypeNames<Name>) {
  const name = forEditors(z.string({ error: `the name of ${kind}` }), {
    anyOf: [{ enum: known }, editorText],
    tsType: [...known.map((one) => `'${one}'`), 'ImportPath'].join(' | '),
  });
  return name.transform((written, context): Name => {
    const name = lastName(written);
    const match = known.find((candidate) => candidate === name);
    if (match !== undefined) return match;
    const isMissing = missing.includes(name);
    const near = isMissing ? undefined : nearestName(name, [...known, ...missing]);
    const list = `Available: ${known.join(', ')}.`;
    context.addIssue({
      code: 'custom',
      message: isMissing
        ? `is \`${name}\`, which is not available yet`
        : `is \`${name}\`, which is not ${kind}`,
      params: {
        code: isMissing ? 'config.type_not_available' : 'config.unknown_type',
        hint: near ? `Did you mean \`${near}\`? ${list}` : (equivalentOf?.(name) ?? list),
      },
    });
    return z.NEVER;
  });
}
