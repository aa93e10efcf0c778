import { atPath, CompatError } from '../../python/compat-error.ts';
import { noAttribute, pyContains, pyIterate, pySubscript } from '../../python/operators.ts';
import { plainText } from '../../python/traced-text.ts';
import { isText, PromptList, PyDict, type PyValue } from '../../python/values.ts';
import { checkKeywords, type Filling, safeFormat } from './format.ts';
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
    if (!(message instanceof PyDict)) throw noAttribute(message, 'get');
    const content = message.get('content');
    if (!Array.isArray(content)) return false;
    const types = content.map((part) => {
      if (!(part instanceof PyDict)) throw noAttribute(part, 'get');
      return part.get('type') ?? null;
    });
    const known = ['text', 'image_url', 'video_url', 'audio_url'];
    if (types.some((type) => isText(type) && known.includes(plainText(type)))) return true;
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
      const value = segment.replaceAll(modality.opener, '');
      return [fillPart(pySubscript(parts, modality.name), { modality, value, filling })];
    });
}

interface PartValue {
  readonly modality: Modality;
  readonly value: string;
  readonly filling: Filling;
}

function fillPart(part: PyValue, { modality, value, filling }: PartValue): PyValue {
  const key = modality.name === 'text' ? 'text' : `${modality.name}_url`;
  if (!(part instanceof PyDict)) {
    throw new CompatError({
      type: 'AttributeError',
      message: "object has no attribute 'deepcopy'",
      what: `prompt_mm.${modality.name} must be a mapping with a type and a ${key}`,
    });
  }
  const entry = new PyDict([[modality.field, value]]);
  const partFilling = { ...filling, entry, cutFrom: 'content' };
  const target = pySubscript(part, key);
  if (key !== 'text' && target instanceof PyDict) {
    const url = safeFormat(pySubscript(target, 'url'), partFilling);
    return part.with(key, target.with('url', url));
  }
  return part.with(key, safeFormat(target, partFilling));
}
