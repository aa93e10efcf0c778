import { nearestName } from '../../base/nearest-name.ts';
import { type ConfigPath, formatPath, TemplateError } from '../../errors.ts';
import { entriesOf, getKey, isMapping, type Mapping } from '../mapping.ts';
import type { FormTemplate, PartsNode, PartTemplate } from '../node.ts';
import { checkKeys, requireMapping, wrongType } from '../parse-keys.ts';
import { scan, type Tokens } from '../scan.ts';
import type { Modality } from './content.ts';
import { type FormPath, isUsualForm, plainMapping } from './part-form.ts';

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
  const { text, path, form } = readPart(value, location);
  return {
    type,
    nodes: scanPart(text, path, tokens),
    slot: type === 'text' ? 'question' : type,
    ...(form && { form }),
  };
}

function scanPart(text: string, path: ConfigPath, { columnTokens, fields }: Tokens) {
  return scan(text, path, { columnTokens, ...(fields !== undefined && { fields }) });
}

interface WrittenPart {
  readonly text: string;
  readonly path: ConfigPath;
  readonly form?: FormTemplate | undefined;
}

/** A part: its text or address as it is, or where the form of chat APIs has it. */
function readPart(value: unknown, location: PartLocation): WrittenPart {
  const { type, path } = location;
  if (typeof value === 'string') return { text: value, path };
  const mapping = requireMapping(value, path, 'a string or a {type, …}');
  if (type !== 'text') return readMediaPart(mapping, { ...location, type });
  checkKeys(mapping, ['type', 'text'], path);
  return requireText(getKey(mapping, 'text'), [...path, 'text']);
}

/** Keys beside the address are sent as they are written. */
function readMediaPart(
  mapping: Mapping,
  { type, path, tokens }: PartLocation & { readonly type: Modality },
): WrittenPart {
  const isInput = type === 'audio' && getKey(mapping, 'input_audio') !== undefined;
  const key = isInput ? 'input_audio' : `${type}_url`;
  const written = getKey(mapping, 'type') ?? key;
  if (written !== key) throw wrongType(written, [...path, 'type'], `\`${key}\``);
  const target = getKey(mapping, key);
  const address = isInput ? 'data' : 'url';
  const { text, path: at } = isMapping(target)
    ? requireText(getKey(target, address), [...path, key, address])
    : requireText(target, [...path, key]);
  const inside = isMapping(target) ? plainMapping(target) : { [address]: text };
  const part = { type: key, ...plainMapping(mapping), [key]: inside };
  const place = [key, address];
  if (isUsualForm({ part, at: place })) return { text, path: at };
  const texts = textsIn(part, []).flatMap(({ at, text }) => {
    if (at.join() === place.join()) return [];
    const nodes = scanPart(text, [...path, ...at], tokens);
    return nodes.some((node) => node.type === 'field') ? [{ at, nodes }] : [];
  });
  return { text, path: at, form: { part, at: place, texts } };
}

function textsIn(value: unknown, at: FormPath): { readonly at: FormPath; readonly text: string }[] {
  if (typeof value === 'string') return [{ at, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value)
    ? value.flatMap((item, index) => textsIn(item, [...at, index]))
    : Object.entries(value).flatMap(([key, item]) => textsIn(item, [...at, key]));
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
