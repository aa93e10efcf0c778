import { parse } from '@babel/parser';

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
    visit(program, (node, depth) => inserts.push(...insertsFor(node, tests, depth)));
    return {
      runNothing: program.body.every(({ type }) => definitions.has(type)),
      watched: insertAll(tests, inserts),
    };
  } catch {
    return { runNothing: false, watched: tests };
  }
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

interface Insert {
  readonly at: number;
  readonly text: string;
  /** Of two at one place, what closes stands before what opens, and outer pairs around inner ones. */
  readonly order: number;
}

function visit(
  node: SyntaxNode | object,
  see: (node: SyntaxNode, depth: number) => void,
  depth = 1,
) {
  if (isNode(node)) see(node, depth);
  for (const value of Object.values(node)) {
    if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) {
      visit(value, see, depth + 1);
    }
  }
}

function isNode(value: object): value is SyntaxNode {
  return 'type' in value && typeof value.type === 'string' && 'start' in value;
}

/** Names that the harness defines. */
const [watch, begin, end] = ['typecaseWatch', 'typecaseBegin', 'typecaseEnd'];

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
  const from = (body.directives as SyntaxNode[]).at(-1)?.end ?? body.start + 1;
  const stop = body.end - 1;
  if (from === stop) return [];
  return around(from, stop, [` ${begin}(); try {`, `} finally { ${end}(); } `], depth);
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
