import { Float } from '../../../prompt/values.ts';
import { type CleanerType, plainCleaner } from './cleaner.ts';

const number = String.raw`\s*(-?\p{Nd}+(?:\.\p{Nd}+)?)\s*`;
const box = new RegExp(String.raw`\[${[number, number, number, number].join(',')}\]`, 'u');

/** Post-processors of AISBench that are not about words. */
export const boxCleaners: Readonly<Record<string, CleanerType>> = {
  refcoco_bbox_postprocess: plainCleaner((text) =>
    (box.exec(text)?.slice(1) ?? ['0', '0', '0', '0']).map((part) => new Float(Number(part))),
  ),
  get_a_or_b: plainCleaner((text) => {
    const last = Array.from(text).at(-1) ?? '';
    return last === 'A' ? 'A' : 'B';
  }),
};
