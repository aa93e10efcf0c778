import { expect, test } from 'vitest';
import type { RunFile } from './run-file.ts';
import { overridesOf } from './run-file-parts.ts';

const overrides = (settings: object) => overridesOf({ settings } as unknown as RunFile);

test.each(['opencompass', 'aisbench', 'none'])(
  'the compat mode %s of a run is taken over',
  (compat) => {
    expect(overrides({ compat })).toEqual({ maxOutLen: undefined, compat });
  },
);

test.each([
  [{ compat: 'other' }, { maxOutLen: undefined }],
  [
    { maxOutLen: 3, temperature: 0 },
    { maxOutLen: 3, temperature: 0 },
  ],
  [{ temperature: '1' }, { maxOutLen: undefined }],
])('%j', (settings, expected) => {
  expect(overrides(settings)).toEqual(expected);
});
