import { pyStr } from '../../python/repr.ts';
import { type ComponentTypes, componentType } from '../../score/component/component.ts';
import { type ExtractorsOf, postprocessorTypes } from '../../score/extract/postprocessors.ts';
import type { CleanerType } from './cleaners/cleaner.ts';
import { cleaners } from './registry.ts';

/** Our post-processors and theirs, for evaluators that are ours. What theirs leave is found, also if it is empty. */
export const compatExtractors: ComponentTypes<ExtractorsOf, unknown> = {
  ...postprocessorTypes,
  ...Object.fromEntries(
    Object.entries(cleaners)
      .filter(([name]) => !Object.hasOwn(postprocessorTypes, name))
      .map(([name, type]) => [name, asExtractor(name, type)]),
  ),
};

function asExtractor(
  name: string,
  type: CleanerType,
): ComponentTypes<ExtractorsOf, unknown>[string] {
  return {
    ...componentType({ summary: '', build: (): ExtractorsOf => () => [] }),
    options: type.options,
    build(located) {
      const clean = type.build(located, undefined);
      return (row) => [
        {
          name,
          extract: (text) => ({ value: pyStr(clean(text, row)), start: 0, end: text.length }),
        },
      ];
    },
  };
}
