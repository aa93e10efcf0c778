/** What Python's `eval` gives for numbers and their operators; nothing for any other text. */
export function arithmetic(text: string): number | undefined {
  const tokens = [...text.matchAll(/\s*(\d+\.?\d*|\.\d+|\*\*|\/\/|[-+*/%()])/gy)];
  const read = tokens.map(([whole]) => whole).join('');
  if (tokens.length === 0 || text.slice(read.length).trim() !== '') return undefined;
  const reader = new Reader(tokens.map(([, token = '']) => token));
  const value = reader.readSum();
  return reader.isDone && value !== undefined && Number.isFinite(value) ? value : undefined;
}

const deepest = 100;

class Reader {
  readonly #tokens: readonly string[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isDone(): boolean {
    return this.#next === this.#tokens.length;
  }

  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#tokens[this.#next];
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.#next += 1;
    return token;
  }

  readSum(): number | undefined {
    return this.#readChain(['+', '-'], () => this.#readProduct());
  }

  #readProduct(): number | undefined {
    return this.#readChain(['*', '/', '//', '%'], () => this.#readSigned());
  }

  #readChain(operators: readonly string[], readPart: () => number | undefined): number | undefined {
    let value = readPart();
    for (let operator = this.#take(...operators); operator; operator = this.#take(...operators)) {
      const right = readPart();
      if (value === undefined || right === undefined) return undefined;
      value = apply(operator, value, right);
    }
    return value;
  }

  #readSigned(): number | undefined {
    const sign = this.#take('-', '+');
    if (sign === undefined) return this.#readPower();
    if (++this.#depth > deepest) return undefined;
    const value = this.#readSigned();
    return value === undefined || sign === '+' ? value : 0 - value;
  }

  #readPower(): number | undefined {
    const base = this.#readAtom();
    if (!this.#take('**')) return base;
    const exponent = this.#readSigned();
    return base === undefined || exponent === undefined ? undefined : base ** exponent;
  }

  #readAtom(): number | undefined {
    if (this.#take('(')) {
      if (++this.#depth > deepest) return undefined;
      const value = this.readSum();
      return this.#take(')') ? value : undefined;
    }
    const token = this.#tokens[this.#next];
    // Python takes no whole number with a zero before it.
    if (token === undefined || !/^(?:0+|[1-9]\d*|\d*\.\d*)$/.test(token)) return undefined;
    this.#next += 1;
    return Number(token);
  }
}

function apply(operator: string, left: number, right: number): number | undefined {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (right === 0) return undefined;
  if (operator === '/') return left / right;
  const whole = Math.floor(left / right);
  return operator === '//' ? whole : left - whole * right;
}
