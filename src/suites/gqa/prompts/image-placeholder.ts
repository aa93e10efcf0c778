import { stripText } from '../../../python/text.ts';

const placeholders = ['<image>', '<|image_0|>', '<|vision_start|>', '<img>'];

/** What stands for an image in the prompts of a model. */
export function imagePlaceholder(model: string | null): string {
  return model?.toLowerCase().includes('qwen')
    ? '<|vision_start|><|image_pad|><|vision_end|>'
    : '<image>';
}

/** Puts the placeholder before a prompt that has none. */
export function withImagePlaceholder(prompt: string, placeholder: string): string {
  if (stripText(prompt) === '') return placeholder;
  const lower = prompt.toLowerCase();
  return placeholders.some((known) => lower.includes(known)) ? prompt : `${placeholder}\n${prompt}`;
}
