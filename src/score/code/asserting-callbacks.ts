/** A node of a syntax tree. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Who may have nothing to call a function with, or calls it by rules of their own. */
const exemptCalls = new Set([
  ...['then', 'catch', 'finally'],
  ...['forEach', 'map', 'flatMap', 'filter', 'reduce', 'reduceRight', 'some', 'every', 'from'],
  ...['find', 'findIndex', 'findLast', 'findLastIndex', 'sort', 'toSorted', 'groupBy'],
  ...['replace', 'replaceAll'],
]);
const runners = /^(?:it|test|describe|suite|before|after|beforeEach|afterEach)$/;

/** What ends before a function is called, and is right to. */
const expectsErrors = /^(?:throws|rejects)$/;

/** Asserts that fail wherever they are reached, so that they are there not to be. */
const refusals = /^(?:fail|ifError)$/;

/**
 * The functions of tests that are handed over in a call and hold an `assert`: whoever gets one and
 * never calls it has not been tested.
 */
export function assertingCallbacks(program: SyntaxNode): ReadonlySet<SyntaxNode> {
  const found = new Set<SyntaxNode>();
  const look = (node: SyntaxNode) => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const { root, last } = namesOf(node.callee as SyntaxNode);
      if (expectsErrors.test(last) || runners.test(root)) return;
      if (!exemptCalls.has(last)) {
        for (const argument of node.arguments as SyntaxNode[]) {
          if (isFunction(argument) && holdsAssert(argument)) found.add(argument);
        }
      }
    }
    for (const child of childrenOf(node)) look(child);
  };
  look(program);
  return found;
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function isFunction({ type, generator }: SyntaxNode): boolean {
  return (
    type === 'ArrowFunctionExpression' || (type === 'FunctionExpression' && generator !== true)
  );
}

function holdsAssert(node: SyntaxNode): boolean {
  return isAssert(node) || childrenOf(node).some(holdsAssert);
}

function isAssert(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false;
  const { root, last } = namesOf(node.callee as SyntaxNode);
  if ((root !== 'assert' && root !== 'expect') || refusals.test(last)) return false;
  const [first] = node.arguments as SyntaxNode[];
  return !(first?.type === 'BooleanLiteral' && first.value === false);
}

/** The first and the last name of what is called: `assert` and `equal` of `assert.equal`. */
function namesOf(callee: SyntaxNode): { readonly root: string; readonly last: string } {
  if (callee.type === 'Identifier') return { root: String(callee.name), last: String(callee.name) };
  const inner = (callee.object ?? callee.callee ?? callee.expression) as SyntaxNode | undefined;
  if (!inner) return { root: '', last: '' };
  const { root, last } = namesOf(inner);
  const property = callee.property as SyntaxNode | undefined;
  return { root, last: property ? String(property.name ?? property.value ?? '') : last };
}
