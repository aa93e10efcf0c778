import type { Levels } from './factors.ts';
import { type SampleRow, sampleRows } from './sample-rows.ts';

/** Where the rows of a dataset are, with the files that they are in. */
export interface SampleSource {
  readonly source: object;
  readonly files: Readonly<Record<string, string | Buffer>>;
}

const dialogueTypes: Partial<Record<Levels['data'], string>> = {
  'share-gpt': 'ShareGPT',
  'wire-messages': 'Messages',
};

export function sampleSource(levels: Levels): SampleSource {
  const { test, train, media } = sampleRows(levels);
  const { source, files } = placeRows(levels.data, test, train);
  const type = dialogueTypes[levels.data];
  return { source: { ...(type && { type }), ...source }, files: { ...files, ...media } };
}

type Rows = readonly SampleRow[];

/** One place for all rows, or one for each split. */
function placeRows(data: Levels['data'], test: Rows, train: Rows): SampleSource {
  switch (data) {
    case 'inline':
      return { source: { rows: test }, files: {} };
    case 'inline-splits':
      return { source: { rows: { test, train } }, files: {} };
    case 'json':
      return { source: { path: 'rows.json' }, files: { 'rows.json': JSON.stringify(test) } };
    case 'csv':
      return { source: { path: 'rows.csv' }, files: { 'rows.csv': csvOf(test) } };
    case 'parts':
      return {
        source: { path: { train: 'train.jsonl', test: 'part-*.jsonl' } },
        files: {
          'train.jsonl': linesOf(train),
          'part-1.jsonl': linesOf(test.slice(0, 3)),
          'part-2.jsonl': linesOf(test.slice(3)),
        },
      };
    case 'split-files':
      return {
        source: { path: { train: 'train.jsonl', test: 'test.jsonl' } },
        files: { 'train.jsonl': linesOf(train), 'test.jsonl': linesOf(test) },
      };
    default:
      return { source: { path: 'rows.jsonl' }, files: { 'rows.jsonl': linesOf(test) } };
  }
}

/** Whole numbers are written as floats, which prompts have to keep. */
function linesOf(rows: Rows): string {
  return rows
    .map((row) => `${JSON.stringify(row).replace(/"level":(\d+),/, '"level":$1.0,')}\n`)
    .join('');
}

function csvOf(rows: Rows): string {
  const columns = Object.keys(rows[0] ?? {});
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','));
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}
