import ts from 'typescript';
import { parseSource, visit } from './source-file.ts';

/** One change of one operator or constant. */
export interface Mutation {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  /** The line that it changes, without white space around it. */
  readonly code: string;
  /** Whether it is done when the module is loaded, and not in a function that is called later. */
  readonly isAtLoad: boolean;
}

/** A change with the number that switches it on. */
export interface NumberedMutation extends Mutation {
  readonly number: number;
}

const swapped: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
  [ts.SyntaxKind.PlusEqualsToken]: '-=',
  [ts.SyntaxKind.MinusEqualsToken]: '+=',
  [ts.SyntaxKind.QuestionQuestionToken]: '&&',
};

/** All changes that are made to a file, in their order. */
export function mutationsOf(file: string, text: string): Mutation[] {
  const source = parseSource(file, text);
  const found: Mutation[] = [];
  const lines = text.split('\n');
  const add = (node: ts.Node, after: string) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const { line } = source.getLineAndCharacterOfPosition(start);
    const code = lines[line]?.trim() ?? '';
    const before = text.slice(start, end);
    const isAtLoad = ts.findAncestor(node, ts.isFunctionLike) === undefined;
    found.push({ file, line: line + 1, start, end, before, after, code, isAtLoad });
  };
  visit(source, (node) => {
    if (isUnseen(node)) return false;
    const after = changeOf(node);
    if (after !== undefined) add(node, after);
    if (ts.isBinaryExpression(node) && !isText(node)) {
      const operator = swapped[node.operatorToken.kind];
      if (operator) add(node.operatorToken, operator);
    }
    return undefined;
  });
  return found.sort((one, other) => one.start - other.start);
}

/** Types are gone when the code runs; words of messages are read by people. */
function isUnseen(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isThrowStatement(node) ||
    (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) ||
    (ts.isPropertyAssignment(node) && /^(hint|message|reason)$/.test(node.name.getText()))
  );
}

function changeOf(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true';
  if (node.parent && isKey(node)) return undefined;
  if (ts.isNumericLiteral(node)) return `(${node.getText()} + 1)`;
  if (ts.isStringLiteral(node) && decides(node)) return "'another'";
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return `(${node.operand.getText()})`;
  }
  return undefined;
}

/** Whether it is the name of a property, such as the 0 of `{ 0: first } = match`. */
function isKey(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return ts.isPropertyAssignment(parent) && parent.name === node;
}

/** Whether a text is compared, listed, chosen or given back, and so no mere wording. */
function decides({ parent }: ts.StringLiteral): boolean {
  return (
    ts.isCaseClause(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isReturnStatement(parent) ||
    (ts.isBinaryExpression(parent) &&
      [
        ts.SyntaxKind.EqualsEqualsEqualsToken,
        ts.SyntaxKind.ExclamationEqualsEqualsToken,
        ts.SyntaxKind.QuestionQuestionToken,
      ].includes(parent.operatorToken.kind))
  );
}

/** Whether `+` puts texts together, as far as the code itself says so. */
function isText({ operatorToken, left, right }: ts.BinaryExpression): boolean {
  if (operatorToken.kind !== ts.SyntaxKind.PlusToken) return false;
  return [left, right].some((side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side));
}
