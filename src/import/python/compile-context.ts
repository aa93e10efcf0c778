import type { ExprNode, StmtNode } from 'py-ast';
import type { PyValue } from '../../python/values.ts';
import type { Frame, Scope } from './frame.ts';
import { Raised, type SourceUnit } from './machine.ts';
import { type Node, placeOf } from './syntax.ts';

export type Evaluate = (frame: Frame) => PyValue;

export interface Return {
  readonly value: PyValue;
}

/** How a block ended, if not at its end. */
export type Signal = 'break' | 'continue' | Return | undefined;
export type Execute = (frame: Frame) => Signal;

export function isReturn(signal: Signal): signal is Return {
  return typeof signal === 'object';
}

/** What an import statement gives: names with their values. */
export type Importer = (
  node: Node<'Import'> | Node<'ImportFrom'>,
) => readonly (readonly [string, () => PyValue])[];

/** What compiling needs to know around a node. */
export interface Context {
  readonly unit: SourceUnit;
  readonly scope: Scope;
  readonly importer: Importer;
  /** Parts of a node are nodes of any kind: what compiles them comes from above. */
  readonly compiler: Compiler;
}

export interface Compiler {
  expression(node: ExprNode, context: Context): Evaluate;
  statement(node: StmtNode, context: Context): Execute;
  block(nodes: readonly StmtNode[], context: Context): Execute;
}

export function compileExpression(node: ExprNode, context: Context): Evaluate {
  return context.compiler.expression(node, context);
}

export function compileStatement(node: StmtNode, context: Context): Execute {
  return context.compiler.statement(node, context);
}

export function compileBlock(nodes: readonly StmtNode[], context: Context): Execute {
  return context.compiler.block(nodes, context);
}

export function notAvailable(
  context: Context,
  node: { readonly lineno?: number; readonly col_offset?: number },
  what: string,
): Raised {
  return new Raised(
    'NotImplementedError',
    `${what} cannot be used in configs that are read without Python`,
    { at: placeOf(context.unit, node) },
  );
}

/** The blocks inside of a statement. */
export function blocksOf(node: StmtNode): readonly (readonly StmtNode[])[] {
  switch (node.nodeType) {
    case 'If':
    case 'For':
    case 'While':
      return [node.body, node.orelse];
    case 'With':
      return [node.body];
    case 'Try':
      return [node.body, ...node.handlers.map(({ body }) => body), node.orelse, node.finalbody];
    case 'Match':
      return node.cases.map(({ body }) => body);
    default:
      return [];
  }
}
