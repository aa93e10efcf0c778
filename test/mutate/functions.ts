import ts from 'typescript';
import { parseSource, visit } from './source-file.ts';

export interface FunctionRange {
  readonly start: number;
  readonly end: number;
  /** Where a block starts, or an expression that is a body starts and ends. */
  readonly body: { readonly from: number; readonly to?: number };
}

/** The functions of a file that have a body, in their order. */
export function functionsOf(file: string, text: string): FunctionRange[] {
  const source = parseSource(file, text);
  const found: FunctionRange[] = [];
  visit(source, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return undefined;
    const body = node.body as ts.Block | ts.Expression;
    const range = { start: node.getStart(source), end: node.getEnd() };
    const from = body.getStart(source);
    found.push({
      ...range,
      body: ts.isBlock(body) ? { from: startOfBlock(node, body, source) } : { from, to: body.end },
    });
    return undefined;
  });
  return found;
}

/** After `super(…)`, before which nothing may come. */
function startOfBlock(node: ts.Node, body: ts.Block, source: ts.SourceFile): number {
  const isDerived = ts.isConstructorDeclaration(node) && node.parent.heritageClauses !== undefined;
  const [first] = body.statements;
  return isDerived && first ? first.getEnd() : body.getStart(source) + 1;
}

/** The innermost function at a place; nothing at the top of a file. */
export function functionAt(functions: readonly FunctionRange[], place: number): number | undefined {
  const around = functions.flatMap(({ start, end }, index) =>
    start <= place && place < end ? [index] : [],
  );
  return around.at(-1);
}

/** The code of a file that takes note of each function that is called. */
export function withNotes(file: string, text: string, first: number): string {
  const inserts = functionsOf(file, text).flatMap(({ body: { from, to } }, index) => {
    const note = `globalThis.typecaseReached[${first + index}] = 1`;
    return to === undefined
      ? [{ at: from, text: ` ${note};` }]
      : [
          { at: from, text: `(${note}, ` },
          { at: to, text: ')' },
        ];
  });
  let code = text;
  for (const { at, text: inserted } of inserts.sort((one, other) => other.at - one.at)) {
    code = code.slice(0, at) + inserted + code.slice(at);
  }
  return code;
}
