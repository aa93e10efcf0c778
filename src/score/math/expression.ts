import type { Rational } from './rational.ts';

/** A mathematical expression, or a structure of several. */
export type Expression =
  | { readonly type: 'number'; readonly value: Rational }
  | { readonly type: 'symbol'; readonly name: string }
  | { readonly type: 'words'; readonly text: string }
  | Operation
  | List
  | { readonly type: 'matrix'; readonly rows: readonly (readonly Expression[])[] }
  | Relation;

export interface Operation {
  readonly type: 'operation';
  readonly name: string;
  readonly parts: readonly Expression[];
}

/** Several things; `brackets` is `''` for a bare list, else such as `()`, `[)` or `{}`. */
export interface List {
  readonly type: 'list';
  readonly brackets: string;
  readonly items: readonly Expression[];
}

/** `1 < x ≤ 3`: one more part than signs. */
export interface Relation {
  readonly type: 'relation';
  readonly parts: readonly Expression[];
  readonly signs: readonly string[];
}

export function operation(name: string, ...parts: readonly Expression[]): Operation {
  return { type: 'operation', name, parts };
}

/** The expression with every part of it replaced, the innermost first. */
export function rewrite(
  expression: Expression,
  replace: (part: Expression) => Expression,
): Expression {
  const inner = (part: Expression) => rewrite(part, replace);
  switch (expression.type) {
    case 'operation':
    case 'relation':
      return replace({ ...expression, parts: expression.parts.map(inner) });
    case 'list':
      return replace({ ...expression, items: expression.items.map(inner) });
    case 'matrix':
      return replace({ ...expression, rows: expression.rows.map((row) => row.map(inner)) });
    default:
      return replace(expression);
  }
}

/** The names of all symbols and operations in an expression. */
export function namesIn(expression: Expression): {
  readonly symbols: ReadonlySet<string>;
  readonly operations: ReadonlySet<string>;
} {
  const symbols = new Set<string>();
  const operations = new Set<string>();
  rewrite(expression, (part) => {
    if (part.type === 'symbol') symbols.add(part.name);
    if (part.type === 'operation') operations.add(part.name);
    return part;
  });
  return { symbols, operations };
}
