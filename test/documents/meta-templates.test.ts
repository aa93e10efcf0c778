import { describe, expect, it } from 'vitest';
import { type ModelFormat, plainFormat } from '../../src/prompt/format.ts';
import { parseMetaTemplate } from '../../src/prompt/meta-template.ts';
import { compileLabelPrompts, compilePrompt } from '../../src/prompt/program.ts';
import { fillPrompt } from '../../src/prompt/render.ts';

/** The MOSS meta template of document 002. */
const moss = {
  begin: 'meta instruction\nYou are an AI assistant.\n',
  round: [
    { role: 'HUMAN', begin: '<|HUMAN|>:', end: '脷\n' },
    { role: 'THOUGHTS', begin: '<|Inner Thoughts|>:', end: '茔\n', prompt: 'None' },
    { role: 'COMMANDS', begin: '<|Commands|>:', end: '蝮\n', prompt: 'None' },
    { role: 'RESULTS', begin: '<|Results|>:', end: '兒\n', prompt: 'None' },
    { role: 'BOT', begin: '<|MOSS|>:', generate: true, end: '氡\n' },
  ],
  end: 'end of conversion',
  reserved_roles: [{ role: 'SYSTEM', begin: '<|SYSTEM|>: ', end: '\n' }],
  eos_token_id: 65605,
};
const meta = parseMetaTemplate(moss, 'text', ['meta_template']);
const format: ModelFormat = { type: 'text', meta };

function render(template: unknown, data: Record<string, unknown>, mode: 'gen' | 'ppl', more = {}) {
  const program = compilePrompt({ promptTemplate: { template, ...more }, format }, mode);
  const prompt = fillPrompt(program, data);
  return prompt.type === 'text' ? prompt.text : undefined;
}

/** The document prints a space after each role mark and writes line ends out; text is the same. */
function asPrinted(text: string | undefined) {
  return text?.replaceAll('\\n', '').replaceAll(/\s+/g, '');
}

const rounds = '<|Inner Thoughts|>:None茔\n<|Commands|>:None蝮\n<|Results|>:None兒\n';

describe('the meta template of document 002', () => {
  const empty = {
    round: [
      { role: 'HUMAN', prompt: '' },
      { role: 'BOT', prompt: '' },
    ],
  };

  it('writes every role around what is said', () => {
    const text = render(empty, {}, 'ppl');
    expect(text).toBe(`${moss.begin}<|HUMAN|>:脷\n${rounds}<|MOSS|>:氡\nend of conversion`);
    expect(asPrinted(text)).toBe(
      asPrinted(`meta instructionYou are an AI assistant.
<|HUMAN|>: 脷\\n
<|Inner Thoughts|>: None茔\\n<|Commands|>: None蝮\\n<|Results|>: None兒\\n
<|MOSS|>: 氡\\n
end of conversion`),
    );
  });

  it('stops after the beginning of the role that generates', () => {
    expect(render(empty, {}, 'gen')).toBe(`${moss.begin}<|HUMAN|>:脷\n${rounds}<|MOSS|>:`);
  });

  it('keeps the end-of-sequence token id', () => {
    expect(meta.eosTokenIds).toEqual([65605]);
  });
});

const lake = {
  input: 'Which of the following is NOT a characteristic of an oligotrophic lake?',
  A: 'Low nutrient levels',
  B: 'High altitudes',
  C: 'Shallow water',
  D: 'Sand or gravel bottom',
  target: 'A',
};
const subject = 'The following are multiple choice questions (with answers) about college biology.';
const mmlu = {
  begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: subject }, '</E>'],
  round: [
    { role: 'HUMAN', prompt: '</input>\nA. </A>\nB. </B>\nC. </C>\nD. </D>\nAnswer: ' },
    { role: 'BOT', prompt: '</target>' },
  ],
  end: 'end of dataset prompt template.',
};
const tokens = {
  column_token_map: {
    input: '</input>',
    A: '</A>',
    B: '</B>',
    C: '</C>',
    D: '</D>',
    target: '</target>',
  },
  ice_token: '</E>',
};

describe('a dataset template with column tokens (document 002)', () => {
  it('is filled in and put into the meta template', () => {
    const text = render(mmlu, lake, 'ppl', tokens);
    expect(text).toBe(
      `${moss.begin}<|SYSTEM|>: ${subject}\n<|HUMAN|>:${lake.input}\nA. ${lake.A}\nB. ${lake.B}\n` +
        `C. ${lake.C}\nD. ${lake.D}\nAnswer: 脷\n${rounds}<|MOSS|>:A氡\n` +
        'end of dataset prompt template.end of conversion',
    );
    expect(asPrinted(text)).toBe(
      asPrinted(`meta instruction
You are an AI assistant.
<|SYSTEM|>: The following are multiple choice questions (with answers) about college biology.
<|HUMAN|>: Which of the following is NOT a characteristic of an oligotrophic lake?
A. Low nutrient levels
B. High altitudes
C. Shallow water
D. Sand or gravel bottom
Answer: 脷\\n
<|Inner Thoughts|>: None茔\\n
<|Commands|>: None蝮\\n
<|Results|>: None兒\\n
<|MOSS|>: A氡\\n
end of dataset prompt template.
end of conversion`),
    );
  });

  it('falls back to another role where the meta template has no SYSTEM', () => {
    const { reserved_roles, ...withoutSystem } = moss;
    const own: ModelFormat = {
      type: 'text',
      meta: parseMetaTemplate(withoutSystem, 'text', ['meta_template']),
    };
    const program = compilePrompt(
      { promptTemplate: { template: mmlu, ...tokens }, format: own },
      'gen',
    );
    const prompt = fillPrompt(program, lake);
    expect(prompt.type === 'text' && prompt.text).toContain(
      `<|HUMAN|>:${subject}脷\n<|HUMAN|>:Which`,
    );
    expect(reserved_roles).toHaveLength(1);
  });

  it('may stand once per label', () => {
    const template = Object.fromEntries(
      ['A', 'B', 'C', 'D'].map((target) => [
        target,
        { begin: mmlu.begin, round: [mmlu.round[0], { role: 'BOT', prompt: target }] },
      ]),
    );
    const programs = compileLabelPrompts({ promptTemplate: { template, ...tokens }, format });
    const texts = programs.map(({ program }) => fillPrompt(program, lake));
    expect(texts.map((prompt) => prompt.type === 'text' && prompt.text.slice(-30))).toEqual(
      ['A', 'B', 'C', 'D'].map((label) =>
        `<|Results|>:None兒\n<|MOSS|>:${label}氡\nend of conversion`.slice(-30),
      ),
    );
  });
});

describe('without a meta template (document 002)', () => {
  it('prints begin, prompt and end of each item, one line each', () => {
    const template = {
      round: [
        { role: 'HUMAN', begin: 'Q: ', prompt: '{input}', end: '!' },
        { role: 'BOT', prompt: 'A:' },
      ],
    };
    const program = compilePrompt({ promptTemplate: { template }, format: plainFormat });
    expect(fillPrompt(program, { input: 'why' })).toEqual({ type: 'text', text: 'Q: why!\nA:' });
  });
});
