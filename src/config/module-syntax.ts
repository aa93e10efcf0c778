import { createRequire } from 'node:module';
import type { ParseResult } from '@babel/parser';
import type { SyntaxProblem } from './syntax-error.ts';

export type Statement = ParseResult['program']['body'][number];

type DefaultExport = Extract<Statement, { type: 'ExportDefaultDeclaration' }>['declaration'];

/** An expression, or a function or class that is exported as it is declared. */
export type Expression = DefaultExport;

export type ParsedModule =
  | { readonly type: 'parsed'; readonly body: readonly Statement[] }
  | { readonly type: 'failed'; readonly problem: SyntaxProblem };

// Places are asked for in synchronous code, and the parser is too big to load before that.
const require = createRequire(import.meta.url);

/** Parses a TypeScript or JavaScript module. */
export function parseSyntax(text: string): ParsedModule {
  const { parse }: typeof import('@babel/parser') = require('@babel/parser');
  try {
    const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'] });
    return { type: 'parsed', body: program.body };
  } catch (error) {
    if (!(error instanceof SyntaxError) || !('pos' in error)) throw error;
    const message = error.message.replace(/\.? \(\d+:\d+\)$/, '');
    return { type: 'failed', problem: { offset: Number(error.pos), message } };
  }
}
