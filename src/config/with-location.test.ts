import { expect, test } from 'vitest';
import { loadText } from '../../test/fixtures/config/write-config.ts';
import { DataError, ModelError, TemplateError, TypecaseError } from '../errors.ts';
import { CompatError } from '../python/compat-error.ts';
import { withLocation } from './with-location.ts';

const yaml = 'datasets:\n  - template:\n      rond: [x]\n';

test.each([
  ['template.wrong_type', 3, 13],
  ['template.unknown_key', 3, 7],
])('fills the place of %s', async (code, line, column) => {
  const loaded = await loadText('c.yaml', yaml);
  const path = ['datasets', 0, 'template', 'rond'];
  const cause = new Error('inner');
  const error = new TemplateError(code, 'bad', { path, hint: 'fix', cause });
  const placed = withLocation(loaded, error);
  expect(placed).toBeInstanceOf(TemplateError);
  expect(placed).toMatchObject({ code, message: 'bad', hint: 'fix', path, cause });
  expect(placed.at).toEqual({ file: loaded.file, line, column });
  expect(placed.stack).toBe(error.stack);
  expect(error.at).toBeUndefined();
});

test.each([
  new CompatError({ type: 'KeyError', message: "'x'", what: 'no x', path: ['datasets', 0] }),
  new ModelError('model.x', 'bad', { retryable: true, status: 500, path: ['datasets', 0] }),
])('keeps all that %s says', async (error) => {
  const loaded = await loadText('c.yaml', yaml);
  const placed = withLocation(loaded, error);
  expect(placed).toEqual(Object.assign(error, { at: loaded.locate(['datasets', 0]) }));
  expect(placed.constructor).toBe(error.constructor);
  expect(TypecaseError.isInstance(placed)).toBe(true);
});

test('leaves other errors alone', async () => {
  const loaded = await loadText('c.yaml', yaml);
  const at = { file: 'other', line: 9, column: 9 };
  for (const error of [
    new Error('x'),
    new DataError('data.x', 'no path'),
    new DataError('data.x', 'has a place', { path: ['datasets'], at }),
    'thrown text',
  ]) {
    expect(withLocation(loaded, error)).toBe(error);
  }
});
