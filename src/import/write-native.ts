import { Document } from 'yaml';
import { Float } from '../prompt/values.ts';
import type { NativeConfig } from './native-config.ts';
import type { Plain } from './plain-value.ts';
import { columnsOf } from './require-rows.ts';

/** The text of a native config: what differs from the original is said in comments. */
export function writeNative({ value, notes, hashes }: NativeConfig, source: string): string {
  const datasets = (value.datasets as readonly Plain[]).map(withRows);
  const config = { ...value, datasets: datasets.map(({ dataset }) => dataset) };
  const document = new Document(config, {
    aliasDuplicateObjects: false,
  });
  const lines = [
    `Made from ${source} by \`typecase import\`.`,
    ...notes.map(({ name, text }) => `${name}: ${text}.`),
    ...[...hashes].map(([abbr, hash]) => `Prompt hash of ${abbr}: ${hash.slice(0, 6)}.`),
    ...datasets.flatMap(({ remark }) => remark ?? []),
  ];
  return `${lines.map((line) => `# ${line.replaceAll('\n', ' ')}\n`).join('')}${document.toString({ lineWidth: 0 })}`;
}

/** A dataset whose rows are not known names a file that is to be put there. */
function withRows(dataset: Plain): { readonly dataset: Plain; readonly remark?: string } {
  const clean = plainNumbers(dataset) as Plain;
  if (clean.path !== undefined || clean.rows !== undefined) return { dataset: clean };
  const { abbr, reader_cfg: reader, ...rest } = clean;
  const path = `${String(abbr).replaceAll('/', '_')}.jsonl`;
  const names = columnsOf(clean).join(', ');
  return {
    dataset: { abbr, path, reader_cfg: reader, ...rest },
    remark: `Put the rows of ${abbr} into ${path}, with the columns ${names}.`,
  };
}

function plainNumbers(value: unknown): unknown {
  if (value instanceof Float) return value.value;
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (value instanceof Map) {
    return new Map([...value].map(([key, item]) => [key, plainNumbers(item)]));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainNumbers(item)]));
}
