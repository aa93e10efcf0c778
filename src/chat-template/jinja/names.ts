import type { Dialect } from './dialect.ts';
import { LoadFailure, syntaxFailure } from './failure.ts';
import { filters } from './filters.ts';
import { functionNames } from './globals.ts';
import type { Stretch } from './lexer.ts';
import type { Token } from './library.ts';
import { loopMethods } from './loop.ts';
import { methodNames } from './methods.ts';
import { tests } from './tests.ts';

type Kind = 'filter' | 'test' | 'function' | 'method';

const methods: ReadonlySet<string> = new Set([...methodNames, ...loopMethods]);

/** Refuses what could only fail later: filters, tests, functions and methods that do not exist. */
export function checkNames(
  stretches: readonly Stretch[],
  { filters: own, what }: Pick<Dialect, 'filters' | 'what'>,
): void {
  const functions = new Set([...functionNames, ...stretches.flatMap(declaredNames)]);
  const known = {
    filter: new Set([...filters.keys(), ...own.keys()]),
    test: tests,
    function: functions,
    method: methods,
  };
  for (const { tokens } of stretches) {
    for (const [index, token] of tokens.entries()) {
      const kind = kindOf(tokens, index);
      if (!kind || known[kind].has(token.value)) continue;
      const message = `there is no ${kind} ${token.value} in ${what}`;
      throw new LoadFailure(`unknown_${kind}`, token.offset, message);
    }
  }
}

const words = new Set(['and', 'call', 'elif', 'else', 'if', 'in', 'is', 'not', 'or']);

function kindOf(tokens: readonly Token[], index: number): Kind | undefined {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (token?.type === 'StringLiteral') return kindOfArgument(tokens, index);
  if (token?.type !== 'Identifier') return undefined;
  if (before?.type === 'Pipe' || (index === 1 && before?.value === 'filter')) return 'filter';
  if (before?.value === 'is' && before.type === 'Identifier') {
    return token.value === 'not' ? undefined : 'test';
  }
  if (before?.value === 'not' && tokens[index - 2]?.value === 'is') return 'test';
  if (tokens[index + 1]?.type !== 'OpenParen') return undefined;
  if (before?.type === 'Dot') return 'method';
  return words.has(token.value) ? undefined : 'function';
}

/** Filters such as `map` and `select` name another filter or test in an argument. */
function kindOfArgument(tokens: readonly Token[], index: number): Kind | undefined {
  const isSecond = tokens[index - 1]?.type === 'Comma';
  const [pipe, filter, open] = tokens.slice(index - (isSecond ? 5 : 3));
  if (pipe?.type !== 'Pipe' || open?.type !== 'OpenParen') return undefined;
  if (isSecond) return /^(select|reject)attr$/.test(filter?.value ?? '') ? 'test' : undefined;
  if (filter?.value === 'map') return 'filter';
  return /^(select|reject)$/.test(filter?.value ?? '') ? 'test' : undefined;
}

/** What ends the part of a tag that gives values to names. */
const declarations: ReadonlyMap<string | undefined, RegExp> = new Map([
  ['call', /^\)$/],
  ['for', /^in$/],
  ['macro', /^$/],
  ['set', /^=$/],
  ['with', /^$/],
]);

/** Names that a tag gives a value to, any of which may be a macro. */
function declaredNames({ type, tokens: [keyword, ...rest] }: Stretch): string[] {
  const end = type === 'statement' ? declarations.get(keyword?.value) : undefined;
  if (!end || (keyword?.value === 'call' && rest[0]?.type !== 'OpenParen')) return [];
  const last = rest.findIndex(({ value }) => end.test(value));
  return rest
    .slice(0, last < 0 ? undefined : last)
    .filter(({ type: kind }, index) => {
      const isCall = index > 0 && rest[index + 1]?.type === 'OpenParen';
      return kind === 'Identifier' && !isCall;
    })
    .map((token) => token.value);
}

/** As deep as Python's indentation goes, in which templates are compiled. */
const maxBlocks = 100;

/** Refuses blocks inside of blocks without end. */
export function checkDepth(stretches: readonly Stretch[]): void {
  let depth = 0;
  for (const { type, tokens, offset } of stretches) {
    const value = type === 'statement' ? (tokens[0]?.value ?? '') : '';
    if (blocks.has(value)) depth += 1;
    else if (value.startsWith('end')) depth -= 1;
    if (depth > maxBlocks) throw syntaxFailure(offset, `blocks nest deeper than ${maxBlocks}`);
  }
}

const blocks = new Set(['call', 'filter', 'for', 'generation', 'if', 'macro', 'with']);

/** Refuses what the parser would let pass: `break` outside a loop, and targets that are no name. */
export function checkStatements(stretches: readonly Stretch[]): void {
  const open: string[] = [];
  for (const { type, tokens, offset } of stretches) {
    const [keyword, target] = tokens;
    if (type !== 'statement' || keyword === undefined) continue;
    const { value } = keyword;
    if (['for', 'macro', 'call'].includes(value)) open.push(value);
    else if (['endfor', 'endmacro', 'endcall'].includes(value)) open.pop();
    else if (['break', 'continue'].includes(value) && open.at(-1) !== 'for') {
      throw syntaxFailure(offset, `${value} stands outside a loop`);
    } else if (value === 'set' && target && !['Identifier', 'OpenParen'].includes(target.type)) {
      throw syntaxFailure(target.offset, `${target.value} cannot be given a value`);
    }
  }
}
