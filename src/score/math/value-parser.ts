import { type Expression, operation } from './expression.ts';
import { add, parseDecimal, type Rational, rational } from './rational.ts';
import { type TokenReader, Unreadable } from './token-reader.ts';
import { functionNames, unsupportedCommands } from './vocabulary.ts';

const matrices = /^(?:[pbB]?matrix|smallmatrix|array)\*?$/;
const closing = new Map([
  ['(', [')', ']']],
  ['[', [']', ')']],
  ['\\{', ['\\}']],
  ['{', ['}']],
  ['langle', ['rangle']],
]);
const emptySet: Expression = { type: 'list', brackets: '{}', items: [] };

/** Reads single values: numbers, symbols, and whatever has an end of its own. */
export abstract class ValueParser {
  protected readonly tokens: TokenReader;
  /** How many bars are open: a bar after a value then closes one. */
  protected bars = 0;

  constructor(tokens: TokenReader) {
    this.tokens = tokens;
  }

  /** One expression, or a bare list of several. */
  protected abstract list(): Expression;
  protected abstract relation(): Expression;
  protected abstract sum(): Expression;
  /** A value and what follows it closely. */
  protected abstract power(): Expression;
  protected abstract startsValue(): boolean;

  protected value(): Expression {
    return this.tokens.inside(() => this.#value());
  }

  #value(): Expression {
    const token = this.tokens.next;
    if (!token) throw new Unreadable();
    this.tokens.skip();
    switch (token.type) {
      case 'number':
        return this.#number(token.text);
      case 'symbol':
        return this.#symbol(token.text);
      case 'words':
        return { type: 'words', text: token.text };
      case 'begin':
        return this.#matrix(token.text);
      case 'command':
        return this.#command(token.text);
      default:
        return token.text === '|' ? this.#absolute() : this.#group(token.text);
    }
  }

  #number(text: string): Expression {
    const value = this.tokens.attempt(() => this.#repeating(text)) ?? parseDecimal(text);
    if (!value) throw new Unreadable();
    const base = this.#subscript();
    if (base !== '') return { type: 'symbol', name: `${text}${base}` };
    const part = value.bottom === 1n && this.tokens.attempt(() => this.#mixedPart());
    return { type: 'number', value: (part && add(value, part)) || value };
  }

  /** `0.1\overline{6}`: the digits under the bar go on for ever. */
  #repeating(text: string): Rational | undefined {
    const [overline, open, digits, close] = this.tokens.peek(4);
    const isRepeated = overline?.text === 'overline' && open?.text === '{' && close?.text === '}';
    if (!isRepeated || digits?.type !== 'number' || !/^\d{1,20}$/.test(digits.text)) {
      return undefined;
    }
    this.tokens.skip(4);
    const decimals = BigInt(text.split('.')[1]?.length ?? 0);
    const nines = (10n ** BigInt(digits.text.length) - 1n) * 10n ** decimals;
    const start = parseDecimal(text);
    const tail = rational(BigInt(digits.text), nines);
    return start && tail && add(start, tail);
  }

  /** The fraction of a mixed number such as `1 1/2` or `1\frac{1}{2}`. */
  #mixedPart(): Rational | undefined {
    if (this.tokens.take('frac') !== undefined) return properFraction(this.#fraction());
    const [above, slash, below] = this.tokens.peek(3);
    if (above?.type !== 'number' || slash?.text !== '/' || below?.type !== 'number') {
      return undefined;
    }
    this.tokens.skip(3);
    return properFraction(operation('divide', number(above.text), number(below.text)));
  }

  #symbol(letter: string): Expression {
    let name = letter + this.#subscript();
    while (this.tokens.take("'") !== undefined) name += "'";
    return { type: 'symbol', name: name + this.#subscript() };
  }

  /** What stands below the line, as it is written. */
  #subscript(): string {
    if (this.tokens.take('_') === undefined) return '';
    if (this.tokens.take('{') !== undefined) {
      const inner = this.tokens.takeUntil('}');
      return `_${inner.map(({ text }) => text).join('')}`;
    }
    if (!this.tokens.next) throw new Unreadable();
    this.tokens.skip();
    return `_${this.tokens.before?.text}`;
  }

  #group(open: string): Expression {
    const closers = closing.get(open);
    if (!closers) throw new Unreadable();
    if (open === '\\{' && this.tokens.take('\\}') !== undefined) return emptySet;
    const { bars } = this;
    this.bars = 0;
    const inner = this.list();
    this.bars = bars;
    const close = this.tokens.expect(...closers);
    const items = inner.type === 'list' && inner.brackets === '' ? inner.items : [inner];
    if (open === '\\{' || (open === '{' && items.length > 1)) {
      return { type: 'list', brackets: '{}', items };
    }
    if (items.length === 1) return inner;
    return { type: 'list', brackets: open === 'langle' ? '<>' : open + close, items };
  }

  #absolute(): Expression {
    this.bars += 1;
    const inner = this.sum();
    this.bars -= 1;
    this.tokens.expect('|');
    return operation('abs', inner);
  }

  #matrix(environment: string): Expression {
    if (!matrices.test(environment)) throw new Unreadable();
    if (environment.startsWith('array')) {
      this.tokens.expect('{');
      this.tokens.takeUntil('}');
    }
    const rows: Expression[][] = [];
    const isOver = () => this.tokens.next?.type === 'end';
    while (!isOver()) {
      const row = [this.relation()];
      while (this.tokens.take('&') !== undefined) row.push(this.relation());
      rows.push(row);
      if (!isOver()) this.tokens.expect('\\\\');
    }
    this.tokens.skip();
    return { type: 'matrix', rows };
  }

  #command(name: string): Expression {
    if (functionNames.has(name)) return this.#function(name);
    if (unsupportedCommands.has(name)) throw new Unreadable();
    switch (name) {
      case 'frac':
        return this.#fraction();
      case 'binom':
        return operation('binomial', this.#argument(), this.#argument());
      case 'sqrt':
        return this.#root();
      case 'lfloor':
      case 'lceil': {
        const inner = this.sum();
        this.tokens.expect(name.replace('l', 'r'));
        return operation(name.slice(1), inner);
      }
      case 'langle':
        return this.#group(name);
      case 'emptyset':
        return emptySet;
      default:
        return this.#symbol(`\\${name}`);
    }
  }

  #fraction(): Expression {
    return operation('divide', this.#argument(), this.#argument());
  }

  /** What a command takes: what stands in braces, else one digit or sign. */
  #argument(): Expression {
    if (this.tokens.next?.type === 'number') return number(this.tokens.takeDigit());
    return this.value();
  }

  #root(): Expression {
    if (this.tokens.take('[') === undefined) return operation('sqrt', this.#wholeArgument());
    const degree = this.sum();
    this.tokens.expect(']');
    return operation('root', this.#wholeArgument(), degree);
  }

  /** Unlike that of `\frac12`, the number of `\sqrt12` is meant as a whole. */
  #wholeArgument(): Expression {
    if (this.tokens.next?.type !== 'number') return this.value();
    this.tokens.skip();
    return number(this.tokens.before?.text ?? '');
  }

  #function(name: string): Expression {
    const hasBase = name === 'log' && this.tokens.take('_') !== undefined;
    const base = hasBase ? [this.#wholeArgument()] : [];
    const exponent = this.tokens.take('^') === undefined ? undefined : this.exponent();
    const argument = this.#functionArgument();
    const items = argument.type === 'list' ? argument.items : [argument];
    if (exponent && isMinusOne(exponent)) return operation(`arc${name}`, ...items);
    const applied = operation(name, ...items, ...base);
    return exponent ? operation('power', applied, exponent) : applied;
  }

  /** `(x)`, or a product without signs up to the next function: `\sin 2x \cos x`. */
  #functionArgument(): Expression {
    if (this.tokens.is('(', '{', '[', '|')) return this.value();
    const sign = this.tokens.take('-');
    let argument = this.power();
    while (this.startsValue() && !this.tokens.is(...functionNames, '(', '[', '\\{')) {
      argument = operation('multiply', argument, this.power());
    }
    return withSign(sign, argument);
  }

  protected exponent(): Expression {
    const sign = this.tokens.take('-', '+');
    return withSign(sign, this.value());
  }
}

export function withSign(sign: string | undefined, value: Expression): Expression {
  if (sign === undefined || sign === '+') return value;
  return operation(sign === '-' ? 'negate' : sign, value);
}

function number(text: string): Expression {
  const value = parseDecimal(text);
  if (!value) throw new Unreadable();
  return { type: 'number', value };
}

function properFraction(expression: Expression): Rational | undefined {
  const [above, below] = expression.type === 'operation' ? expression.parts : [];
  if (above?.type !== 'number' || below?.type !== 'number') return undefined;
  const isWhole = above.value.bottom === 1n && below.value.bottom === 1n;
  return isWhole && above.value.top < below.value.top
    ? rational(above.value.top, below.value.top)
    : undefined;
}

function isMinusOne(exponent: Expression): boolean {
  if (exponent.type !== 'operation' || exponent.name !== 'negate') return false;
  const [part] = exponent.parts;
  return part?.type === 'number' && part.value.top === 1n && part.value.bottom === 1n;
}
