import { atPath, CompatError } from '../../python/compat-error.ts';
import { noAttribute, pyContains, pyGet, pyIterate, pySubscript } from '../../python/operators.ts';
import {
  concatTexts,
  plainText,
  replaceText,
  toTraced,
  traceText,
} from '../../python/traced-text.ts';
import { isText, PromptList, PyDict, type PyValue, typeName } from '../../python/values.ts';
import { checkKeywords, type Filling, originOfField, safeFormat } from './format.ts';
import { encodeTemplate, type PromptTemplate } from './template.ts';

const contentTag = '<AIS_CONTENT_TAG>';

const modalities = [
  { name: 'text', opener: '<AIS_TEXT_START>', field: 'question' },
  { name: 'image', opener: '<AIS_IMAGE_START>', field: 'image' },
  { name: 'video', opener: '<AIS_VIDEO_START>', field: 'video' },
  { name: 'audio', opener: '<AIS_AUDIO_START>', field: 'audio' },
] as const;

type Modality = (typeof modalities)[number];

/** AISBench `MMPromptTemplate`: content parts in the order of the row's tagged `content`. */
export function generateMultimodal(template: PromptTemplate, filling: Filling): PromptList {
  return atPath(template.path, () => {
    for (const item of pyIterate(pySubscript(template.template, 'round'))) {
      if (!(item instanceof PyDict)) throw noAttribute(item, 'keys');
    }
    const encoded = encodeTemplate(template.template, { ice: false });
    const formatted = formatMultimodal(new PromptList(pyIterate(encoded)), filling);
    for (const item of formatted.items) {
      if (isText(item) && pyContains(item, 'prompt_mm')) pySubscript(item, 'prompt_mm');
    }
    return formatted;
  });
}

/** AISBench `PromptList.format_mm`: fills text items and `prompt_mm`, but no `prompt`. */
export function formatMultimodal(list: PromptList, filling: Filling): PromptList {
  checkKeywords(filling.entry, { call: 'PromptList.format_mm()', parameter: 'self' });
  return new PromptList(
    list.items.map((item) => {
      if (!(item instanceof PyDict)) return safeFormat(item, filling);
      const parts = item.get('prompt_mm');
      if (parts === undefined) return item;
      return item.with('prompt_mm', fillParts(parts, filling));
    }),
  );
}

/** AISBench `is_mm_prompt`: whether wire messages carry content parts. */
export function isMultimodalPrompt(messages: PyValue): boolean {
  if (!Array.isArray(messages)) return false;
  for (const message of messages) {
    const content = pyGet(message, 'content');
    if (!Array.isArray(content)) return false;
    const known = ['text', 'image_url', 'video_url', 'audio_url'];
    for (const part of content) {
      const type = pyGet(part, 'type');
      if (type !== undefined && isText(type) && known.includes(plainText(type))) return true;
    }
  }
  return false;
}

function fillParts(parts: PyValue, filling: Filling): PyValue[] {
  const content = pySubscript(filling.entry, 'content');
  if (!isText(content)) throw noAttribute(content, 'split');
  return plainText(content)
    .split(contentTag)
    .flatMap((segment) => {
      const modality = modalities.find(({ opener }) => segment.startsWith(opener));
      if (modality === undefined) return [];
      const pieces = segment.split(modality.opener);
      return [fillPart(pySubscript(parts, modality.name), { modality, pieces, filling })];
    });
}

interface PartValue {
  readonly modality: Modality;
  /** The value, cut where an opener inside it fell out: each piece is text of the row as it is. */
  readonly pieces: readonly string[];
  readonly filling: Filling;
}

function fillPart(part: PyValue, value: PartValue): PyValue {
  const { name } = value.modality;
  const key = name === 'text' ? 'text' : `${name}_url`;
  if (!(part instanceof PyDict)) throw notAPart(part, { name, key });
  const target = pySubscript(part, key);
  if (key !== 'text' && target instanceof PyDict) {
    return part.with(key, target.with('url', fillText(pySubscript(target, 'url'), value)));
  }
  return part.with(key, fillText(target, value));
}

function fillText(template: PyValue, { modality, pieces, filling }: PartValue): PyValue {
  if (!isText(template)) throw noAttribute(template, 'replace');
  return replaceText(toTraced(template), {
    needle: `{${modality.field}}`,
    replacement: (replaced) =>
      concatTexts(
        pieces.map((piece) =>
          traceText(piece, originOfField({ field: 'content', filling, replaced })),
        ),
      ),
  });
}

/** The flat form of older configs, `text: '{question}'`, which the original can no longer fill. */
function notAPart(
  part: PyValue,
  { name, key }: { readonly name: string; readonly key: string },
): CompatError {
  return new CompatError({
    type: 'TypeError',
    message: isText(part)
      ? "string indices must be integers, not 'str'"
      : `'${typeName(part)}' object is not subscriptable`,
    what: `prompt_mm.${name} is a ${typeName(part)}, not a mapping with a type and a ${key}`,
    hint: `write ${name}: { type: ${key}, ${key}: … }`,
  });
}
