import { describe, expect, test } from 'vitest';
import { compileTemplate, defaultTemplate } from './prompt-template.ts';

const sample = {
  id: 'sample_001',
  imageId: '2407890',
  question: 'What color is the car?',
  answer: null,
  groups: { global: 'vehicles' },
  semantic: [{ operation: 'query', argument: 'color' }, { operation: 'filter' }],
};

test.each([
  [
    defaultTemplate,
    defaultTemplate.replace('{image_id}', '2407890').replace('{question}', sample.question),
  ],
  ['{question!r:.6}…', "'What …"],
  ['{dataset_id[0]}{image_id:>9}', 's  2407890'],
  ['{answer}|{full_answer}|{global_group}|{local_group}', 'None||vehicles|'],
  ['{semantic_program}', 'query:color | filter:'],
  ['  {question:{image_id[0]}}\t\n', 'What color is the car?'],
  ['{{question}}', '{question}'],
])('%s', (template, expected) => {
  expect(compileTemplate(template)(sample)).toBe(expected);
});

describe('a template that cannot be', () => {
  test.each([
    ['{quesion}', 'gqa.unknown_variable', 'Did you mean `{question}`?'],
    ['{question:{widht}}', 'gqa.unknown_variable', '{widht}'],
    ['{}', 'gqa.unknown_variable', 'Variables: question, image_id'],
    ['{question', 'gqa.bad_template', 'never closed'],
    ['{question!x}', 'gqa.bad_template', '`!x`'],
    ['a } b', 'gqa.bad_template', 'single `}`'],
  ])('%s is refused at once', (template, code, text) => {
    const path = ['experiments', 0, 'prompt_template'];
    const compile = () => compileTemplate(template, { path });
    expect(compile).toThrow(expect.objectContaining({ code, path }));
    try {
      compile();
    } catch (error) {
      const { message, hint } = error as Error & { hint: string };
      expect(`${message} ${hint}`).toContain(text);
    }
  });

  test.each(['{question:d}', '{question[99]}', '{question.size}'])(
    '%s names the sample',
    (template) => {
      expect(() => compileTemplate(template)(sample)).toThrow(
        expect.objectContaining({
          code: 'gqa.bad_template',
          message: expect.stringContaining('`sample_001`'),
        }),
      );
    },
  );
});

test.each([
  ['{quesion}|', '|'],
  ['{quesion[0]}', 'IndexError'],
  ['{question', 'ValueError'],
])('compat: %s', (template, expected) => {
  const fill = () => compileTemplate(template, { compat: '40a46a9' })(sample);
  if (/Error$/.test(expected))
    expect(fill).toThrow(expect.objectContaining({ pythonType: expected }));
  else expect(fill()).toBe(expected);
});
