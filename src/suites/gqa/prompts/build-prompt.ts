import { DataError } from '../../../errors.ts';
import { entriesOf, getKey, isMapping } from '../../../prompt/mapping.ts';
import { CompatError } from '../../../python/compat-error.ts';
import { pyStr } from '../../../python/repr.ts';
import type { GqaCompat } from '../compat.ts';
import { firstOf, type GqaSample, referenceOf, valueAt } from '../samples/sample.ts';
import { renderChunkText } from './chunk-text.ts';
import type { FillTemplate } from './prompt-template.ts';

/** A sample with all that is made of it. Values of the sample are as they stand in it. */
export interface GqaPrompt {
  readonly dataset_id: unknown;
  readonly image_id: unknown;
  readonly question: unknown;
  readonly answer: unknown;
  readonly full_answer: unknown;
  /** The full answer, or else the short one. */
  readonly reference: string;
  /** What the model sees. */
  readonly prompt: string;
  /** What a cache compares. */
  readonly chunk_text: string;
  /** File of the image, if one was found. */
  readonly image: string | undefined;
  readonly metadata: GqaMetadata;
}

export interface GqaMetadata {
  readonly groups: unknown;
  readonly semantic: unknown;
  readonly extra: Readonly<Record<string, unknown>>;
}

export interface PromptParts {
  readonly fill: FillTemplate;
  readonly chunkSource: string;
  readonly image?: string | undefined;
  readonly compat?: GqaCompat | undefined;
}

/** Makes the prompt and the chunk text of a sample. */
export function buildPrompt(sample: GqaSample, parts: PromptParts): GqaPrompt {
  const value = (key: string, usual: unknown = '') => {
    const found = getKey(sample, key);
    return found === undefined ? usual : found;
  };
  const override = firstOf(sample, '_chunk_override');
  return {
    dataset_id: value('id'),
    image_id: value('imageId'),
    question: value('question'),
    answer: value('answer'),
    full_answer: value('fullAnswer'),
    reference: pyStr(referenceOf(sample)),
    prompt: parts.fill(sample),
    chunk_text: override === '' ? chunkTextOf(sample, parts) : pyStr(override),
    image: parts.image,
    metadata: {
      groups: value('groups', {}),
      semantic: value('semanticStr'),
      extra: extraOf(sample, parts),
    },
  };
}

function chunkTextOf(sample: GqaSample, { chunkSource, compat }: PromptParts): string {
  try {
    return renderChunkText(sample, chunkSource);
  } catch (error) {
    if (compat || !(error instanceof CompatError)) throw error;
    const id = pyStr(valueAt(sample, 'id'));
    throw new DataError('data.bad_value', `${error.message}, in sample \`${id}\``, {
      hint: '`groups` is a mapping, `semantic` a list of mappings.',
    });
  }
}

/** What else a sample tells. The older of the two originals knows `_metadata` only. */
function extraOf(sample: GqaSample, { image, compat }: PromptParts): Record<string, unknown> {
  const own = membersOf(getKey(sample, '_metadata'));
  if (compat === '40a46a9') return own;
  const shared = membersOf(getKey(sample, 'metadata'));
  return { ...shared, ...own, ...(image !== undefined && { image_path: image }) };
}

function membersOf(value: unknown): Record<string, unknown> {
  return isMapping(value) ? Object.fromEntries(entriesOf(value)) : {};
}
