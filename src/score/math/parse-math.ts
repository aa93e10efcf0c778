import { type Expression, operation } from './expression.ts';
import { TokenReader, Unreadable } from './token-reader.ts';
import { tokenize } from './tokens.ts';
import { ValueParser, withSign } from './value-parser.ts';

const relations = ['=', '<', '>', '<=', '>=', '!=', 'in'];
const setSigns = ['cup', 'cap', 'setminus'];
const sumSigns = ['+', '-', 'pm', 'mp'];

/** Reads a formula in LaTeX or in plain letters; nothing if it cannot be read. Never throws. */
export function parseMath(text: string): Expression | undefined {
  const tokens = tokenize(text);
  if (!tokens || tokens.length === 0) return undefined;
  try {
    return new MathParser(new TokenReader(tokens)).parse();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class MathParser extends ValueParser {
  parse(): Expression {
    const whole = this.list();
    if (this.tokens.next) throw new Unreadable();
    return whole;
  }

  protected override list(): Expression {
    const items = [this.relation()];
    while (this.tokens.take(',', ';') !== undefined) {
      // `1, 2, and 3`
      this.tokens.take(',');
      items.push(this.relation());
    }
    const [only] = items;
    return only && items.length === 1 ? only : { type: 'list', brackets: '', items };
  }

  protected override relation(): Expression {
    const parts = [this.#union()];
    const signs: string[] = [];
    while (this.tokens.is(...relations)) {
      signs.push(this.tokens.expect(...relations));
      parts.push(this.#union());
    }
    const [only] = parts;
    return only && signs.length === 0 ? only : { type: 'relation', parts, signs };
  }

  #union(): Expression {
    let left = this.sum();
    while (this.tokens.is(...setSigns)) {
      left = operation(this.tokens.expect(...setSigns), left, this.sum());
    }
    return left;
  }

  protected override sum(): Expression {
    let left = this.#term();
    while (this.tokens.is(...sumSigns)) left = operation('add', left, this.#term());
    return left;
  }

  /** A product with its sign, or with two as in `a + -b`. */
  #term(): Expression {
    const sign = this.tokens.take(...sumSigns);
    const second = this.tokens.take('-', '+');
    return withSign(sign, withSign(second, this.#product()));
  }

  #product(): Expression {
    let left = this.power();
    for (;;) {
      if (this.tokens.take('*') !== undefined) left = operation('multiply', left, this.#factor());
      else if (this.tokens.take('/', ':') !== undefined) {
        left = operation('divide', left, this.#factor());
      } else if (this.startsValue()) left = operation('multiply', left, this.power());
      else return left;
    }
  }

  #factor(): Expression {
    const sign = this.tokens.take(...sumSigns);
    return withSign(sign, this.power());
  }

  /** Two numbers side by side are no product. */
  protected override startsValue(): boolean {
    const { next, before } = this.tokens;
    switch (next?.type) {
      case 'number':
        return before?.type !== 'number';
      case 'sign':
        return this.tokens.is('(', '[', '{', '\\{') || (next.text === '|' && this.bars === 0);
      case 'command':
        return !this.tokens.is(...setSigns, ...sumSigns, ...relations, 'rangle', 'rfloor', 'rceil');
      case 'end':
      case undefined:
        return false;
      default:
        return true;
    }
  }

  protected override power(): Expression {
    let base = this.value();
    for (;;) {
      if (this.tokens.take('^') !== undefined) base = operation('power', base, this.exponent());
      else if (this.tokens.take('!') !== undefined) base = operation('factorial', base);
      else if (this.tokens.take('%') !== undefined) base = operation('percent', base);
      else if (this.tokens.take('degree') !== undefined) base = operation('degree', base);
      else if (this.tokens.next?.type === 'words') this.#skipUnit();
      else return base;
    }
  }

  #skipUnit(): void {
    this.tokens.skip();
    if (this.tokens.take('^') !== undefined) this.exponent();
  }
}
