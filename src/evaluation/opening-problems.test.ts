import { expect, test } from 'vitest';
import type { LoadedConfig } from '../config/loaded-config.ts';
import { ConfigError } from '../errors.ts';
import { OpeningProblems } from './opening-problems.ts';

const written = {} as LoadedConfig;
const fault = (message: string) => new ConfigError('config.missing_key', message);

test('what is wrong with a config is kept, once, and thrown together', () => {
  const problems = new OpeningProblems(written);
  problems.check();
  problems.add(fault('one'));
  problems.add(fault('one'));
  expect(() => problems.check()).toThrow('one');
  problems.add(fault('two'));
  expect(() => problems.check()).toThrow(
    expect.objectContaining({ problems: [expect.anything(), expect.anything()] }),
  );
});

test('what is no fault of the config is thrown at once', () => {
  const error = new RangeError('a defect');
  expect(() => new OpeningProblems(written).add(error)).toThrow(error);
});
