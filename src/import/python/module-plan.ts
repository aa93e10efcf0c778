import type { Module, StmtNode } from 'py-ast';
import type { PyValue } from '../../python/values.ts';
import type { Execute, Importer } from './compile-context.ts';
import { compiler } from './compiler.ts';
import { moduleScope } from './frame.ts';
import { machine, Raised, raise, type SourceUnit } from './machine.ts';
import { importMember, importModule } from './modules.ts';
import { PyReference } from './objects.ts';
import { standardModules } from './standard-modules.ts';
import { type Node, placeOf } from './syntax.ts';

/** Whether mmengine takes a module as one that comes with Python, and imports it. */
function isStandard(module: string): boolean {
  if (module.startsWith('.')) return false;
  if (module.startsWith('mmengine.config')) return true;
  return standardModules.has(module.split('.')[0] ?? '');
}

const moduleText = (node: Node<'ImportFrom'>) =>
  '.'.repeat(node.level ?? 0) + (node.module ?? 'None');

function isBaseKey(node: StmtNode): boolean {
  const [target] = node.nodeType === 'Assign' ? node.targets : [];
  return target?.nodeType === 'Name' && target.id === '_base_';
}

interface SyntaxNode {
  readonly nodeType: string;
}

function* childrenOf(node: object): Generator<SyntaxNode> {
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'object' && item !== null && 'nodeType' in item) yield item;
    }
  }
}

/** Which of mmengine's two loaders reads a file. */
export function isLazy(tree: Module, unit: SourceUnit): boolean {
  const queue: SyntaxNode[] = [...tree.body];
  for (let index = 0; index < queue.length; index++) {
    const node = queue[index] as StmtNode;
    if (isBaseKey(node)) return false;
    if (node.nodeType === 'With') {
      checkReadBase(node, unit);
      return true;
    }
    if (node.nodeType === 'ImportFrom') {
      if (node.level) return true;
      const isConfigOnly =
        node.module === 'mmengine' && node.names.length === 1 && node.names[0]?.name === 'Config';
      if (!isConfigOnly && !isStandard(node.module ?? '')) return true;
    }
    if (node.nodeType === 'Import' && node.names.some(({ name }) => !isStandard(name))) return true;
    queue.push(...childrenOf(node));
  }
  return false;
}

function checkReadBase(node: Node<'With'>, unit: SourceUnit): void {
  const expression = node.items[0]?.context_expr;
  machine.at = placeOf(unit, node);
  if (expression?.nodeType === 'Call' && expression.func.nodeType !== 'Name') {
    raise('AttributeError', `'${expression.func.nodeType}' object has no attribute 'id'`);
  }
  const name =
    expression?.nodeType === 'Call' && expression.func.nodeType === 'Name'
      ? expression.func.id
      : '';
  if (name !== 'read_base') {
    raise('ConfigParsingError', 'Only `read_base` context manager can be used in the config');
  }
}

/** A module that a config reads through `read_base`, and the place where it says so. */
export interface BaseModule {
  readonly module: string;
  readonly node: StmtNode;
}

/** The modules of the first `with read_base():`, which is the only one that counts. */
export function baseModules(
  tree: Module,
  unit: SourceUnit,
): { block: StmtNode | undefined; modules: readonly BaseModule[] } {
  for (const node of tree.body) {
    machine.at = placeOf(unit, node);
    if (isBaseKey(node)) {
      raise(
        'ConfigParsingError',
        '`_base_` cannot be used in a config that imports; use `with read_base():`',
      );
    }
    if (node.nodeType !== 'With') continue;
    checkReadBase(node, unit);
    if (node.items.length > 1)
      raise('ConfigParsingError', 'Only `read_base` context manager can be used in the config');
    const modules = node.body.map((inner) => {
      machine.at = placeOf(unit, inner);
      if (inner.nodeType !== 'ImportFrom') {
        return raise('AssertionError', 'Only `from … import …` can stand in `with read_base()`');
      }
      if (!inner.module)
        return raise('AssertionError', '`from . import …` cannot stand in `with read_base()`');
      return { module: moduleText(inner), node: inner };
    });
    return { block: node, modules };
  }
  return { block: undefined, modules: [] };
}

export interface TakenName {
  readonly module: string;
  readonly name: string;
  readonly as: string;
  readonly node: StmtNode;
}

/** What running a file of the lazy loader needs, apart from the values of its bases. */
export interface ModulePlan {
  /** Names that come from bases before the file runs. */
  readonly taken: readonly TakenName[];
  readonly imported: ReadonlySet<string>;
  readonly references: readonly (readonly [string, PyReference])[];
  readonly run: Execute;
}

/** Reads the imports of a lazy file, in the order and with the objections of mmengine, and compiles the rest. */
export function planModule(tree: Module, unit: SourceUnit): ModulePlan {
  const { block, modules } = baseModules(tree, unit);
  const bases = new Set(modules.map(({ module }) => module));
  const body = tree.body.flatMap((node) => (node === block ? (node as Node<'With'>).body : [node]));
  const imported = new Set<string>();
  const taken: TakenName[] = [];
  visitImports(body, (node) => {
    machine.at = placeOf(unit, node);
    if (node.nodeType === 'Import') visitImport(node, imported);
    else visitImportFrom(node, { bases, imported, taken });
  });
  const gathered = new Map<string, string[]>();
  for (const node of body) {
    for (const { name } of node.nodeType === 'Import' ? node.names : []) {
      // Those with another name were made references before.
      if (isStandard(name) || (node as Node<'Import'>).names[0]?.asname) continue;
      const top = name.split('.')[0] ?? name;
      gathered.set(top, [...(gathered.get(top) ?? []), name]);
    }
  }
  const references = [...gathered.keys()]
    .reverse()
    .map((top) => [top, PyReference.ofModule(top)] as const);
  for (const [top] of references) imported.add(top);
  const topLevel = new Set<StmtNode>(body);
  const importer: Importer = (node) => lazyImport(node, { bases, isTopLevel: topLevel.has(node) });
  const run = compiler.block(body, { unit, scope: moduleScope, importer, compiler });
  return { taken, imported, references, run };
}

function visitImports(
  nodes: readonly StmtNode[],
  visit: (node: Node<'Import'> | Node<'ImportFrom'>) => void,
): void {
  for (const node of nodes) {
    if (node.nodeType === 'Import' || node.nodeType === 'ImportFrom') visit(node);
    else if ('body' in node) {
      visitImports(
        [...childrenOf(node)].flatMap((child) => statementsIn(child)),
        visit,
      );
    }
  }
}

/** Statements that are, or stand directly in, a part of a statement. */
function statementsIn(node: SyntaxNode): StmtNode[] {
  if (node.nodeType === 'ExceptHandler' || node.nodeType === 'MatchCase')
    return (node as unknown as { body: StmtNode[] }).body;
  return 'body' in node || node.nodeType.startsWith('Import') ? [node as StmtNode] : [];
}

function visitImport(node: Node<'Import'>, imported: Set<string>): void {
  const [alias, second] = node.names;
  if (second)
    raise(
      'AssertionError',
      'Illegal syntax in config! import multiple modules in one line is not supported',
    );
  if (alias?.asname) imported.add(alias.asname);
}

function visitImportFrom(
  node: Node<'ImportFrom'>,
  {
    bases,
    imported,
    taken,
  }: { bases: ReadonlySet<string>; imported: Set<string>; taken: TakenName[] },
): void {
  const module = moduleText(node);
  const isOwn = isStandard(module);
  if (!isOwn && bases.has(module)) {
    for (const { name, asname } of node.names)
      taken.push({ module, name, as: asname ?? name, node });
    return;
  }
  for (const { name, asname } of node.names) {
    if (name === '*') {
      raise('ConfigParsingError', '`from … import *` can only stand in `with read_base()`');
    }
    imported.add(asname ?? name);
  }
}

function lazyImport(
  node: Node<'Import'> | Node<'ImportFrom'>,
  { bases, isTopLevel }: { bases: ReadonlySet<string>; isTopLevel: boolean },
): readonly (readonly [string, () => PyValue])[] {
  if (node.nodeType === 'Import') {
    return node.names.flatMap(({ name, asname }) => {
      if (isStandard(name) || (!asname && !isTopLevel)) return plainImport(name, asname);
      return asname ? [[asname, () => PyReference.ofModule(name)] as const] : [];
    });
  }
  const module = moduleText(node);
  if (!isStandard(module) && bases.has(module)) return [];
  return node.names.map(({ name, asname }) => [
    asname ?? name,
    isStandard(module)
      ? () => importMember(module, name)
      : () => PyReference.imported(module, name),
  ]);
}

function plainImport(
  name: string,
  asname: string | undefined,
): (readonly [string, () => PyValue])[] {
  if (asname) return [[asname, () => importModule(name)]];
  const top = name.split('.')[0] ?? name;
  // `import mmengine.config` and its like bind the package, of which nothing else is known.
  return [[top, () => (isStandard(top) ? importModule(top) : importModule(name))]];
}

/** The imports of the other loader, which imports everything. */
export function planPlainModule(tree: Module, unit: SourceUnit): Execute {
  const body = tree.body.filter((node) => !isBaseKey(node));
  const importer: Importer = (node) => {
    if (node.nodeType === 'Import') {
      return node.names.flatMap(({ name, asname }) => plainImport(name, asname));
    }
    const module = moduleText(node);
    return node.names.map(({ name, asname }) => {
      if (name === '*') {
        throw new Raised(
          'NotImplementedError',
          '`import *` of a module of Python cannot be used in configs',
          { at: placeOf(unit, node) },
        );
      }
      return [asname ?? name, () => importMember(module, name)] as const;
    });
  };
  return compiler.block(body, { unit, scope: moduleScope, importer, compiler });
}

/** The value of `_base_ = …`, if there is one. */
export function baseKeyNode(tree: Module): Node<'Assign'> | undefined {
  return tree.body.find((node): node is Node<'Assign'> => isBaseKey(node));
}
