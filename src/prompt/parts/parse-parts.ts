import { nearestName } from '../../base/nearest-name.ts';
import { type ConfigPath, formatPath, TemplateError } from '../../errors.ts';
import { entriesOf, getKey, isMapping } from '../mapping.ts';
import type { PartsNode, PartTemplate } from '../node.ts';
import { checkKeys, requireMapping, wrongType } from '../parse-keys.ts';
import { scan, type Tokens } from '../scan.ts';

const modalities = ['text', 'image', 'audio', 'video'] as const;

/** Reads `prompt_mm`: a part for each modality. */
export function parsePromptParts(value: unknown, path: ConfigPath, tokens: Tokens): PartsNode {
  const mapping = requireMapping(value, path, 'a mapping of modality to part');
  const parts = entriesOf(mapping).map(([key, part]) => {
    const type = modalities.find((modality) => modality === key);
    if (type === undefined) throw unknownModality(String(key), path);
    return parsePart(part, { type, path: [...path, type], tokens });
  });
  if (parts.length === 0) throw wrongType(value, path, 'a mapping with at least one part');
  return { type: 'parts', parts, contentColumn: 'content' };
}

/** Reads the content of a message that is a list of parts, in the form of chat APIs. */
export function parseContentParts(
  list: readonly unknown[],
  path: ConfigPath,
  tokens: Tokens,
): PartsNode {
  const parts = list.map((part, index) => {
    const partPath = [...path, index];
    const name = isMapping(part) ? String(getKey(part, 'type')).replace(/^input_|_url$/g, '') : '';
    const type = modalities.find((modality) => modality === name);
    if (type === undefined) throw wrongType(part, partPath, 'a part with a type such as image_url');
    return parsePart(part, { type, path: partPath, tokens });
  });
  return { type: 'parts', parts, contentColumn: 'content' };
}

interface PartLocation {
  readonly type: PartTemplate['type'];
  readonly path: ConfigPath;
  readonly tokens: Tokens;
}

function parsePart(value: unknown, location: PartLocation): PartTemplate {
  const { type, tokens } = location;
  const { text, path } = partText(value, location);
  const { columnTokens, fields } = tokens;
  return {
    type,
    nodes: scan(text, path, { columnTokens, ...(fields !== undefined && { fields }) }),
    slot: type === 'text' ? 'question' : type,
  };
}

/** The text of a part: written as it is, or where the form of chat APIs has it. */
function partText(
  value: unknown,
  { type, path }: PartLocation,
): { text: string; path: ConfigPath } {
  if (typeof value === 'string') return { text: value, path };
  const mapping = requireMapping(value, path, 'a string or a {type, …}');
  if (type === 'text') {
    checkKeys(mapping, ['type', 'text'], path);
    return requireText(getKey(mapping, 'text'), [...path, 'text']);
  }
  const url = `${type}_url`;
  checkKeys(mapping, ['type', url, ...(type === 'audio' ? ['input_audio'] : [])], path);
  const input = getKey(mapping, 'input_audio');
  if (isMapping(input)) {
    return requireText(getKey(input, 'data'), [...path, 'input_audio', 'data']);
  }
  const target = getKey(mapping, url);
  return isMapping(target)
    ? requireText(getKey(target, 'url'), [...path, url, 'url'])
    : requireText(target, [...path, url]);
}

function requireText(value: unknown, path: ConfigPath): { text: string; path: ConfigPath } {
  if (typeof value !== 'string') throw wrongType(value, path, 'a string');
  return { text: value, path };
}

function unknownModality(key: string, path: ConfigPath): TemplateError {
  const near = nearestName(key, modalities);
  return new TemplateError(
    'template.unknown_modality',
    `${formatPath(path)} has the unknown modality \`${key}\``,
    {
      path: [...path, key],
      hint: `${near ? `Did you mean \`${near}\`? ` : ''}Modalities: ${modalities.join(', ')}.`,
    },
  );
}
