import { expect, test } from 'vitest';
import { spellModels } from './config-of-sources.ts';

const namesOf = (models: readonly string[], modelName?: string) =>
  spellModels({ modelName }, models).map(({ abbr }) => abbr);

test.each([
  [['http://a:1/v1', 'http://b:1/v1'], undefined, ['a:1', 'b:1']],
  [['http://u:secret@a:1/x?key=k', 'http://a:1/y'], undefined, ['a:1/x', 'a:1/y']],
  [['http://a:1/v1', 'typecase-tiny'], 'm', ['a:1/v1', 'typecase-tiny']],
  [['http://a:1/v1'], 'm', ['m']],
  [['test/vectors', 'src'], undefined, ['vectors', 'src']],
  [['src/model', 'docs/../src/model'], undefined, ['src/model', 'docs/../src/model']],
])('%j called %s', (models, modelName, names) => {
  expect(namesOf(models, modelName)).toEqual(names);
});
