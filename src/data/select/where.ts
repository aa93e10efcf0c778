import { patternMatcher } from '../../base/match-pattern.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { buildInteger } from '../build-mapping.ts';
import { badWhere, readTokens, type Token } from './where-tokens.ts';
import { comparisons, holdsValue } from './where-values.ts';

/** A condition on rows, and the columns that it reads. */
export interface Where {
  readonly columns: ReadonlySet<string>;
  readonly matches: (row: Row) => boolean;
}

/**
 * Reads a condition such as `level >= 3 and not (subject in ['law', 'art'] or text ~ '^A')`.
 *
 * There are `and`, `or`, `not`, parentheses, `== != < <= > >=`, `in`, `not in`, `contains`, `~`
 * (regular expression), strings, numbers, `true`, `false`, `null`, lists, and columns by name, in
 * backticks where the name is no word. A column that a row does not have is null there.
 */
export function compileWhere(expression: string): Where {
  const parser = new WhereParser(expression);
  const matches = parser.parse();
  return { columns: parser.columns, matches };
}

type Evaluate = (row: Row) => unknown;

const constants = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const operators = ['and', 'or', 'not', 'in', 'contains'];

class WhereParser {
  readonly columns = new Set<string>();
  readonly #expression: string;
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(expression: string) {
    this.#expression = expression;
    this.#tokens = readTokens(expression);
  }

  parse(): (row: Row) => boolean {
    const condition = this.#readOr();
    if (this.#next.type !== 'end')
      throw this.#refuse('expected `and`, `or` or the end of the condition');
    return (row) => condition(row) === true;
  }

  get #next(): Token {
    return this.#tokens[this.#index] as Token;
  }

  #readOr(): Evaluate {
    let left = this.#readAnd();
    while (this.#accept('or')) {
      const [first, second] = [left, this.#readAnd()];
      left = (row) => first(row) === true || second(row) === true;
    }
    return left;
  }

  #readAnd(): Evaluate {
    let left = this.#readNot();
    while (this.#accept('and')) {
      const [first, second] = [left, this.#readNot()];
      left = (row) => first(row) === true && second(row) === true;
    }
    return left;
  }

  #readNot(): Evaluate {
    if (!this.#accept('not')) return this.#readComparison();
    const condition = this.#readNot();
    return (row) => condition(row) !== true;
  }

  #readComparison(): Evaluate {
    const left = this.#readOperand();
    const { type, text } = this.#next;
    const compare = type === 'mark' ? comparisons.get(text) : undefined;
    if (compare) {
      this.#index += 1;
      const right = this.#readOperand();
      return (row) => compare(left(row), right(row));
    }
    if (this.#accept('contains')) {
      const right = this.#readOperand();
      return (row) => holdsValue(left(row), right(row));
    }
    if (this.#accept('~')) return this.#readPattern(left);
    const isNegated = this.#accept('not');
    if (this.#accept('in')) {
      const right = this.#readOperand();
      return (row) => holdsValue(right(row), left(row)) !== isNegated;
    }
    if (isNegated) throw this.#refuse('expected `in` after `not`');
    return left;
  }

  #readPattern(left: Evaluate): Evaluate {
    const { type, text } = this.#next;
    if (type !== 'string') throw this.#refuse('expected a regular expression in quotes');
    try {
      const matchOf = patternMatcher(new RegExp(text, 'u'));
      this.#index += 1;
      return (row) => {
        const value = left(row);
        return value !== null && matchOf(formatValue(value)) !== null;
      };
    } catch (error) {
      throw this.#refuse(error instanceof Error ? error.message : String(error));
    }
  }

  #readOperand(): Evaluate {
    if (this.#accept('(')) {
      const inner = this.#readOr();
      this.#expect(')');
      return inner;
    }
    if (this.#accept('[')) return this.#readList();
    const { type, text } = this.#next;
    const isName = type === 'name' && !operators.includes(text);
    if (!isName && !['column', 'string', 'number'].includes(type)) {
      throw this.#refuse(`expected a column or a value, found \`${text}\``);
    }
    this.#index += 1;
    if (type === 'string') return () => text;
    if (type === 'number') {
      const number = /^-?\d+$/.test(text) ? buildInteger(BigInt(text)) : Number(text);
      return () => number;
    }
    if (type === 'name' && constants.has(text)) return () => constants.get(text);
    this.columns.add(text);
    return (row) => (Object.hasOwn(row, text) ? row[text] : null);
  }

  #readList(): Evaluate {
    const items: Evaluate[] = [];
    while (!this.#accept(']')) {
      if (items.length > 0) this.#expect(',');
      items.push(this.#readOperand());
    }
    return (row) => items.map((item) => item(row));
  }

  #accept(text: string): boolean {
    const { type, text: found } = this.#next;
    if (found !== text || (type !== 'mark' && type !== 'name')) return false;
    this.#index += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw this.#refuse(`expected \`${text}\``);
  }

  #refuse(problem: string): Error {
    return badWhere(problem, { expression: this.#expression, column: this.#next.column });
  }
}
