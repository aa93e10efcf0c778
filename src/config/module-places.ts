import { declarations, findMember, type Scope, type Scoped, unwrap } from './follow-expression.ts';
import { type Expression, parseSyntax, type Statement } from './module-syntax.ts';
import type { SourceNode } from './source-location.ts';
import { offsetInEscaped } from './string-offset.ts';

/** The places of the config that a module exports. */
export function moduleRoot(text: string): SourceNode {
  const module = parseSyntax(text);
  if (module.type === 'failed') return startOfFile;
  const scope = declarations(module.body);
  const exported = findExport(module.body, scope);
  return exported ? moduleNode({ node: exported, scope }, text) : startOfFile;
}

const startOfFile: SourceNode = {
  start: 0,
  child: () => undefined,
  stringOffset: () => undefined,
};

function findExport(body: readonly Statement[], scope: Scope): Expression | undefined {
  const names = new Map<string, Expression>();
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration;
    if (statement.type !== 'ExportNamedDeclaration') continue;
    for (const specifier of statement.specifiers) {
      if (specifier.type !== 'ExportSpecifier' || specifier.exported.type !== 'Identifier')
        continue;
      const value = scope.get(specifier.local.name);
      if (value) names.set(specifier.exported.name, value);
    }
  }
  return names.get('default') ?? names.get('config') ?? scope.get('config');
}

function moduleNode(from: Scoped, text: string): SourceNode {
  const literal = unwrap(from);
  const start = literal.node.start ?? 0;
  return {
    start,
    child: (key) => {
      const member = findMember(literal, key);
      if (member === undefined) return undefined;
      const node = moduleNode(member, text);
      return { keyStart: member.key?.start ?? node.start, node };
    },
    stringOffset: (index) => {
      const value = stringStart(literal.node);
      if (value === undefined || index > value.length) return undefined;
      return offsetInEscaped({ text, start: start + 1, value, index });
    },
  };
}

/** The string up to the first `${…}` in it. */
function stringStart(node: Expression): string | undefined {
  if (node.type === 'StringLiteral') return node.value;
  return node.type === 'TemplateLiteral' ? (node.quasis[0]?.value.cooked ?? undefined) : undefined;
}
