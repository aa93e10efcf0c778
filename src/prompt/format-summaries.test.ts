import { expect, test } from 'vitest';
import { namedFormats } from './catalogue.ts';
import { formatSummaries } from './format-summaries.ts';

test('all formats have a summary', () => {
  expect(Object.keys(formatSummaries)).toEqual(namedFormats.map(({ name }) => name));
});
