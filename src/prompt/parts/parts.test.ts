import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatApiFormat, plainFormat } from '../format.ts';
import { compilePrompt, type PromptSettings } from '../program.ts';
import { untrace } from '../prompt.ts';
import { createShotPool, fillPrompt, tracePrompt } from '../render.ts';
import { shownSource } from './content.ts';
import { splitTagged } from './tagged-content.ts';

const closer = '<AIS_CONTENT_TAG>';
const image = '<AIS_IMAGE_START>';
const text = '<AIS_TEXT_START>';

describe('tagged content', () => {
  it('keeps what its segments hold, in order', () => {
    const value = fc.string().filter((part) => !part.includes('<'));
    const type = fc.constantFrom('text', 'image', 'audio', 'video');
    const segments = fc.array(fc.record({ type, value }));
    fc.assert(
      fc.property(segments, fc.boolean(), (parts, closesLast) => {
        const tagged = parts
          .map((part) => `<AIS_${part.type.toUpperCase()}_START>${part.value}`)
          .join(closer);
        expect(splitTagged(closesLast ? tagged + closer : tagged, 'c')).toEqual(parts);
      }),
    );
  });

  it.each([
    ['data.unknown_tag', `<AIS_IMAGES_START>a${closer}`],
    ['data.unknown_tag', `${image}a<AIS_CONTENT_TA`],
    ['data.tag_not_closed', `${image}a${text}b`],
    ['data.text_outside_tags', `a${image}b`],
    ['data.text_outside_tags', `${image}b${closer}c`],
  ])('is refused with %s: %s', (code, content) => {
    expect(() => splitTagged(content, 'c')).toThrow(expect.objectContaining({ code }));
  });
});

const parts = { text: { type: 'text', text: 'Q: {question}' }, image: '{image}' };

function settingsOf(prompt_mm: unknown = parts, more: object = {}): PromptSettings {
  return {
    promptTemplate: {
      type: 'MMPromptTemplate',
      template: {
        ...more,
        round: [
          { role: 'HUMAN', prompt_mm },
          { role: 'BOT', prompt: '{a}' },
        ],
      },
    },
    format: chatApiFormat,
    outputColumn: 'a',
  };
}

function sent(row: Record<string, unknown>, settings = settingsOf()) {
  const program = compilePrompt(settings);
  const prompt = fillPrompt(program, row);
  expect(untrace(tracePrompt(program, { id: 0, row }))).toEqual(prompt);
  return prompt.type === 'messages' ? prompt.messages : [];
}

describe('a turn in parts', () => {
  it('follows the order of the template, or that of tagged content', () => {
    const shown = { type: 'image', source: 'x.png' };
    expect(sent({ question: 'What?', image: 'x.png' })).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Q: What?' }, shown] },
    ]);
    const tagged = { question: `${image}x.png${closer}${text}one${closer}${text}two` };
    expect(sent(tagged)[0]?.content).toEqual([
      shown,
      { type: 'text', text: 'Q: one' },
      { type: 'text', text: 'Q: two' },
    ]);
    expect(sent({ content: tagged.question })).toEqual(sent(tagged));
  });

  it.each([
    ['file://{image}', '/a.png', 'file:///a.png'],
    ['file://{image}', 'file:///a.png', 'file:///a.png'],
    ['file://{image}', 'https://a.example/a.png', 'https://a.example/a.png'],
    ['data:image/jpeg;base64,{image}', 'AAAA', 'data:image/jpeg;base64,AAAA'],
    ['images/{image}.png', 7, 'images/7.png'],
    ['same.png', undefined, 'same.png'],
  ])('with the address %s and %j has the source %s', (address, value, source) => {
    const row = { question: 'q', ...(value !== undefined && { image: value }) };
    const [message] = sent(
      row,
      settingsOf({ image: { type: 'image_url', image_url: { url: address } } }),
    );
    expect(message?.content).toEqual([{ type: 'image', source }]);
  });

  it('stands beside text that the same role says as a part of its own', () => {
    const begin = [{ role: 'HUMAN', prompt: 'Look.' }];
    expect(
      sent({ question: 'q', image: 'x.png' }, settingsOf(parts, { begin }))[0]?.content,
    ).toEqual([
      { type: 'text', text: 'Look.' },
      { type: 'text', text: 'Q: q' },
      { type: 'image', source: 'x.png' },
    ]);
  });

  it('hides the answer, and shows it in examples', () => {
    const prompt_mm = { text: '{question} {a}', image: '{image}' };
    const settings = settingsOf(prompt_mm, { begin: ['</E>'] });
    const program = compilePrompt({
      ...settings,
      promptTemplate: { ...settings.promptTemplate, ice_token: '</E>' },
      iceTemplate: settingsOf(prompt_mm).promptTemplate,
      hasShots: true,
    });
    const pool = createShotPool(program, [{ id: 0, row: { question: 'e', a: 'A', image: '1' } }]);
    const row = { question: 'q', a: 'secret', image: '2' };
    const prompt = fillPrompt(program, row, pool?.take([0]));
    expect(JSON.stringify(prompt)).not.toContain('secret');
    expect(prompt).toEqual(untrace(tracePrompt(program, { id: 0, row }, pool?.take([0]))));
    expect(prompt.type === 'messages' && prompt.messages[0]?.content).toEqual([
      { type: 'text', text: 'e A' },
      { type: 'image', source: '1' },
    ]);
  });

  it.each([
    ['data.modality_not_in_template', { question: `<AIS_AUDIO_START>x${closer}` }],
    ['data.media_missing', { question: 'q' }],
    ['data.media_missing', { question: 'q', image: null }],
    ['data.media_missing', { question: 'q', image: [] }],
  ])('refuses a row with %s: %j', (code, row) => {
    expect(() => sent(row)).toThrow(expect.objectContaining({ code }));
  });

  it('names the columns that are empty, and no others', () => {
    const image = { image_url: { url: '{folder}/{image}', detail: '{level}' } };
    const program = compilePrompt(settingsOf({ text: '{question}', image }));
    const row = { question: 'q', folder: 'f', image: '', level: 'low' };
    expect(() => fillPrompt(program, row)).toThrow('but the row has nothing in `image`');
  });

  it.each([
    ['template.unknown_modality', settingsOf({ picture: '{image}' })],
    ['template.wrong_type', settingsOf({})],
    ['template.wrong_type', settingsOf({ image: { type: 'image_url' } })],
    ['template.media_need_messages', { ...settingsOf(), format: plainFormat }],
    [
      'template.prompt_twice',
      {
        ...settingsOf(),
        promptTemplate: {
          type: 'MMPromptTemplate',
          template: { round: [{ role: 'HUMAN', prompt: 'x', prompt_mm: parts }] },
        },
      },
    ],
    [
      'template.media_in_text_template',
      {
        ...settingsOf(),
        promptTemplate: { ...settingsOf().promptTemplate, type: 'PromptTemplate' },
      },
    ],
  ])('is refused in a template with %s', (code, settings) => {
    expect(() => compilePrompt(settings)).toThrow(expect.objectContaining({ code }));
  });
});

it('damaged base64 is not shown, and paths are', () => {
  const damaged = `iVBORw0KGgo!${'A'.repeat(80)}`;
  expect(shownSource(damaged)).toBe(`base64 … (${damaged.length} characters)`);
  expect(shownSource(`${'Ab3'.repeat(100)}!`)).toBe('base64 … (301 characters)');
  expect(shownSource('images/a/b.png')).toBe('images/a/b.png');
  const long = `images/${'deep/'.repeat(60)}a.png`;
  expect(shownSource(long)).toMatch(/^images\/deep/);
});
