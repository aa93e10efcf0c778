import type { ExprNode, Module, StmtNode } from 'py-ast';
import { readEscapes } from '../../python/string-literal.ts';
import { asBound, BoundReached, type Place, Raised, type SourceUnit } from './machine.ts';

export type Node<Type extends string> = Extract<ExprNode | StmtNode, { nodeType: Type }>;

/** What the parser needs to be loaded for, which only configs in Python do. */
export type ParseModule = (text: string) => Module;

let parser: ParseModule | undefined;

/** Loads the parser, once. */
export async function loadParser(): Promise<void> {
  parser ??= (await import('py-ast')).parse;
}

/** Reads the text of a Python file, or says where it is no Python. */
export function parsePython(unit: SourceUnit): Module {
  if (!parser) throw new Error('the parser is not loaded');
  const text = unit.text.startsWith('\ufeff') ? unit.text.slice(1) : unit.text;
  if (text.includes('\0')) throw syntaxError(unit, 'source code cannot contain null bytes', [1, 0]);
  try {
    return parser(text);
  } catch (error) {
    const bound = asBound(error);
    if (bound) throw new BoundReached(bound.type, 'the code is nested too deeply');
    if (!(error instanceof Error)) throw error;
    const [, what = error.message, line = '1', column = '0'] =
      /^(.*?) at line (\d+)(?:, column (\d+))?$/s.exec(error.message) ?? [];
    throw syntaxError(unit, what, [Number(line), Number(column)]);
  }
}

export function syntaxError(
  unit: SourceUnit,
  message: string,
  [line, column]: readonly [number, number],
): Raised {
  // The parser counts characters here, and bytes in its trees.
  const text = lineOf(unit, line);
  const byte = Buffer.byteLength([...text].slice(0, column).join(''));
  return new Raised('SyntaxError', message, { at: { unit, line, byte } });
}

const linesOf = new WeakMap<SourceUnit, readonly string[]>();

function lineOf(unit: SourceUnit, line: number): string {
  let lines = linesOf.get(unit);
  if (!lines) {
    lines = unit.text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
    linesOf.set(unit, lines);
  }
  return lines[line - 1] ?? '';
}

export function placeOf(
  unit: SourceUnit,
  node: { readonly lineno?: number; readonly col_offset?: number },
): Place {
  return { unit, line: node.lineno ?? 1, byte: node.col_offset ?? 0 };
}

/** The column of a place, counted in characters from 1. */
export function columnOf({ unit, line, byte }: Place): number {
  const text = lineOf(unit, line);
  return [...Buffer.from(text).subarray(0, byte).toString()].length + 1;
}

interface Stretch {
  readonly lineno?: number | undefined;
  readonly col_offset?: number | undefined;
  readonly end_lineno?: number | undefined;
  readonly end_col_offset?: number | undefined;
}

/** The source of a node. */
export function sourceOf(unit: SourceUnit, node: Stretch): string {
  const { lineno = 1, col_offset = 0, end_lineno = lineno, end_col_offset = 0 } = node;
  const cut = (line: number, from: number, to?: number) => {
    const text = lineOf(unit, line);
    if (/^[\0-\x7f]*$/.test(text)) return text.slice(from, to);
    return Buffer.from(text).subarray(from, to).toString();
  };
  if (lineno === end_lineno) return cut(lineno, col_offset, end_col_offset);
  const middle: string[] = [];
  for (let line = lineno + 1; line < end_lineno; line++) middle.push(lineOf(unit, line));
  return [cut(lineno, col_offset), ...middle, cut(end_lineno, 0, end_col_offset)].join('\n');
}

const stringToken =
  /([bBrRuUfF]{0,2})('''|"""|'|")((?:\\[\s\S]|(?!\2)[\s\S])*)\2|#[^\n]*|\\\n|[\s()]+/g;

/** A string with names of characters, which the parser leaves as they are. */
export function readNamedCharacters(source: string, characterOf: (name: string) => string): string {
  let text = '';
  for (const [, prefix = '', quote, body = ''] of source.matchAll(stringToken)) {
    if (quote === undefined) continue;
    if (/r/i.test(prefix)) {
      text += body;
      continue;
    }
    const parts = body.split(/(?<!\\)((?:\\\\)*)\\N\{([^}]*)\}/);
    const decode = (part: string) =>
      readEscapes(part, (written) => {
        throw new Raised('SyntaxError', `(unicode error) \`${written}\` is not a character`);
      });
    for (let index = 0; index < parts.length; index += 3) {
      text += decode((parts[index] ?? '') + (parts[index + 1] ?? ''));
      const name = parts[index + 2];
      if (name !== undefined) text += characterOf(name);
    }
  }
  return text;
}
