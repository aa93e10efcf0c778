/** A piece of a formula. `text` of a command comes without its backslash. */
export interface Token {
  readonly type: 'number' | 'symbol' | 'command' | 'words' | 'sign' | 'begin' | 'end';
  readonly text: string;
}

const command = (text: string): Token => ({ type: 'command', text });
const sign = (text: string): Token => ({ type: 'sign', text });

/** Functions of one argument, written before it. */
export const functionNames: ReadonlySet<string> = new Set([
  ...['sin', 'cos', 'tan', 'cot', 'sec', 'csc', 'sinh', 'cosh', 'tanh', 'exp', 'ln', 'log', 'lg'],
  ...['arcsin', 'arccos', 'arctan', 'arccot', 'min', 'max'],
]);

/** Signs of Unicode, and how LaTeX writes them. */
export const unicodeForms: ReadonlyMap<string, string> = new Map([
  ...[...'−–—‐‑'].map((dash) => [dash, '-'] as const),
  ['×', '\\times '],
  ['·', '\\cdot '],
  ['⋅', '\\cdot '],
  ['∙', '\\cdot '],
  ['÷', '/'],
  ['∕', '/'],
  ['⁄', '/'],
  ['√', '\\sqrt '],
  ['π', '\\pi '],
  ['∞', '\\infty '],
  ['≤', '\\le '],
  ['≥', '\\ge '],
  ['≠', '\\ne '],
  ['≈', '\\approx '],
  ['∪', '\\cup '],
  ['∩', '\\cap '],
  ['∈', '\\in '],
  ['±', '\\pm '],
  ['∓', '\\mp '],
  ['∅', '\\emptyset '],
  ['°', '^\\circ '],
  ['′', "'"],
  ['⟨', '\\langle '],
  ['⟩', '\\rangle '],
  ['½', '\\frac{1}{2}'],
  ['⅓', '\\frac{1}{3}'],
  ['⅔', '\\frac{2}{3}'],
  ['¼', '\\frac{1}{4}'],
  ['¾', '\\frac{3}{4}'],
]);

/** Commands whose braces hold words. */
export const textCommands: readonly string[] = [
  ...['text', 'textbf', 'textit', 'textrm', 'textup', 'textsf', 'mbox', 'hbox'],
  ...['mathrm', 'operatorname'],
];

/** Commands that change looks only. */
export const ignoredCommands: ReadonlySet<string> = new Set([
  ...['left', 'right', 'middle', 'big', 'Big', 'bigg', 'Bigg', 'bigl', 'bigr', 'Bigl', 'Bigr'],
  ...['displaystyle', 'textstyle', 'limits', 'quad', 'qquad', 'thinspace', 'boxed', 'fbox'],
  ...['rm', 'bf', 'it', 'hfill', 'allowbreak', 'strut', 'mathstrut', 'nolimits'],
]);

/** Commands that mark a symbol without changing which it is. */
export const decorations: ReadonlySet<string> = new Set([
  ...['mathbf', 'mathit', 'mathbb', 'mathcal', 'mathsf', 'boldsymbol', 'bm', 'vec', 'hat', 'bar'],
]);

/** Commands under another name. */
export const renamedCommands: ReadonlyMap<string, Token> = new Map([
  ...['dfrac', 'tfrac', 'cfrac'].map((name) => [name, command('frac')] as const),
  ...['dbinom', 'tbinom'].map((name) => [name, command('binom')] as const),
  ...['cdot', 'times', 'ast'].map((name) => [name, sign('*')] as const),
  ...['div', 'slash'].map((name) => [name, sign('/')] as const),
  ...['lbrace', 'lset'].map((name) => [name, sign('\\{')] as const),
  ...['rbrace', 'rset'].map((name) => [name, sign('\\}')] as const),
  ...['lbrack'].map((name) => [name, sign('[')] as const),
  ...['rbrack'].map((name) => [name, sign(']')] as const),
  ...['lvert', 'rvert', 'vert', 'mid'].map((name) => [name, sign('|')] as const),
  ...['leq', 'leqslant', 'le'].map((name) => [name, sign('<=')] as const),
  ...['geq', 'geqslant', 'ge'].map((name) => [name, sign('>=')] as const),
  ...['ne', 'neq'].map((name) => [name, sign('!=')] as const),
  ...['approx', 'equiv'].map((name) => [name, sign('=')] as const),
  ['lt', sign('<')],
  ['gt', sign('>')],
  ['prime', sign("'")],
  ['varnothing', command('emptyset')],
  ['arcctg', command('arccot')],
  ['tg', command('tan')],
  ['ctg', command('cot')],
  ['varphi', command('phi')],
  ['varepsilon', command('epsilon')],
]);

/** Commands whose meaning depends on what follows in ways that are not read here. */
export const unsupportedCommands: ReadonlySet<string> = new Set([
  ...['sum', 'prod', 'int', 'iint', 'oint', 'lim', 'partial', 'nabla', 'overline', 'underline'],
  ...['rfloor', 'rceil', 'rangle', 'to', 'rightarrow', 'Rightarrow', 'implies', 'iff', 'ldots'],
  ...['dots', 'cdots', 'vdots', 'cup', 'cap', 'setminus', 'in', 'pm', 'mp', 'forall', 'exists'],
]);

/** Words of plain formulas. */
export const plainNames: ReadonlyMap<string, Token> = new Map([
  ...[...functionNames].map((name) => [name, command(name)] as const),
  ...['sqrt', 'pi', 'theta', 'alpha', 'beta'].map((name) => [name, command(name)] as const),
  ...['infinity', 'inf', 'oo'].map((name) => [name, command('infty')] as const),
  ...['and', 'or'].map((name) => [name, sign(',')] as const),
  ...['percent'].map((name) => [name, sign('%')] as const),
  ...['degree', 'degrees', 'deg'].map((name) => [name, sign('degree')] as const),
]);

/** Units that may follow a number in plain letters. */
export const unitNames: ReadonlySet<string> = new Set([
  ...['mm', 'cm', 'm', 'km', 'meter', 'meters', 'metre', 'metres', 'centimeter', 'centimeters'],
  ...['in', 'inch', 'inches', 'ft', 'foot', 'feet', 'yd', 'yard', 'yards', 'mi', 'mile', 'miles'],
  ...[
    'kilometer',
    'kilometers',
    'kilometre',
    'kilometres',
    'square',
    'sq',
    'cubic',
    'unit',
    'units',
  ],
  ...['g', 'kg', 'mg', 'gram', 'grams', 'kilogram', 'kilograms', 'lb', 'lbs', 'pound', 'pounds'],
  ...['oz', 'ounce', 'ounces', 'ton', 'tons', 'l', 'ml', 'liter', 'liters', 'litre', 'litres'],
  ...['gallon', 'gallons', 's', 'sec', 'min', 'second', 'seconds', 'minute', 'minutes', 'h'],
  ...['hr', 'hrs', 'hour', 'hours', 'day', 'days', 'week', 'weeks', 'month', 'months', 'year'],
  ...[
    'years',
    'mph',
    'kmh',
    'dollar',
    'dollars',
    'cent',
    'cents',
    'euro',
    'euros',
    'yen',
    'radian',
  ],
  ...['radians', 'rad', 'people', 'ways', 'times', 'points', 'hz', 'kj', 'mol', 'kw', 'watts'],
]);
