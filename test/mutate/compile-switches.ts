import { dirname, relative } from 'node:path/posix';
import ts from 'typescript';
import type { NumberedMutation } from './mutations.ts';
import { parseSource } from './source-file.ts';

const functions: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '$equal',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '$unequal',
  [ts.SyntaxKind.LessThanToken]: '$less',
  [ts.SyntaxKind.LessThanEqualsToken]: '$lessOrEqual',
  [ts.SyntaxKind.GreaterThanToken]: '$more',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '$moreOrEqual',
  [ts.SyntaxKind.PlusToken]: '$plus',
  [ts.SyntaxKind.MinusToken]: '$minus',
  [ts.SyntaxKind.AsteriskToken]: '$times',
  [ts.SyntaxKind.SlashToken]: '$divided',
};

/** When the right side of `&&`, `||` or `??` is taken, and when with the change. */
const takesRight: Partial<Record<ts.SyntaxKind, readonly [string, string]>> = {
  [ts.SyntaxKind.AmpersandAmpersandToken]: ['$left', '!$left'],
  [ts.SyntaxKind.BarBarToken]: ['!$left', '$left'],
  [ts.SyntaxKind.QuestionQuestionToken]: ['$left == null', '$left'],
};

const names = ['is', 'not', 'sign'].map((name) => `$${name}`).concat(Object.values(functions));

/** The code of a file with changes in it, each behind its number. */
export function withSwitches(
  file: string,
  text: string,
  changes: readonly NumberedMutation[],
): string {
  if (changes.length === 0) return text;
  const source = parseSource(file, text);
  const numbers = new Map(
    changes.map(({ start, end, before, number }) => [`${start} ${end} ${before}`, number]),
  );
  const numberOf = (node: ts.Node) =>
    numbers.get(`${node.getStart(source)} ${node.getEnd()} ${node.getText(source)}`);
  const written = new Map(changes.map(({ start, after }) => [start, after]));

  const write = (node: ts.Node): string => {
    if (ts.isBinaryExpression(node)) {
      const { left, operatorToken, right } = node;
      const number = numberOf(operatorToken);
      if (number !== undefined) {
        return writeOperator(number, operatorToken, write(left), write(right));
      }
    }
    const inner = writeChildren(node);
    const number =
      ts.isToken(node) || ts.isPrefixUnaryExpression(node) ? numberOf(node) : undefined;
    if (number === undefined) return inner;
    if (ts.isPrefixUnaryExpression(node)) return `$not(${number}, ${write(node.operand)})`;
    if (functions[node.kind] || takesRight[node.kind]) return inner;
    return `($is(${number}) ? ${written.get(node.getStart(source))} : ${inner})`;
  };
  const writeChildren = (node: ts.Node): string => {
    let at = node.getStart(source);
    let code = '';
    ts.forEachChild(node, (child) => {
      code += text.slice(at, child.getStart(source)) + write(child);
      at = child.getEnd();
    });
    return code + text.slice(at, node.getEnd());
  };
  const path = relative(dirname(file), 'test/mutate/switch.ts');
  return `import { ${names.join(', ')} } from '${path}';\nlet $left: any;\n${writeChildren(source)}`;
}

function writeOperator(number: number, token: ts.Node, left: string, right: string): string {
  const called = functions[token.kind];
  if (called) return `${called}(${number}, ${left}, ${right})`;
  const [usual, changed] = takesRight[token.kind] ?? [];
  if (usual) {
    const taken = `$is(${number}) ? ${changed} : ${usual}`;
    return `(($left = ${left}, ${taken}) ? ${right} : $left)`;
  }
  return `${left} ${token.getText()} $sign(${number}, ${right})`;
}
