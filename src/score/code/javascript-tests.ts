import { parse } from '@babel/parser';
import { assertingCallbacks, childrenOf, type SyntaxNode } from './asserting-callbacks.ts';

/** The tests of a row, as far as they can be read before they run. */
export interface JavascriptTests {
  /** Whether they hold definitions alone, so that running them tests nothing. */
  readonly runNothing: boolean;
  /** The same tests, which say what they begin and what they wait for, on the same lines. */
  readonly watched: string;
}

const definitions = new Set([
  'FunctionDeclaration',
  'ClassDeclaration',
  'ImportDeclaration',
  'EmptyStatement',
]);

/** Reads tests; those that are not JavaScript are left as they are, for Node to refuse. */
export function readTests(tests: string): JavascriptTests {
  try {
    const { program } = parse(tests, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      createParenthesizedExpressions: true,
    });
    const inserts: Insert[] = [];
    const root = program as unknown as SyntaxNode;
    const callbacks = [...assertingCallbacks(root)];
    visit(root, (node, depth) => {
      const callback = callbacks.indexOf(node);
      inserts.push(...insertsFor(node, tests, depth));
      if (callback !== -1) inserts.push(...insertsForCallback(node, callback, depth));
    });
    return {
      runNothing: program.body.every(({ type }) => definitions.has(type)),
      watched: insertAll(tests, inserts),
    };
  } catch {
    return { runNothing: false, watched: tests };
  }
}

interface Insert {
  readonly at: number;
  readonly text: string;
  /** Of two at one place, what closes stands before what opens, and outer pairs around inner ones. */
  readonly order: number;
}

function visit(node: SyntaxNode, see: (node: SyntaxNode, depth: number) => void, depth = 1) {
  see(node, depth);
  for (const child of childrenOf(node)) visit(child, see, depth + 1);
}

/** Names that the harness defines. */
const [watch, begin, end] = ['typecaseWatch', 'typecaseBegin', 'typecaseEnd'];
const [given, called] = ['typecaseGiven', 'typecaseCalled'];

/** What is waited for: values of statements, what follows a promise, asynchronous functions. */
function insertsFor(node: SyntaxNode, text: string, depth: number): Insert[] {
  if (node.type === 'ExpressionStatement') {
    const stop = text[node.end - 1] === ';' ? node.end - 1 : node.end;
    return around(node.start, stop, [`${watch}((`, '))'], depth);
  }
  if (node.type === 'CallExpression' && isChained(node.callee as SyntaxNode)) {
    return around(node.start, node.end, [`${watch}(`, ')'], depth);
  }
  if (node.async !== true || node.generator === true) return [];
  const body = node.body as SyntaxNode;
  if (body.type !== 'BlockStatement') {
    return around(
      body.start,
      body.end,
      [`{ ${begin}(); try { return await (`, `); } finally { ${end}(); } }`],
      depth,
    );
  }
  const from = startOf(body);
  const stop = body.end - 1;
  if (from === stop) return [];
  return around(from, stop, [` ${begin}(); try {`, `} finally { ${end}(); } `], depth);
}

/** Behind `'use strict'`. */
function startOf(block: SyntaxNode): number {
  return (block.directives as SyntaxNode[]).at(-1)?.end ?? block.start + 1;
}

/** A function that is handed over says so, and that it is called; it is the same function. */
function insertsForCallback(node: SyntaxNode, number: number, depth: number): Insert[] {
  const body = node.body as SyntaxNode;
  const handed = around(node.start, node.end, [`(${given}(${number}), `, ')'], depth);
  if (body.type === 'BlockStatement') {
    return [...handed, { at: startOf(body), text: ` ${called}(${number});`, order: depth + 0.5 }];
  }
  // A body in parentheses is one with them.
  const inside = around(body.start, body.end, [`(${called}(${number}), `, ')'], depth + 0.5);
  return [...handed, ...inside];
}

function isChained({ type, property, computed }: SyntaxNode): boolean {
  if (type !== 'MemberExpression' || computed === true) return false;
  return ['then', 'catch', 'finally'].includes(String((property as SyntaxNode).name));
}

function around(
  start: number,
  stop: number,
  [open, close]: readonly [string, string],
  depth: number,
): Insert[] {
  return [
    { at: start, text: open, order: depth },
    { at: stop, text: close, order: -depth },
  ];
}

function insertAll(text: string, inserts: readonly Insert[]): string {
  let watched = '';
  let done = 0;
  for (const insert of inserts.toSorted(
    (one, other) => one.at - other.at || one.order - other.order,
  )) {
    watched += text.slice(done, insert.at) + insert.text;
    done = insert.at;
  }
  return watched + text.slice(done);
}
