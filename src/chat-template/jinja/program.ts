import { startBudget } from './budget.ts';
import { chatDialect, type Dialect } from './dialect.ts';
import { syntaxFailure } from './failure.ts';
import { makeGlobals } from './globals.ts';
import { PythonInterpreter } from './interpreter.ts';
import { Lexer } from './lexer.ts';
import { type Block, Environment, type Node, parse, type Token } from './library.ts';
import { checkDepth, checkNames, checkStatements } from './names.ts';
import { toLibraryTokens } from './syntax.ts';
import { type Part, partsOf, Rope, sizeOf, UnknownText } from './text.ts';
import { toValue } from './values.ts';

interface RunOptions {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly now: Date;
}

/** A template that was parsed and checked. */
export interface Program {
  /** Whether the result depends on the time. */
  readonly usesTime: boolean;
  /** Renders the template. A failure is reported with the offset of the statement it is in. */
  run(options: RunOptions, onFailure: (error: unknown, offset: number) => never): readonly Part[];
}

/** Templates of models have less than half of it. */
const maxSource = 2 ** 17;

/** Parses a template whose line ends are normalized. */
export function parseTemplate(source: string, dialect: Dialect = chatDialect): Program {
  if (source.length > maxSource) {
    throw syntaxFailure(
      0,
      `a template of ${source.length.toLocaleString('en')} characters is too long`,
    );
  }
  const stretches = new Lexer(source, dialect).run();
  checkDepth(stretches);
  checkNames(stretches, dialect);
  checkStatements(stretches);
  const tokens = toLibraryTokens(stretches);
  const { body } = parseTokens(tokens, source.length);
  const offsets = locateStatements(body, tokens);
  return {
    usesTime: tokens.some(({ type, value }) => type === 'Identifier' && value === 'strftime_now'),
    run({ variables, now }, onFailure) {
      startBudget(charactersIn(variables));
      const globals = new Environment();
      for (const [name, value] of makeGlobals(now)) globals.setVariable(name, value);
      const scope = new Environment(globals);
      const interpreter = new PythonInterpreter(scope, dialect);
      try {
        for (const [name, value] of Object.entries(variables)) {
          scope.setVariable(name, toValue(value));
        }
        return partsOf(interpreter.evaluateBlock(body, scope));
      } catch (error) {
        if (error instanceof UnknownText) throw error;
        const at = interpreter.current && offsets.get(interpreter.current);
        return onFailure(error, at ?? 0);
      }
    },
  };
}

/** How long the texts in a value are together. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Rope) return sizeOf(value);
  return Object.values(value).reduce((sum: number, item) => sum + charactersIn(item), 1);
}

/** The parser's errors name no position, but it reads in order: it is that of the last token read. */
function parseTokens(tokens: readonly Token[], end: number): Block {
  let last = 0;
  const watched = new Proxy(tokens, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) last = Math.max(last, Number(key));
      return Reflect.get(target, key);
    },
  });
  try {
    return parse(watched);
  } catch (error) {
    // At the end of the tokens the parser reads on, into nothing.
    if (last >= tokens.length) throw syntaxFailure(end, 'a block is not closed');
    const { offset = end, value } = tokens[last] ?? {};
    if (error instanceof RangeError)
      throw syntaxFailure(offset, 'the template nests too deeply here');
    const reason = error instanceof Error ? error.message : String(error);
    throw syntaxFailure(offset, `${JSON.stringify(value)} is not possible here (${reason})`);
  }
}

/** Statements come in the order of the tags that begin them. */
function locateStatements(body: readonly Node[], tokens: readonly Token[]): Map<Node, number> {
  const isBegin = (token: Token, index: number) => {
    if (token.type === 'OpenStatement') return !/^(else$|end)/.test(tokens[index + 1]?.value ?? '');
    return token.type === 'OpenExpression' || token.type === 'Text';
  };
  const begins = tokens.filter(isBegin).values();
  const offsets = new Map<Node, number>();
  const visit = (nodes: readonly Node[] = []) => {
    for (const node of nodes) {
      offsets.set(node, begins.next().value?.offset ?? 0);
      const blocks = node as Node & Partial<Record<'body' | 'alternate' | 'defaultBlock', Node[]>>;
      visit(blocks.body);
      visit(blocks.alternate);
      visit(blocks.defaultBlock);
    }
  };
  visit(body);
  return offsets;
}
