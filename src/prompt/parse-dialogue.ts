import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import { describeType, getKey, type Mapping } from './mapping.ts';
import { type Node, textNode, tokensNode } from './node.ts';
import type { Origin, TemplatePosition } from './origin.ts';
import {
  checkKeys,
  optionalBoolean,
  optionalString,
  requireMapping,
  wrongType,
} from './parse-keys.ts';
import { parsePromptParts } from './parts/parse-parts.ts';
import { scan, type Tokens } from './scan.ts';
import type { DialogueBody, Item, Turn } from './template.ts';

const turnKeys = ['role', 'fallback_role', 'prompt', 'begin', 'end', 'generate'];

/** Reads `{begin, round, end}`. */
export function parseDialogue(mapping: Mapping, path: ConfigPath, tokens: Tokens): DialogueBody {
  const round = getKey(mapping, 'round');
  const roundPath = [...path, 'round'];
  if (round === undefined) {
    throw new TemplateError('template.round_missing', `${formatPath(path)} has no \`round\``, {
      path,
      hint: 'A dialogue template needs `round`, a list of {role, prompt}.',
    });
  }
  if (!Array.isArray(round)) {
    throw new TemplateError(
      'template.round_not_a_list',
      `${formatPath(roundPath)} must be a list of {role, prompt}, not ${describeType(round)}`,
      {
        path: roundPath,
        hint: 'Write `round: [{role: HUMAN, prompt: …}, {role: BOT, prompt: …}]`.',
      },
    );
  }
  return {
    type: 'dialogue',
    begin: parseItems(getKey(mapping, 'begin'), [...path, 'begin'], tokens),
    round: round.map((item, index) => parseRoundItem(item, [...roundPath, index], tokens)),
    end: parseItems(getKey(mapping, 'end'), [...path, 'end'], tokens),
  };
}

/** `begin` and `end`: one string, one {role, prompt}, or a list of them. */
export function parseItems(value: unknown, path: ConfigPath, tokens: Tokens): Item[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value))
    return value.map((item, index) => parseItem(item, [...path, index], tokens));
  return [parseItem(value, path, tokens)];
}

function parseItem(value: unknown, path: ConfigPath, tokens: Tokens): Item {
  if (typeof value === 'string') return { type: 'text', nodes: scan(value, path, tokens), path };
  return parseTurn(requireMapping(value, path, 'a string or a {role, prompt}'), path, tokens);
}

function parseRoundItem(value: unknown, path: ConfigPath, tokens: Tokens): Item {
  if (typeof value !== 'string') {
    return parseTurn(requireMapping(value, path, 'a {role, prompt}'), path, tokens);
  }
  const item = parseItem(value, path, tokens);
  if (item.type === 'text' && item.nodes.length === 1 && item.nodes[0]?.type === 'shots')
    return item;
  throw new TemplateError(
    'template.text_in_round',
    `${formatPath(path)} is a bare string; inside \`round\` every item needs a role`,
    { path, hint: 'Write {role: HUMAN, prompt: …}, or move the text to `begin` or `end`.' },
  );
}

function parseTurn(mapping: Mapping, path: ConfigPath, tokens: Tokens): Turn {
  const parts = getKey(mapping, 'prompt_mm');
  if (parts !== undefined && !tokens.media) throw mediaInText(path);
  checkKeys(mapping, tokens.media ? [...turnKeys, 'prompt_mm'] : turnKeys, path);
  const role = getKey(mapping, 'role');
  if (role === undefined) {
    throw new TemplateError('template.role_missing', `${formatPath(path)} has no \`role\``, {
      path,
      hint: 'Say who speaks, such as `role: HUMAN`.',
    });
  }
  if (typeof role !== 'string') throw wrongType(role, [...path, 'role'], 'a string');
  const prompt = optionalString(getKey(mapping, 'prompt'), [...path, 'prompt']);
  if (prompt !== undefined && parts !== undefined) throw saysTwice(path);
  const fallbackRole = optionalString(getKey(mapping, 'fallback_role'), [...path, 'fallback_role']);
  const generate = optionalBoolean(getKey(mapping, 'generate'), [...path, 'generate']);
  const affix = (edge: 'begin' | 'end') =>
    parseAffix(getKey(mapping, edge), [...path, edge], (at) => ({ type: 'role', role, edge, at }));
  const begin = affix('begin');
  const end = affix('end');
  return {
    type: 'turn',
    role,
    ...(fallbackRole !== undefined && { fallbackRole }),
    ...(prompt !== undefined && { prompt: scan(prompt, [...path, 'prompt'], tokens) }),
    ...(parts !== undefined && {
      prompt: [parsePromptParts(parts, [...path, 'prompt_mm'], tokens)],
    }),
    ...(begin && { begin }),
    ...(end && { end }),
    ...(generate !== undefined && { generate }),
    path,
  };
}

function mediaInText(path: ConfigPath): TemplateError {
  return new TemplateError(
    'template.media_in_text_template',
    `${formatPath(path)} has \`prompt_mm\`, but PromptTemplate is for text only`,
    { path: [...path, 'prompt_mm'], hint: 'Use `type: MMPromptTemplate`, or write `prompt`.' },
  );
}

function saysTwice(path: ConfigPath): TemplateError {
  return new TemplateError(
    'template.prompt_twice',
    `${formatPath(path)} has both \`prompt\` and \`prompt_mm\``,
    { path, hint: 'Write the text as the part `text` of `prompt_mm`.' },
  );
}

/** Reads a `begin` or `end`: a string, or a list of strings and token ids. */
export function parseAffix(
  value: unknown,
  path: ConfigPath,
  originAt: (at: TemplatePosition) => Origin,
): Node[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') {
    return value === '' ? [] : [textNode(value, originAt({ path, start: 0 }))];
  }
  if (!Array.isArray(value))
    throw wrongType(value, path, 'a string or a list of strings and token ids');
  return value.map((item, index) => {
    const itemPath = [...path, index];
    const origin = originAt({ path: itemPath, start: 0 });
    if (typeof item === 'string') return textNode(item, origin);
    if (typeof item === 'number' && Number.isInteger(item) && item >= 0)
      return tokensNode([item], origin);
    throw wrongType(item, itemPath, 'a string or a token id');
  });
}
