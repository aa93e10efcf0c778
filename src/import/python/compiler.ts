import type { Compiler } from './compile-context.ts';
import { expressionOf } from './compile-expression.ts';
import { blockOf, statementOf } from './compile-statement.ts';

/** Turns syntax into functions that evaluate it. */
export const compiler: Compiler = {
  expression: expressionOf,
  statement: statementOf,
  block: blockOf,
};
