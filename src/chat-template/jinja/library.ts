import * as library from '@huggingface/jinja';

/** The kinds of token that the library's parser reads. */
export type TokenType =
  | 'Text'
  | 'NumericLiteral'
  | 'StringLiteral'
  | 'Identifier'
  | 'Equals'
  | 'OpenParen'
  | 'CloseParen'
  | 'OpenStatement'
  | 'CloseStatement'
  | 'OpenExpression'
  | 'CloseExpression'
  | 'OpenSquareBracket'
  | 'CloseSquareBracket'
  | 'OpenCurlyBracket'
  | 'CloseCurlyBracket'
  | 'Comma'
  | 'Dot'
  | 'Colon'
  | 'Pipe'
  | 'AdditiveBinaryOperator'
  | 'MultiplicativeBinaryOperator'
  | 'ExponentiationBinaryOperator'
  | 'ComparisonBinaryOperator';

export interface Token {
  readonly type: TokenType;
  readonly value: string;
  readonly offset: number;
  /** Offset of the bracket or tag that the token stands in. */
  readonly group: number;
}

export interface Node {
  readonly type: string;
}
export interface Identifier extends Node {
  readonly value: string;
}
export interface Binary extends Node {
  readonly operator: Token;
  readonly left: Node;
  readonly right: Node;
}
export interface Unary extends Node {
  readonly operator: Token;
  readonly argument: Node;
}
export interface Member extends Node {
  readonly object: Node;
  readonly property: Node;
  readonly computed: boolean;
}
export interface Call extends Node {
  readonly callee: Node;
  readonly args: readonly Node[];
}
export interface Filter extends Node {
  readonly operand: Node;
  readonly filter: Identifier | Call;
}
export interface Block extends Node {
  readonly body: readonly Node[];
}
export interface FilterBlock extends Block {
  readonly filter: Identifier | Call | Filter;
}
export interface SetBlock extends Block {
  readonly assignee: Node;
  readonly value: Node | null;
}
export interface For extends Block {
  readonly loopvar: Node;
  readonly iterable: Node;
  readonly defaultBlock: readonly Node[];
}
export interface Select extends Node {
  readonly lhs: Node;
  readonly test: Node;
}
export interface Macro extends Block {
  readonly name: Identifier;
}

export interface Held<Type extends string, Inner> {
  readonly type: Type;
  readonly value: Inner;
  __bool__(): { readonly value: boolean };
}
export type TextValue = Held<'StringValue', string>;
type NumberValue = Held<'IntegerValue' | 'FloatValue', number>;
export type ListValue = Held<'ArrayValue' | 'TupleValue', Value[]>;
/** Keys are strings, except where a template writes a dict with other keys. */
export type DictValue = Held<'ObjectValue' | 'KeywordArgumentsValue', Map<unknown, Value>>;
type NamespaceValue = Held<'NamespaceValue', Map<string, Value>>;
export type FunctionValue = Held<'FunctionValue', (args: Value[], scope: Scope) => Value>;
export type Value =
  | TextValue
  | NumberValue
  | ListValue
  | DictValue
  | NamespaceValue
  | FunctionValue
  | Held<'BooleanValue', boolean>
  | Held<'NullValue', null>
  | Held<'UndefinedValue', undefined>;

export interface Scope {
  readonly variables: Map<string, Value>;
  set(name: string, value: unknown): Value;
  setVariable(name: string, value: Value): Value;
  lookupVariable(name: string): Value;
}

export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

export type BindArguments = [
  displayName: string,
  parameters: readonly Node[],
  specialArguments: ReadonlySet<string>,
  args: readonly Value[],
  scope: Scope,
];

/** The methods of the library's interpreter that are called or replaced here. */
interface InterpreterMethods {
  evaluate(node: Node | null | undefined, scope: Scope): Value;
  evaluateBlock(nodes: readonly Node[], scope: Scope): TextValue;
  evaluateArguments(args: readonly Node[], scope: Scope): [Value[], Map<string, Value>];
  evaluateBinaryExpression(node: Binary, scope: Scope): Value;
  evaluateUnaryExpression(node: Unary, scope: Scope): Value;
  evaluateMemberExpression(node: Member, scope: Scope): Value;
  evaluateSliceExpression(object: Value, slice: Node, scope: Scope): Value;
  evaluateFilterStatement(node: FilterBlock, scope: Scope): Value;
  evaluateSet(node: SetBlock, scope: Scope): Value;
  evaluateFor(node: For, scope: Scope): TextValue;
  evaluateMacro(node: Macro, scope: Scope): Value;
  bindMacroArguments(...args: BindArguments): void;
  applyFilter(operand: Value, filter: Identifier | Call, scope: Scope): Value;
}

/** The package's type declarations do not resolve under NodeNext, so these stand in for them. */
const typed = library as unknown as {
  Environment: new (parent?: Scope) => Scope;
  Interpreter: new (scope?: Scope) => InterpreterMethods;
  parse(tokens: readonly Token[]): Block;
  tokenize(source: string): Token[];
};

export const { Environment, Interpreter, parse } = typed;

function constructorOf<Found extends Value>(value: Value): new (inner: Found['value']) => Found {
  return value.constructor as new (
    inner: Found['value'],
  ) => Found;
}

function constructorIn<Found extends Value>(source: string) {
  const [node] = parse(typed.tokenize(`{{ ${source} }}`)).body;
  return constructorOf<Found>(new Interpreter().evaluate(node, new Environment()));
}

/** The library's classes of values, which it does not export. */
export const classes = {
  Text: constructorIn<TextValue>("''"),
  Integer: constructorIn<NumberValue>('1'),
  Float: constructorIn<NumberValue>('1.5'),
  List: constructorIn<ListValue>('[]'),
  Tuple: constructorIn<ListValue>('(1, 2)'),
  Dict: constructorIn<DictValue>('{}'),
  Boolean: constructorOf<Held<'BooleanValue', boolean>>(new Environment().set('x', true)),
  None: constructorOf<Held<'NullValue', null>>(new Environment().set('x', null)),
  Undefined: constructorOf<Held<'UndefinedValue', undefined>>(
    new Environment().set('x', undefined),
  ),
  Function: constructorOf<FunctionValue>(new Environment().lookupVariable('namespace')),
};

/** The left side of an operation, if it is one of these operations and not in parentheses. */
export function partInGroup(
  node: Binary,
  isOne: (operator: string) => boolean,
): Binary | undefined {
  if (node.left.type !== 'BinaryExpression') return undefined;
  const left = node.left as Binary;
  const isSame = left.operator.group === node.operator.group;
  return isSame && isOne(left.operator.value) ? left : undefined;
}

/** The source of a simple expression, for messages. */
export function describe(node: Node): string {
  if (node.type === 'Identifier') return (node as Identifier).value;
  if (node.type !== 'MemberExpression') return 'the value';
  const { object, property, computed } = node as Member;
  const key = (property as Partial<Identifier>).value;
  if (!computed) return `${describe(object)}.${key}`;
  return `${describe(object)}[${key === undefined ? '…' : JSON.stringify(key)}]`;
}
