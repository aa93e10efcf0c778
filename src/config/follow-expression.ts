import type { Expression, Statement } from './module-syntax.ts';

/** Constants by name, as far as they can be seen from an expression. */
export type Scope = ReadonlyMap<string, Expression>;

/** An expression and the constants that it can name. */
export interface Scoped {
  readonly node: Expression;
  readonly scope: Scope;
}

/** A member of an object or list; list members have no key. */
export interface ScopedMember extends Scoped {
  readonly key?: { readonly start?: number | null | undefined };
}

type Arrow = Extract<Expression, { type: 'ArrowFunctionExpression' }>;
type Callable = Arrow | Extract<Expression, { type: 'FunctionExpression' | 'FunctionDeclaration' }>;
type ObjectLiteral = Extract<Expression, { type: 'ObjectExpression' }>;
type ListLiteral = Extract<Expression, { type: 'ArrayExpression' }>;
type Call = Extract<Expression, { type: 'CallExpression' | 'NewExpression' }>;

/** The constants that a block of statements declares. */
export function declarations(statements: readonly Statement[]): Map<string, Expression> {
  const found = new Map<string, Expression>();
  for (const statement of statements) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'FunctionDeclaration' && declaration.id) {
      found.set(declaration.id.name, declaration);
    }
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && init) found.set(id.name, init);
    }
  }
  return found;
}

/** Looks through names, casts, calls and functions for the literal that is meant. */
export function unwrap(from: Scoped, seen: ReadonlySet<Expression> = new Set()): Scoped {
  if (seen.has(from.node)) return from;
  const passed = new Set([...seen, from.node]);
  const inner = innerExpression(from, passed);
  return inner ? unwrap(inner, passed) : from;
}

function innerExpression(
  { node, scope }: Scoped,
  seen: ReadonlySet<Expression>,
): Scoped | undefined {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return { node: node.expression, scope };
    case 'AwaitExpression':
      return { node: node.argument, scope };
    case 'Identifier': {
      const value = scope.get(node.name);
      return value && { node: value, scope };
    }
    case 'MemberExpression':
      return node.property.type === 'Identifier' && !node.computed
        ? findMember(unwrap({ node: node.object as Expression, scope }, seen), node.property.name)
        : undefined;
    case 'CallExpression':
      return firstArgument(node, scope, seen);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return returned(node, scope);
    default:
      return undefined;
  }
}

/** What is passed to `defineConfig({ … })` and the like; functions only to a plain name. */
function firstArgument(
  call: Call,
  scope: Scope,
  seen: ReadonlySet<Expression>,
): Scoped | undefined {
  const argument = call.arguments[0] as Expression | undefined;
  if (argument === undefined) return undefined;
  const isCallback =
    argument.type === 'ArrowFunctionExpression' || argument.type === 'FunctionExpression';
  if (isCallback && call.callee.type !== 'Identifier') return undefined;
  const target = unwrap({ node: argument, scope }, seen);
  return target.node.type === 'ObjectExpression' ? target : undefined;
}

function returned(node: Callable, outer: Scope): Scoped | undefined {
  const scope = new Map(outer);
  for (const parameter of node.params) {
    if (parameter.type === 'Identifier') scope.delete(parameter.name);
  }
  if (node.body.type !== 'BlockStatement') return { node: node.body, scope };
  for (const [name, value] of declarations(node.body.body)) scope.set(name, value);
  const last = node.body.body.findLast((statement) => statement.type === 'ReturnStatement');
  return last?.argument ? { node: last.argument, scope } : undefined;
}

/** The member of an unwrapped object, list or `new Map([…])`, where it is certain. */
export function findMember(from: Scoped, key: string | number): ScopedMember | undefined {
  const { node, scope } = from;
  if (node.type === 'ObjectExpression') return objectMember(node, scope, String(key));
  if (node.type === 'ArrayExpression') return listMembers(node, scope)[Number(key)];
  return node.type === 'NewExpression' ? mapMember(node, scope, String(key)) : undefined;
}

function objectMember(node: ObjectLiteral, scope: Scope, name: string): ScopedMember | undefined {
  for (const property of node.properties.toReversed()) {
    if (property.type === 'SpreadElement') {
      const spread = unwrap({ node: property.argument, scope });
      if (spread.node.type !== 'ObjectExpression') return undefined;
      const member = findMember(spread, name);
      if (member) return member;
    } else if (property.type === 'ObjectProperty' && !property.computed) {
      const value = property.value as Expression;
      if (propertyName(property.key as Expression) === name)
        return { key: property.key, node: value, scope };
    }
  }
  return undefined;
}

/** The members of a list, up to the first whose place is not certain. */
function listMembers(list: ListLiteral, scope: Scope): Scoped[] {
  const members: Scoped[] = [];
  for (const element of list.elements) {
    if (element === null) return members;
    if (element.type === 'SpreadElement') {
      const spread = unwrap({ node: element.argument, scope });
      if (spread.node.type !== 'ArrayExpression') return members;
      members.push(...listMembers(spread.node, spread.scope));
    } else {
      members.push({ node: element, scope });
    }
  }
  return members;
}

function mapMember(node: Call, scope: Scope, name: string): ScopedMember | undefined {
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'Map') return undefined;
  const argument = node.arguments[0] as Expression | undefined;
  const list = argument && unwrap({ node: argument, scope });
  if (list?.node.type !== 'ArrayExpression') return undefined;
  for (const entry of listMembers(list.node, list.scope)) {
    const pair = unwrap(entry);
    if (pair.node.type !== 'ArrayExpression') continue;
    const [key, value] = listMembers(pair.node, pair.scope);
    if (key && value && literalText(unwrap(key).node) === name) return { ...value, key: key.node };
  }
  return undefined;
}

function propertyName(node: Expression): string | undefined {
  return node.type === 'Identifier' ? node.name : literalText(node);
}

function literalText(node: Expression): string | undefined {
  switch (node.type) {
    case 'StringLiteral':
      return node.value;
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return String(node.value);
    default:
      return undefined;
  }
}
