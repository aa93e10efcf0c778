import type * as z from 'zod';
import type { Row } from '../../../prompt/values.ts';
import type { PyValue } from '../../../python/values.ts';
import { type ComponentType, componentType } from '../../../score/component/component.ts';

/** What a post-processor of OpenCompass or AISBench makes of a text: mostly another one. */
export type Cleaner = (text: string, row: Row) => PyValue;

export type CleanerType = ComponentType<Cleaner>;

/** A post-processor without settings. */
export function plainCleaner(clean: (text: string) => PyValue): CleanerType {
  return componentType({ summary: '', build: (): Cleaner => clean });
}

/** One with settings. */
export function cleanerWith<Shape extends z.core.$ZodLooseShape>(
  options: Shape,
  build: (options: z.output<z.ZodObject<Shape>>) => Cleaner,
): CleanerType {
  return componentType({ summary: '', options, build: (read): Cleaner => build(read) });
}

/** The part of a text after the n-th find of a separator; all of it where there is none. */
export function after(text: string, separator: string, which: 'first' | 'last'): string {
  const parts = text.split(separator);
  if (parts.length === 1) return text;
  return (which === 'first' ? parts[1] : parts.at(-1)) ?? '';
}

/** The text up to the first find of a separator. */
export function before(text: string, separator: string): string {
  return text.split(separator, 1)[0] ?? '';
}

/** Without these characters at the ends. */
export function stripCharacters(
  text: string,
  characters: string,
  ends: 'both' | 'left' | 'right' = 'both',
): string {
  const letters = Array.from(text);
  const isStripped = (letter: string | undefined) =>
    letter !== undefined && characters.includes(letter);
  let [start, end] = [0, letters.length];
  if (ends !== 'right') while (start < end && isStripped(letters[start])) start++;
  if (ends !== 'left') while (end > start && isStripped(letters[end - 1])) end--;
  return letters.slice(start, end).join('');
}
