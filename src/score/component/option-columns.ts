import type { ReadColumn } from '../scorer.ts';
import { isComponent, type LocatedComponent } from './component.ts';

/** Options whose values are names of columns, whatever the type of the component. */
const columnOptions: ReadonlySet<string> = new Set([
  ...['text_columns', 'question_column', 'against', 'entry_point'],
]);

/** The columns that a component and those inside it name. */
export function optionColumns({ component, path }: LocatedComponent): ReadColumn[] {
  return Object.entries(component).flatMap(([option, value]) => {
    const own = [...path, option];
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item: unknown, index): readonly ReadColumn[] => {
      const at = Array.isArray(value) ? [...own, index] : own;
      if (isComponent(item)) return optionColumns({ component: item, path: at });
      if (!columnOptions.has(option) || typeof item !== 'string') return [];
      return [{ name: item, path: at }];
    });
  });
}
