import { describe, expect, test } from 'vitest';
import { originalExperiments, originalFlags } from './experiment2-settings.ts';
import { resolveSettings } from './resolve-settings.ts';
import { defaultSettings, type GqaSettings } from './settings.ts';
import { readSpec } from './spec.ts';

type Given = Partial<GqaSettings>;

interface Case {
  readonly flags?: Given;
  readonly entry?: Given;
  readonly defaults?: Given;
}

const presets = { mine: { description: 'ours', similarity_threshold: 0.6, split: 'preset' } };

function resolve({ flags = {}, entry = {}, defaults = {} }: Case) {
  const spec = readSpec({ defaults, presets, experiments: [{ name: 'x', ...entry }] });
  return resolveSettings({ flags, spec, experiment: spec.experiments[0] });
}

describe('what comes first', () => {
  test.each<[string, Case, Given]>([
    ['nothing', {}, { split: 'val', similarity_threshold: 0.8, max_samples: null }],
    ['defaults', { defaults: { split: 'd' } }, { split: 'd' }],
    [
      'a preset, before the defaults that name it',
      { defaults: { preset: 'mine', split: 'd', chunk_source: 'image' } },
      { split: 'preset', similarity_threshold: 0.6, chunk_source: 'image', preset: 'mine' },
    ],
    ['an entry, before its preset', { entry: { preset: 'mine', split: 'e' } }, { split: 'e' }],
    [
      'an entry that takes the preset away',
      { entry: { preset: null }, defaults: { preset: 'mine', split: 'd' } },
      { split: 'd', similarity_threshold: 0.8, preset: null },
    ],
    [
      'a flag, before everything',
      { flags: { split: 'f' }, entry: { split: 'e' }, defaults: { preset: 'mine' } },
      { split: 'f' },
    ],
    [
      'a flag that says what would hold anyway',
      { flags: { similarity_threshold: 0.8 }, entry: { preset: 'mine' } },
      { similarity_threshold: 0.8 },
    ],
    [
      'the preset of a flag',
      { flags: { preset: 'internvl3.5-2b' }, entry: { preset: 'mine' } },
      { split: 'val', similarity_threshold: 0.8, model: 'OpenGVLab/InternVL3_5-2B-Instruct' },
    ],
  ])('%s', (_, given, expected) => {
    expect(resolve(given).settings).toMatchObject(expected);
  });

  test('each setting knows its path', () => {
    const { paths } = resolve({
      flags: { split: 'f' },
      entry: { split: 'e', chunk_source: 'image' },
      defaults: { preset: 'mine', data: 'x.json' },
    });
    expect(Object.fromEntries(paths)).toMatchObject({
      chunk_source: ['experiments', 0, 'chunk_source'],
      similarity_threshold: ['presets', 'mine', 'similarity_threshold'],
      data: ['defaults', 'data'],
    });
    expect(paths.has('split')).toBe(false);
  });

  test('without a spec', () => {
    expect(resolveSettings({ flags: {} }).settings).toEqual(defaultSettings);
  });
});

describe('as the original', () => {
  test.each<[Given, Given]>([
    [{ preset: 'qwen3-vl-2b', similarity_threshold: 0.8 }, { similarity_threshold: 0.82 }],
    [{ preset: 'qwen3-vl-2b', similarity_threshold: 0.7 }, { similarity_threshold: 0.7 }],
    [
      { preset: 'qwen3-vl-2b', embedding_layers: [] },
      { embedding_layers: ['prompt:384:0.82', 'vision:512:0.85'] },
    ],
    [{ preset: 'qwen3-vl-2b' }, { notes: null, max_samples: 128, shuffle_seed: 7 }],
  ])('%j', (flags, expected) => {
    expect(originalFlags(flags)).toMatchObject(expected);
  });

  test.each([
    [[3], 'ValueError'],
    [[{ name: 'x' }], 'TypeError'],
    [[{ name: 'x', model: 'm', dataset: 'video' }], 'TypeError'],
    [{ experiments: [{ name: 'x', model: 'm', cache_max_size_gb: 1 }] }, 'TypeError'],
    [{ experiments: [{ name: 'x', preset: 'toString' }] }, 'ValueError'],
  ])('%j is a %s', (spec, pythonType) => {
    expect(() => originalExperiments(spec, { compat: '40a46a9' })).toThrow(
      expect.objectContaining({ pythonType }),
    );
  });

  test('a list, and a mapping', () => {
    const entry = { name: 'x', model: 'm', embedding_layers: 'prompt:8' };
    expect(originalExperiments([entry], { compat: '48bab23' })).toEqual(
      originalExperiments({ experiments: [entry] }, { compat: '48bab23' }),
    );
  });
});

describe('a spec that cannot be', () => {
  test.each<[unknown, string, (string | number)[], string]>([
    [{ experimets: [] }, 'config.unknown_key', ['experimets'], 'experiments'],
    [{}, 'config.wrong_type', ['experiments'], ''],
    [3, 'config.wrong_type', [], ''],
    [[{ promt_template: 'x' }], 'config.unknown_key', [0, 'promt_template'], 'prompt_template'],
    [[{ split: 'x' }], 'config.missing_key', [0], 'name'],
    [[{ name: 'x', max_samples: 'all' }], 'config.wrong_type', [0, 'max_samples'], ''],
    [[{ name: 'x', dataset: 'vido' }], 'config.unknown_value', [0, 'dataset'], 'video'],
    [
      [{ name: 'x', chunk_source: 'quesion' }],
      'gqa.unknown_chunk_source',
      [0, 'chunk_source'],
      'question',
    ],
    [
      [{ name: 'x', prompt_template: '{answr}' }],
      'gqa.unknown_variable',
      [0, 'prompt_template'],
      '{answer}',
    ],
    [
      [{ name: 'x', embedding_layers: ['a:8', 'promt'] }],
      'gqa.bad_embedding_layer',
      [0, 'embedding_layers', 1],
      'prompt:384:0.85',
    ],
    [
      { experiments: [], presets: { p: { splt: 'x' } } },
      'config.unknown_key',
      ['presets', 'p', 'splt'],
      'split',
    ],
    [
      { experiments: [], defaults: { temperature: true } },
      'config.wrong_type',
      ['defaults', 'temperature'],
      '',
    ],
  ])('%j', (spec, code, path, near) => {
    const hint = near === '' ? undefined : expect.stringContaining(`\`${near}\``);
    expect(() => readSpec(spec)).toThrow(
      expect.objectContaining({ code, path, ...(hint && { hint }) }),
    );
  });

  test.each([
    ['mne', 'mine'],
    ['qwen', 'qwen3-vl-2b'],
  ])('with the preset %s', (preset, near) => {
    expect(() => resolve({ entry: { preset } })).toThrow(
      expect.objectContaining({
        code: 'gqa.unknown_preset',
        path: ['experiments', 0, 'preset'],
        hint: expect.stringContaining(`Did you mean \`${near}\`?`),
      }),
    );
  });
});

test('one layer may stand without a list', () => {
  expect(
    resolve({ entry: { embedding_layers: 'prompt:8' as never } }).settings.embedding_layers,
  ).toEqual(['prompt:8']);
});
