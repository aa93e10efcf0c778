import { formatValue, type Row } from '../../prompt/values.ts';
import type { Option } from '../extract/option-texts.ts';
import { alphabet, plainLabel } from '../text-matching.ts';
import { type Comparison, oneOf } from './compare.ts';

export interface ChoiceSettings {
  readonly labels?: readonly string[] | undefined;
  /** The column of each option's text, or the one column that lists all texts. */
  readonly textColumns?: readonly string[] | undefined;
}

/** The options that a row offers. Labels are letters from A on unless they are given. */
export function optionsOf(row: Row, { labels, textColumns }: ChoiceSettings): readonly Option[] {
  const texts = textsOf(row, textColumns);
  const names = labels ?? alphabet.slice(0, texts.length || 4);
  return names.map((label, index) => {
    const text = texts[index];
    return text === undefined || text === null ? { label } : { label, text: formatValue(text) };
  });
}

function textsOf(row: Row, columns: readonly string[] = []): readonly unknown[] {
  const [only = ''] = columns;
  const listed = columns.length === 1 ? row[only] : undefined;
  return Array.isArray(listed) ? listed : columns.map((column) => row[column]);
}

/** Right if both name the same option, by its label or by its text. */
export function sameOption(options: readonly Option[]): Comparison {
  return oneOf((answer, gold) => {
    const want = labelOf(formatValue(gold), options);
    const got = labelOf(answer, options) ?? answer;
    return want === undefined ? undefined : { value: Number(got === want), got, want };
  });
}

function labelOf(name: string, options: readonly Option[]): string | undefined {
  const same = (text: string | undefined) =>
    text !== undefined && plainLabel(text) === plainLabel(name);
  const byLabel = options.find(({ label }) => same(label));
  const byText = options.filter(({ text }) => same(text));
  return (byLabel ?? (byText.length === 1 ? byText[0] : undefined))?.label;
}
