import { type JsonNode, JsonProblem, readJson } from '../data/json-reader.ts';
import { findKey, type ParsedSource, type Source, type SourceNode } from './source-location.ts';
import { offsetInEscaped } from './string-offset.ts';
import { duplicateKey, syntaxError } from './syntax-error.ts';

/** Reads a JSON config with the place of every value. */
export function parseJson(source: Source): ParsedSource {
  const node = read(source);
  return { value: node.value, root: () => sourceNode(node, source.text) };
}

function read(source: Source): JsonNode {
  try {
    return readJson(source.text);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    if (error.duplicateKey !== undefined) {
      throw duplicateKey(source, error.duplicateKey, error.offset);
    }
    throw syntaxError(source, {
      offset: error.offset,
      message: error.message,
      hint: 'JSON allows no comments, single quotes or trailing commas; YAML and TypeScript do.',
    });
  }
}

function sourceNode({ start, value, members }: JsonNode, text: string): SourceNode {
  return {
    start,
    child: (key) => {
      const member = findKey(members, key);
      return member && { keyStart: member.keyStart, node: sourceNode(member.node, text) };
    },
    stringOffset: (index) =>
      typeof value === 'string'
        ? offsetInEscaped({ text, start: start + 1, value, index })
        : undefined,
  };
}
