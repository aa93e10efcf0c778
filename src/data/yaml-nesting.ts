import { Lexer, Parser } from 'yaml';
import { maxNesting } from './json-reader.ts';

/** Where YAML becomes deeper than values may be. To be asked before it is read, which is done by recursion. */
export function offsetOfDeepNesting(text: string): number | undefined {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    for (const _ of parser.next(lexeme));
    // Besides lists and mappings, the document and the scalar that is being read.
    if (parser.stack.length > maxNesting + 2) return offset;
  }
  return undefined;
}
