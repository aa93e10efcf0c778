import { fail } from '../../python/compat-error.ts';
import { spendWork, stepWork } from './budget.ts';
import type { Dialect } from './dialect.ts';
import { filters } from './filters.ts';
import {
  type Binary,
  type BindArguments,
  type Call,
  classes,
  describe,
  Environment,
  type Filter,
  type FilterBlock,
  type For,
  type FunctionValue,
  type Identifier,
  Interpreter,
  type Macro,
  type Member,
  type Node,
  partInGroup,
  type Scope,
  type Select,
  type SetBlock,
  type TextValue,
  type Unary,
  type Value,
} from './library.ts';
import { Loop, LoopExit } from './loop.ts';
import { getMethod } from './methods.ts';
import { type ArithmeticOperator, calculate, comparisons, sameKind } from './operators.ts';
import { findTest } from './tests.ts';
import { joinTexts, type Part, partsOf, textFrom } from './text.ts';
import {
  getItem,
  isList,
  isText,
  iterate,
  missing,
  none,
  requireValue,
  Sequence,
  StrictMissing,
  text,
  toText,
  toValue,
  truthy,
  tuple,
  typeName,
} from './values.ts';

const silent = new Set(['Set', 'Macro']);

/**
 * The library's interpreter with the parts replaced in which it differs from Python: printing,
 * operators, scopes, loops, attributes, filters and tests.
 */
export class PythonInterpreter extends Interpreter {
  /** The innermost statement that is being run, for messages. */
  current: Node | undefined;
  readonly #dialect: Dialect;

  constructor(scope: Scope, dialect: Dialect) {
    super(scope);
    this.#dialect = dialect;
  }

  /** What stands for a value that is not there. */
  #missing(node: Node): Value {
    return this.#dialect.isStrict ? new StrictMissing(describe(node)) : missing;
  }

  override evaluate(node: Node | null | undefined, scope: Scope): Value {
    spendWork(stepWork);
    switch (node?.type) {
      case 'Break':
      case 'Continue':
        throw new LoopExit(node.type);
      case 'Identifier': {
        const found = super.evaluate(node, scope);
        return found.type === 'UndefinedValue' ? this.#missing(node) : found;
      }
      case 'ObjectLiteral':
        return this.#evaluateDict((node as Node & { value: Map<Node, Node> }).value, scope);
      default:
        return super.evaluate(node, scope);
    }
  }

  #evaluateDict(entries: ReadonlyMap<Node, Node>, scope: Scope): Value {
    const pairs = [...entries].map(([key, value]): [unknown, Value] => [
      this.evaluate(key, scope).value,
      this.evaluate(value, scope),
    ]);
    return new classes.Dict(new Map(pairs));
  }

  override evaluateBlock(nodes: readonly Node[], scope: Scope): TextValue {
    const parts: Part[] = [];
    const outer = this.current;
    try {
      for (const node of nodes) {
        this.current = node;
        const value = this.evaluate(node, scope);
        if (!silent.has(node.type)) parts.push(...partsOf(toText(value)));
      }
    } catch (error) {
      if (error instanceof LoopExit) error.printed.unshift(...parts);
      throw error;
    }
    this.current = outer;
    return textFrom(parts);
  }

  override evaluateUnaryExpression(node: Unary, scope: Scope): Value {
    if (node.operator.value !== 'not') return super.evaluateUnaryExpression(node, scope);
    return toValue(!truthy(this.evaluate(node.argument, scope)));
  }

  override evaluateBinaryExpression(node: Binary, scope: Scope): Value {
    const operator = node.operator.value;
    if (operator === '~') return this.#concatenate(node, scope);
    let left = this.evaluate(node.left, scope);
    if (operator === 'and') return truthy(left) ? this.evaluate(node.right, scope) : left;
    if (operator === 'or') return truthy(left) ? left : this.evaluate(node.right, scope);
    const holds = comparisons[operator];
    const before = partInGroup(node, (other) => other in comparisons);
    if (holds && before) {
      if (!truthy(left)) return left;
      left = this.evaluate(before.right, scope);
    }
    const right = this.evaluate(node.right, scope);
    requireValue(left);
    requireValue(right);
    return holds
      ? toValue(holds(left, right))
      : calculate(operator as ArithmeticOperator, left, right);
  }

  /** `~` binds more tightly than `+` and `-`, which the library's parser does not know. */
  #concatenate(node: Binary, scope: Scope): Value {
    const operands: Node[] = [node.right];
    let first = node;
    for (;;) {
      const inner = partInGroup(first, (operator) => operator === '~');
      if (!inner) break;
      operands.unshift(inner.right);
      first = inner;
    }
    const sum = partInGroup(first, (operator) => operator === '+' || operator === '-');
    operands.unshift(sum?.right ?? first.left);
    const values = () => operands.map((operand) => toText(this.evaluate(operand, scope)));
    if (!sum) return joinTexts(values());
    const left = this.evaluate(sum.left, scope);
    return calculate(sum.operator.value as ArithmeticOperator, left, joinTexts(values()));
  }

  override evaluateMemberExpression(node: Member, scope: Scope): Value {
    const object = this.evaluate(node.object, scope);
    if (object.type === 'UndefinedValue')
      fail('UndefinedError', `${describe(node.object)} is undefined`);
    if (node.property.type === 'SliceExpression') {
      return this.evaluateSliceExpression(object, node.property, scope);
    }
    const key =
      node.computed || node.property.type === 'IntegerLiteral'
        ? this.evaluate(node.property, scope)
        : text((node.property as Identifier).value);
    const attribute = () => (isText(key) ? getMethod(object, key.value) : undefined);
    const found = node.computed
      ? (getItem(object, key) ?? attribute())
      : (attribute() ?? getItem(object, key));
    return found ?? this.#missing(node);
  }

  override evaluateSliceExpression(object: Value, slice: Node, scope: Scope): Value {
    if (isText(object)) {
      const points = new classes.List([...iterate(object)]);
      const cut = super.evaluateSliceExpression(points, slice, scope);
      return joinTexts(iterate(cut).filter(isText));
    }
    const isSliceable =
      isList(object) && (!(object instanceof Sequence) || object.kind === 'range');
    if (!isSliceable)
      return fail('TypeError', `a value of type ${typeName(object)} cannot be sliced`);
    return sameKind(object, iterate(super.evaluateSliceExpression(object, slice, scope)));
  }

  override applyFilter(operand: Value, filter: Identifier | Call, scope: Scope): Value {
    const { callee = filter, args = [] } = filter as Partial<Call>;
    const name = (callee as Identifier).value;
    const [positional, named] = this.evaluateArguments(args, scope);
    const test = /^is (not )?(.*)$/.exec(name);
    if (test) {
      const result = findTest(test[2] ?? '')(operand, { positional, named });
      return toValue(test[1] ? !result : result);
    }
    const run =
      this.#dialect.filters.get(name) ??
      filters.get(name) ??
      fail('TypeError', `unknown filter ${name}`);
    return toValue(run(operand, { positional, named }));
  }

  override evaluateFilterStatement(node: FilterBlock, scope: Scope): Value {
    const inner = new Environment(scope);
    if (node.filter.type === 'FilterExpression') {
      const body = this.#capture(node.body, inner);
      return this.#applyFilters(node.filter as Filter, { operand: body, scope });
    }
    const { args = [] } = node.filter as Partial<Call>;
    const [, named] = this.evaluateArguments(args, scope);
    for (const [name, value] of named) inner.setVariable(name, value);
    return this.evaluateBlock(node.body, inner);
  }

  /** Runs a block whose text is not printed, not even when a loop is left inside it. */
  #capture(nodes: readonly Node[], scope: Scope): TextValue {
    try {
      return this.evaluateBlock(nodes, scope);
    } catch (error) {
      if (error instanceof LoopExit) error.printed.length = 0;
      throw error;
    }
  }

  /** Applies a chain of filters to a value that stands for the start of the chain. */
  #applyFilters(chain: Node, { operand, scope }: { operand: Value; scope: Scope }): Value {
    if (chain.type !== 'FilterExpression') return operand;
    const { operand: rest, filter } = chain as Filter;
    return this.applyFilter(this.#applyFilters(rest, { operand, scope }), filter, scope);
  }

  override evaluateSet(node: SetBlock, scope: Scope): Value {
    if (node.value) {
      this.#assign(node.assignee, { value: this.evaluate(node.value, scope), scope });
      return none;
    }
    const body = this.#capture(node.body, new Environment(scope));
    let target = node.assignee;
    while (target.type === 'FilterExpression') target = (target as Filter).operand;
    const value = this.#applyFilters(node.assignee, { operand: body, scope });
    this.#assign(target, { value, scope });
    return none;
  }

  #assign(target: Node, { value, scope }: { value: Value; scope: Scope }): void {
    if (target.type === 'TupleLiteral') {
      const targets = (target as Node & { value: Node[] }).value;
      const items = iterate(value);
      if (items.length !== targets.length) {
        fail('ValueError', `${items.length} values cannot be given to ${targets.length} names`);
      }
      for (const [index, name] of targets.entries()) {
        this.#assign(name, { value: items[index] ?? missing, scope });
      }
    } else if (target.type === 'MemberExpression') {
      const { object, property } = target as Member;
      const holder = this.evaluate(object, scope);
      if (holder.type !== 'NamespaceValue')
        fail('TypeError', `${describe(object)} is not a namespace`);
      else holder.value.set((property as Identifier).value, value);
    } else scope.setVariable((target as Identifier).value, value);
  }

  override evaluateFor(node: For, scope: Scope): TextValue {
    const loop = new Loop(this.#loopItems(node, scope));
    const parts: Part[] = [];
    let isElse = true;
    for (let item = loop.next(); item !== undefined; item = loop.next()) {
      spendWork(stepWork);
      const inner = new Environment(scope);
      this.#assign(node.loopvar, { value: item, scope: inner });
      inner.setVariable('loop', loop.value);
      try {
        parts.push(...partsOf(this.evaluateBlock(node.body, inner)));
      } catch (error) {
        if (!(error instanceof LoopExit)) throw error;
        parts.push(...error.printed);
        if (error.kind === 'Break') break;
        continue;
      }
      isElse = false;
    }
    if (isElse) parts.push(...partsOf(this.evaluateBlock(node.defaultBlock, scope)));
    return textFrom(parts);
  }

  *#loopItems({ iterable, loopvar }: For, scope: Scope): Generator<Value> {
    if (iterable.type !== 'SelectExpression') {
      yield* iterate(this.evaluate(iterable, scope));
      return;
    }
    const { lhs, test } = iterable as Select;
    for (const value of iterate(this.evaluate(lhs, scope))) {
      const inner = new Environment(scope);
      this.#assign(loopvar, { value, scope: inner });
      if (truthy(this.evaluate(test, inner))) yield value;
    }
  }

  override bindMacroArguments(...args: BindArguments): void {
    super.bindMacroArguments(...args);
    const { variables } = args[4];
    const rest = variables.get('varargs');
    if (isList(rest)) variables.set('varargs', tuple(rest.value));
  }

  /** Macros see the scope they are written in; the library gives them that of the caller. */
  override evaluateMacro(node: Macro, scope: Scope): Value {
    super.evaluateMacro(node, scope);
    const { value: run } = scope.lookupVariable(node.name.value) as FunctionValue;
    const macro = new classes.Function((args, callScope) => {
      const inner = new Environment(scope);
      const caller = callScope.variables.get('caller');
      if (caller) inner.setVariable('caller', caller);
      return run(args, inner);
    });
    scope.setVariable(node.name.value, macro);
    return none;
  }
}
