import type { ExprNode } from 'py-ast';
import { plainText } from '../../python/traced-text.ts';
import {
  isText,
  isTruthy,
  MutableDict,
  PyDict,
  PyTuple,
  type PyValue,
  typeName,
} from '../../python/values.ts';
import { type BinaryOperator, binary, toFloat, toInteger, unary } from './arithmetic.ts';
import { getAttribute } from './attributes.ts';
import { frameFunctions } from './builtins.ts';
import { characterNamed } from './character-names.ts';
import { type Context, compileExpression, type Evaluate, notAvailable } from './compile-context.ts';
import { compileLambda } from './compile-function.ts';
import { compileComprehension } from './comprehension.ts';
import { convert, format } from './formatting.ts';
import { type Frame, loadName, localsOf, type Scope, storeName } from './frame.ts';
import {
  machine,
  type Place,
  Raised,
  raise,
  spendCharacters,
  spendItems,
  spendSteps,
} from './machine.ts';
import {
  type Arguments,
  ellipsis,
  PyBytes,
  PyCallable,
  PyReference,
  PySet,
  PySlice,
} from './objects.ts';
import { compare, contains, equals, getItem, isSame, toList } from './operations.ts';
import { noArguments } from './signature.ts';
import { type Node, parsePython, placeOf, readNamedCharacters, sourceOf } from './syntax.ts';

export function expressionOf(node: ExprNode, context: Context): Evaluate {
  switch (node.nodeType) {
    case 'Constant':
      return compileConstant(node, context);
    case 'Name':
      return compileName(node, context);
    case 'Call':
      return compileCall(node, context);
    case 'List': {
      const items = compileItems(node.elts, context);
      return (frame) => items(frame);
    }
    case 'Tuple': {
      const items = compileItems(node.elts, context);
      return (frame) => new PyTuple(items(frame));
    }
    case 'Set': {
      const items = compileItems(node.elts, context);
      return (frame) => new PySet(items(frame));
    }
    case 'Dict':
      return compileDict(node, context);
    case 'JoinedStr':
      return compileJoined(node, context);
    case 'Attribute': {
      const value = compileExpression(node.value, context);
      const place = placeOf(context.unit, node);
      return (frame) => {
        const found = value(frame);
        machine.at = place;
        return getAttribute(found, node.attr);
      };
    }
    case 'Subscript':
      return compileSubscript(node, context);
    case 'BinOp':
      return compileBinary(node, context);
    case 'UnaryOp':
      return compileUnary(node, context);
    case 'BoolOp':
      return compileBoolean(node, context);
    case 'Compare':
      return compileCompare(node, context);
    case 'IfExp': {
      const [test, body, other] = [node.test, node.body, node.orelse].map((part) =>
        compileExpression(part, context),
      ) as [Evaluate, Evaluate, Evaluate];
      return (frame) => (isTruthy(test(frame)) ? body(frame) : other(frame));
    }
    case 'Lambda':
      return compileLambda(node, context);
    case 'ListComp':
    case 'SetComp':
    case 'DictComp':
    case 'GeneratorExp':
      return compileComprehension(node, context);
    case 'NamedExpr': {
      const value = compileExpression(node.value, context);
      const store = storeName(bindingScope(context.scope), (node.target as Node<'Name'>).id);
      const levels = comprehensionsAround(context.scope);
      return (frame) => {
        const result = value(frame);
        let at = frame;
        for (let left = levels; left > 0 && at.outer; left--) at = at.outer;
        store(at, result);
        return result;
      };
    }
    case 'Slice': {
      const parts = [node.lower, node.upper, node.step].map(
        (part) => part && compileExpression(part, context),
      );
      return (frame) =>
        new PySlice(parts.map((part) => part?.(frame) ?? null) as [PyValue, PyValue, PyValue]);
    }
    default:
      throw notAvailable(context, node, `\`${node.nodeType}\``);
  }
}

/** A walrus inside of a comprehension binds outside of it. */
function bindingScope(scope: Scope): Scope {
  return scope.kind === 'comprehension' && scope.parent ? bindingScope(scope.parent) : scope;
}

function comprehensionsAround(scope: Scope): number {
  return scope.kind === 'comprehension' && scope.parent
    ? 1 + comprehensionsAround(scope.parent)
    : 0;
}

function compileConstant(node: Node<'Constant'>, context: Context): Evaluate {
  const value = constantOf(node, context);
  return () => value;
}

function constantOf(node: Node<'Constant'>, context: Context): PyValue {
  const { value, quote_style: quote } = node as { value: unknown; quote_style?: string };
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return toInteger(value);
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return value;
    const source = sourceOf(context.unit, node);
    const isHex = /^0[xX]/.test(source);
    if (!isHex && /[.eE]/.test(source)) return toFloat(value);
    if (/^0[0_]*[1-9]/.test(source)) {
      throw new Raised(
        'SyntaxError',
        'leading zeros in decimal integer literals are not permitted',
        { at: placeOf(context.unit, node) },
      );
    }
    return Number.isSafeInteger(value) ? value : toInteger(BigInt(source.replaceAll('_', '')));
  }
  if (typeof value !== 'string') throw notAvailable(context, node, 'a complex number');
  if (quote === undefined) return value === '...' ? ellipsis : value;
  if (/b/i.test(quote.replace(/['"].*/, ''))) return new PyBytes(value);
  if (!value.includes('\\N{')) return value;
  return readNamedCharacters(sourceOf(context.unit, node), characterNamed);
}

function compileName(node: Node<'Name'>, context: Context): Evaluate {
  const load = loadName(context.scope, node.id);
  const place = placeOf(context.unit, node);
  return (frame) => {
    const before = machine.at;
    machine.at = place;
    const value = load(frame);
    machine.at = before;
    return value;
  };
}

function compileItems(nodes: readonly ExprNode[], context: Context): (frame: Frame) => PyValue[] {
  const parts = nodes.map((node) => ({
    isStarred: node.nodeType === 'Starred',
    value: compileExpression(node.nodeType === 'Starred' ? node.value : node, context),
  }));
  const hasStar = parts.some(({ isStarred }) => isStarred);
  const values = parts.map(({ value }) => value);
  if (!hasStar) {
    return (frame) => {
      spendItems(values.length);
      const items = new Array<PyValue>(values.length);
      for (let index = 0; index < values.length; index++)
        items[index] = (values[index] as Evaluate)(frame);
      return items;
    };
  }
  return (frame) => {
    const items: PyValue[] = [];
    for (const { isStarred, value } of parts) {
      if (!isStarred) items.push(value(frame));
      else for (const item of toList(value(frame))) items.push(item);
    }
    spendItems(items.length);
    return items;
  };
}

function compileDict(node: Node<'Dict'>, context: Context): Evaluate {
  const place = placeOf(context.unit, node);
  const parts = node.keys.map((key, index) => ({
    key: key && compileExpression(key, context),
    value: compileExpression(node.values[index] as ExprNode, context),
  }));
  return (frame) => {
    spendItems(parts.length);
    const dict = new MutableDict([]);
    for (const { key, value } of parts) {
      if (key) {
        const name = key(frame);
        const item = value(frame);
        machine.at = place;
        dict.set(name, item);
        continue;
      }
      const other = value(frame);
      if (!(other instanceof PyDict))
        raise('TypeError', `'${typeName(other)}' object is not a mapping`);
      else for (const [name, item] of other.entries()) dict.set(name, item);
    }
    return dict;
  };
}

function compileJoined(node: Node<'JoinedStr'>, context: Context): Evaluate {
  const place = placeOf(context.unit, node);
  const parts = node.values.map((part): Evaluate => {
    if (part.nodeType === 'Constant') {
      const text = String(part.value);
      return () => text;
    }
    if (part.nodeType !== 'FormattedValue')
      throw notAvailable(context, part, `\`${part.nodeType}\``);
    const value = compileExpression(part.value, context);
    const spec = part.format_spec && compileExpression(part.format_spec, context);
    const conversion = part.conversion > 0 ? String.fromCharCode(part.conversion) : '';
    return (frame) => {
      const found = value(frame);
      const style = spec ? plainText(spec(frame) as string) : '';
      machine.at = place;
      return format(conversion === '' ? found : convert(found, conversion), style);
    };
  });
  return (frame) => {
    let text = '';
    for (const part of parts) text += part(frame) as string;
    spendCharacters(text.length);
    return text;
  };
}

function compileSubscript(node: Node<'Subscript'>, context: Context): Evaluate {
  const [value, key] = [
    compileExpression(node.value, context),
    compileExpression(node.slice, context),
  ];
  const place = placeOf(context.unit, node);
  return (frame) => {
    const [container, index] = [value(frame), key(frame)];
    machine.at = place;
    return getItem(container, index);
  };
}

function compileBinary(node: Node<'BinOp'>, context: Context): Evaluate {
  const [left, right] = [
    compileExpression(node.left, context),
    compileExpression(node.right, context),
  ];
  const place = placeOf(context.unit, node);
  const operator = node.op.nodeType as BinaryOperator;
  return (frame) => {
    const [first, second] = [left(frame), right(frame)];
    machine.at = place;
    return binary(operator, first, second);
  };
}

function compileUnary(node: Node<'UnaryOp'>, context: Context): Evaluate {
  const operand = compileExpression(node.operand, context);
  const operator = node.op.nodeType;
  if (operator === 'Not') return (frame) => !isTruthy(operand(frame));
  const place = placeOf(context.unit, node);
  return (frame) => {
    const value = operand(frame);
    machine.at = place;
    return unary(operator as 'USub' | 'UAdd' | 'Invert', value);
  };
}

function compileBoolean(node: Node<'BoolOp'>, context: Context): Evaluate {
  const values = node.values.map((part) => compileExpression(part, context));
  const stopsAt = node.op.nodeType === 'Or';
  return (frame) => {
    let result: PyValue = null;
    for (const value of values) {
      result = value(frame);
      if (isTruthy(result) === stopsAt) return result;
    }
    return result;
  };
}

type Test = (left: PyValue, right: PyValue) => boolean;

const ordered =
  (holds: (order: number) => boolean, sign: string): Test =>
  (left, right) => {
    if (left instanceof PySet && right instanceof PySet) return compareSets(left, right, sign);
    return holds(compare(left, right));
  };

function compareSets(left: PySet, right: PySet, sign: string): boolean {
  const [small, large] = sign.startsWith('<') ? [left, right] : [right, left];
  const isWithin = small.items().every((item) => large.members.has(item));
  return isWithin && (sign.endsWith('=') || small.members.size < large.members.size);
}

const tests: Readonly<Record<string, Test>> = {
  Eq: equals,
  NotEq: (left, right) => !equals(left, right),
  Lt: ordered((order) => order < 0, '<'),
  LtE: ordered((order) => order <= 0, '<='),
  Gt: ordered((order) => order > 0, '>'),
  GtE: ordered((order) => order >= 0, '>='),
  Is: isSame,
  IsNot: (left, right) => !isSame(left, right),
  In: (left, right) => contains(right, left),
  NotIn: (left, right) => !contains(right, left),
};

function compileCompare(node: Node<'Compare'>, context: Context): Evaluate {
  const first = compileExpression(node.left, context);
  const place = placeOf(context.unit, node);
  const steps = node.comparators.map((part, index) => ({
    value: compileExpression(part, context),
    test: tests[node.ops[index]?.nodeType ?? ''] as Test,
  }));
  return (frame) => {
    let left = first(frame);
    for (const { value, test } of steps) {
      const right = value(frame);
      machine.at = place;
      spendSteps(1);
      if (!test(left, right)) return false;
      left = right;
    }
    return true;
  };
}

function compileCall(node: Node<'Call'>, context: Context): Evaluate {
  const callee = compileExpression(node.func, context);
  const positional = compileItems(node.args, context);
  const hasArguments = node.args.length > 0;
  const named = compileNamed(node, context);
  const place = placeOf(context.unit, node);
  return (frame) => {
    const called = callee(frame);
    const args: Arguments =
      hasArguments || named
        ? {
            positional: hasArguments ? positional(frame) : [],
            named: named ? named(frame) : noArguments.named,
          }
        : noArguments;
    machine.at = place;
    spendSteps(1);
    if (!(called instanceof PyCallable)) return notCallable(called);
    if (called === frameFunctions.locals) return localsOf(context.scope, frame);
    if (called === frameFunctions.globals) return frame.globals;
    if (called === frameFunctions.eval) return evaluateText(args, frame, context);
    return called.call(args);
  };
}

function notCallable(value: PyValue): never {
  if (value instanceof PyReference) {
    return raise(
      'RuntimeError',
      `\`${value.dotted}\` belongs to another package: a config can name it but not call it`,
    );
  }
  return raise('TypeError', `'${typeName(value)}' object is not callable`);
}

function compileNamed(
  node: Node<'Call'>,
  context: Context,
): ((frame: Frame) => Map<string, PyValue>) | undefined {
  if (node.keywords.length === 0) return undefined;
  const place = placeOf(context.unit, node);
  const parts = node.keywords.map(({ arg, value }) => ({
    arg,
    value: compileExpression(value, context),
  }));
  return (frame) => {
    const named = new Map<string, PyValue>();
    const put = (name: string, value: PyValue) => {
      if (named.has(name)) {
        machine.at = place;
        raise('TypeError', `got multiple values for keyword argument '${name}'`);
      }
      named.set(name, value);
    };
    for (const { arg, value } of parts) {
      const item = value(frame);
      if (arg !== undefined && arg !== null) put(arg, item);
      else if (item instanceof PyDict) {
        spendItems(item.size);
        for (const [key, inner] of item.entries()) {
          if (!isText(key)) raise('TypeError', 'keywords must be strings');
          put(plainText(key as string), inner);
        }
      } else raise('TypeError', `argument after ** must be a mapping, not ${typeName(item)}`);
    }
    return named;
  };
}

/** `eval(text)`: an expression, by the same rules as all others. */
function evaluateText({ positional }: Arguments, frame: Frame, context: Context): PyValue {
  const [text] = positional;
  if (text === undefined || !isText(text)) return raise('TypeError', 'eval() needs a string');
  const unit = { file: '<string>', text: plainText(text).trim() };
  spendCharacters(unit.text.length * 16);
  const at: Place | undefined = machine.at;
  const { body } = parsePython(unit);
  const [statement] = body;
  if (body.length !== 1 || statement?.nodeType !== 'Expr') {
    return raise('SyntaxError', 'eval() takes one expression');
  }
  const value = compileExpression(statement.value, { ...context, unit })(frame);
  machine.at = at;
  return value;
}
