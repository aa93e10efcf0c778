import type { ExprNode, Arguments as ParameterNodes, StmtNode } from 'py-ast';
import { MutableDict, PyTuple, type PyValue } from '../../python/values.ts';
import { namesIn } from './assign.ts';
import {
  blocksOf,
  type Context,
  compileBlock,
  compileExpression,
  type Evaluate,
  isReturn,
} from './compile-context.ts';
import { compileGeneratorBlock, hasYield } from './compile-generator.ts';
import type { Frame, Scope } from './frame.ts';
import { BoundReached, limits, machine, raise } from './machine.ts';
import { type Arguments, PyCallable, PyFunction, PyIterator } from './objects.ts';
import { type Node, placeOf } from './syntax.ts';

export function compileLambda(node: Node<'Lambda'>, context: Context): Evaluate {
  const scope = functionScope(node.args, [], context.scope, namedIn(node.body));
  const body = compileExpression(node.body, { ...context, scope });
  return compileSignature(node.args, context, { name: '<lambda>', body });
}

export function compileFunction(node: Node<'FunctionDef'>, context: Context): Evaluate {
  const scope = functionScope(node.args, node.body, context.scope, []);
  const inner = { ...context, scope };
  const body = hasYield(node.body) ? generatorBody(node.body, inner) : plainBody(node.body, inner);
  const made = compileSignature(node.args, context, { name: node.name, body });
  const decorators = node.decorator_list.map((part) => compileExpression(part, context)).reverse();
  const place = placeOf(context.unit, node);
  return (frame) => {
    let value = made(frame);
    for (const decorator of decorators) {
      const called = decorator(frame);
      machine.at = place;
      if (!(called instanceof PyCallable)) return raise('TypeError', 'a decorator is not callable');
      value = called.call({ positional: [value], named: new Map() });
    }
    return value;
  };
}

function plainBody(body: readonly StmtNode[], context: Context): Evaluate {
  const run = compileBlock(body, context);
  return (frame) => {
    const signal = run(frame);
    return isReturn(signal) ? signal.value : null;
  };
}

function generatorBody(body: readonly StmtNode[], context: Context): Evaluate {
  const run = compileGeneratorBlock(body, context);
  return (frame) => new PyIterator('generator', run(frame) as Iterator<PyValue>);
}

interface Body {
  readonly name: string;
  readonly body: Evaluate;
}

/** Evaluates defaults where the function is defined, and puts arguments into names where it is called. */
function compileSignature(args: ParameterNodes, context: Context, { name, body }: Body): Evaluate {
  const ordered = [...args.posonlyargs, ...args.args].map(({ arg }) => arg);
  const keywordOnly = args.kwonlyargs.map(({ arg }) => arg);
  const positionOnly = new Set(args.posonlyargs.map(({ arg }) => arg));
  const compileDefault = (node: ExprNode | null) => node && compileExpression(node, context);
  const defaults = args.defaults.map(compileDefault);
  const keywordDefaults = args.kw_defaults.map(compileDefault);
  const [rest, others] = [args.vararg?.arg, args.kwarg?.arg];
  return (frame) => {
    const given = new Map<string, PyValue>();
    for (const [index, value] of defaults.entries()) {
      const parameter = ordered[ordered.length - defaults.length + index] as string;
      if (value) given.set(parameter, value(frame));
    }
    for (const [index, value] of keywordDefaults.entries()) {
      if (value) given.set(keywordOnly[index] as string, value(frame));
    }
    return new PyFunction(name, (call) => {
      const names = bindNames(call, {
        name,
        ordered,
        keywordOnly,
        positionOnly,
        rest,
        others,
        given,
      });
      return enter({ names, outer: frame, globals: frame.globals }, body);
    });
  };
}

function enter(frame: Frame, body: Evaluate): PyValue {
  if (++machine.depth > limits.depth) {
    throw new BoundReached('RecursionError', 'function calls are nested too deeply');
  }
  const { at } = machine;
  const value = body(frame);
  machine.depth--;
  machine.at = at;
  return value;
}

interface Parameters {
  readonly name: string;
  readonly ordered: readonly string[];
  readonly keywordOnly: readonly string[];
  readonly positionOnly: ReadonlySet<string>;
  readonly rest: string | undefined;
  readonly others: string | undefined;
  readonly given: ReadonlyMap<string, PyValue>;
}

function bindNames({ positional, named }: Arguments, parameters: Parameters): Map<string, PyValue> {
  const { name, ordered, keywordOnly, positionOnly, rest, others, given } = parameters;
  const names = new Map<string, PyValue>();
  for (const [index, value] of positional.entries()) {
    const parameter = ordered[index];
    if (parameter !== undefined) names.set(parameter, value);
  }
  if (rest !== undefined) names.set(rest, new PyTuple(positional.slice(ordered.length)));
  else if (positional.length > ordered.length) {
    raise(
      'TypeError',
      `${name}() takes ${ordered.length} positional arguments but ${positional.length} were given`,
    );
  }
  const extra = new MutableDict([]);
  for (const [key, value] of named) {
    const isKnown = (ordered.includes(key) && !positionOnly.has(key)) || keywordOnly.includes(key);
    if (isKnown) {
      if (names.has(key)) raise('TypeError', `${name}() got multiple values for argument '${key}'`);
      names.set(key, value);
    } else if (others !== undefined) extra.set(key, value);
    else raise('TypeError', `${name}() got an unexpected keyword argument '${key}'`);
  }
  if (others !== undefined) names.set(others, extra);
  for (const parameter of [...ordered, ...keywordOnly]) {
    if (names.has(parameter)) continue;
    if (!given.has(parameter))
      raise('TypeError', `${name}() missing 1 required argument: '${parameter}'`);
    names.set(parameter, given.get(parameter) ?? null);
  }
  return names;
}

function functionScope(
  args: ParameterNodes,
  body: readonly StmtNode[],
  parent: Scope,
  more: readonly string[],
): Scope {
  const parameters = [
    ...args.posonlyargs,
    ...args.args,
    ...args.kwonlyargs,
    args.vararg,
    args.kwarg,
  ];
  const found = {
    locals: new Set<string>(more),
    globals: new Set<string>(),
    nonlocals: new Set<string>(),
  };
  for (const parameter of parameters) if (parameter) found.locals.add(parameter.arg);
  for (const statement of body) collectNames(statement, found);
  for (const name of [...found.globals, ...found.nonlocals]) found.locals.delete(name);
  return { kind: 'function', locals: found.locals, globals: found.globals, parent };
}

interface FoundNames {
  readonly locals: Set<string>;
  readonly globals: Set<string>;
  readonly nonlocals: Set<string>;
}

function collectNames(node: StmtNode, found: FoundNames): void {
  const add = (names: readonly string[]) => {
    for (const name of names) found.locals.add(name);
  };
  switch (node.nodeType) {
    case 'Global':
      for (const name of node.names) found.globals.add(name);
      return;
    case 'Nonlocal':
      for (const name of node.names) found.nonlocals.add(name);
      return;
    case 'FunctionDef':
    case 'ClassDef':
      add([node.name]);
      return;
    case 'Import':
      add(node.names.map(({ name, asname }) => asname ?? name.split('.')[0] ?? name));
      return;
    case 'ImportFrom':
      add(node.names.map(({ name, asname }) => asname ?? name));
      return;
    case 'Assign':
      add(node.targets.flatMap(namesIn));
      break;
    case 'AugAssign':
    case 'AnnAssign':
    case 'For':
      add(namesIn(node.target));
      break;
    case 'With':
      add(node.items.flatMap(({ optional_vars }) => (optional_vars ? namesIn(optional_vars) : [])));
      break;
    case 'Try':
      add(node.handlers.flatMap(({ name }) => (name === undefined || name === null ? [] : [name])));
      break;
    case 'Delete':
      add(node.targets.flatMap(namesIn));
      break;
    default:
  }
  add(namedIn(node));
  for (const block of blocksOf(node)) for (const inner of block) collectNames(inner, found);
}

const nested = new Set(['FunctionDef', 'AsyncFunctionDef', 'Lambda', 'ClassDef']);

/** Names that expressions bind: by walrus, and in patterns. */
function namedIn(node: object): string[] {
  const names: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const { nodeType, target, name } = value as {
      nodeType?: string;
      target?: ExprNode;
      name?: string;
    };
    if (nodeType === undefined || (nested.has(nodeType) && value !== node)) return;
    if (nodeType === 'NamedExpr' && target) names.push(...namesIn(target));
    if ((nodeType === 'MatchAs' || nodeType === 'MatchStar') && name) names.push(name);
    for (const item of Object.values(value)) visit(item);
  };
  visit(node);
  return names;
}
