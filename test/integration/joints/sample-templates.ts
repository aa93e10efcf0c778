import type { Levels } from './factors.ts';

const letters = ['A', 'B', 'C', 'D'] as const;
const iceToken = '</E>';
const sepToken = '</S>';

const ask = 'Q: {question}\nA) {A} B) {B} C) {C} D) {D}';
const about = 'On {topic}, level {level} ({note}).';

/** The templates of an `infer_cfg`. */
export function sampleTemplates(levels: Levels): object {
  const hasShots = levels.examples !== 'none';
  const keys = {
    ...typeOf(levels),
    ...(levels.separator === 'sep-token' && { sep_token: sepToken }),
    ...(levels.template === 'column-tokens' && { column_token_map: columnTokens }),
  };
  const prompt = { ...keys, ...promptOf(levels), ...(hasShots && { ice_token: iceToken }) };
  if (levels.examples === 'ice-only') return { ice_template: prompt };
  if (!hasShots) return { prompt_template: prompt };
  return { ice_template: { ...keys, ...iceOf(levels) }, prompt_template: prompt };
}

function typeOf({ template, ask: asked }: Levels): object {
  switch (template) {
    case 'turns':
      return { type: asked.startsWith('chat') ? 'PromptTemplate' : 'MultiTurnPromptTemplate' };
    case 'media':
      return { type: 'MMPromptTemplate' };
    case 'messages':
      return { type: 'RawPromptTemplate' };
    default:
      return { type: 'PromptTemplate' };
  }
}

const columnTokens = {
  question: '</q>',
  ...Object.fromEntries(letters.map((letter) => [letter, `</${letter}>`])),
  topic: '</t>',
  level: '</l>',
  note: '</n>',
  answer: '</a>',
};

function withTokens(text: string): string {
  return Object.entries(columnTokens).reduce(
    (filled, [column, token]) => filled.replaceAll(`{${column}}`, token),
    text,
  );
}

function promptOf(levels: Levels): object {
  const shots = levels.examples === 'none' ? '' : iceToken;
  const mark = levels.separator === 'sep-token' ? sepToken : '';
  const text = (answer: string) => `${about}\n${shots}${ask}\nAnswer:${mark}${answer}`;
  const begin = shots === '' ? {} : { begin: [shots] };
  const round = (answer: string) => [
    { role: 'HUMAN', prompt: `${about} ${ask}` },
    { role: 'BOT', prompt: `${mark}${answer}` },
  ];
  const system = { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: `Be short. ${about}` };
  switch (levels.template) {
    case 'text':
      return { template: text(' {answer}') };
    case 'open-end':
      return { template: text('') };
    case 'column-tokens':
      return { template: withTokens(text(' {answer}')) };
    case 'dialogue':
      return { template: { ...begin, round: round('{answer}') } };
    case 'prefix':
      return { template: { ...begin, round: round('Answer: {answer}') } };
    case 'system':
      return {
        template: { begin: [system, ...(shots === '' ? [] : [shots])], round: round('{answer}') },
      };
    case 'messages':
      return { messages: messagesOf(levels) };
    case 'label-texts':
      return { template: byLabel((letter) => text(` ${letter}`)) };
    case 'label-dialogues':
      return { template: byLabel((letter) => ({ ...begin, round: round(letter) })) };
    case 'turns':
      return { template: turnsOf(levels) };
    case 'media':
      return { template: { ...begin, round: mediaRound } };
  }
}

function iceOf({ template, separator }: Levels): object {
  const mark = separator === 'sep-token' ? sepToken : '';
  const round = [
    { role: 'HUMAN', prompt: 'Q: {question}' },
    { role: 'BOT', prompt: `${mark}{answer}` },
  ];
  switch (template) {
    case 'dialogue':
    case 'prefix':
    case 'system':
    case 'label-dialogues':
      return { template: { round } };
    case 'media':
      return { template: { round: mediaRound } };
    case 'column-tokens':
      return { template: withTokens('Q: {question}\nAnswer: {answer}') };
    default:
      return { template: `Q: {question}\nAnswer:${mark} {answer}` };
  }
}

function byLabel<Template>(make: (letter: string) => Template): Record<string, Template> {
  return Object.fromEntries(letters.map((letter) => [letter, make(letter)]));
}

const mediaRound = [
  {
    role: 'HUMAN',
    prompt_mm: {
      image: { type: 'image_url', image_url: { url: 'file://{image}' } },
      text: { type: 'text', text: '{question} One letter.' },
    },
  },
  { role: 'BOT', prompt: '{answer}' },
];

function messagesOf({ media }: Levels): object[] {
  const content =
    media === 'none'
      ? ask
      : [
          { type: 'text', text: ask },
          { type: 'image_url', image_url: { url: '{image}' } },
        ];
  return [
    { role: 'system', content: about },
    { role: 'user', content },
    { role: 'assistant', content: '{answer}' },
  ];
}

/** Compat modes know no columns but question and answer. */
function turnsOf({ compat, media }: Levels): object {
  const style = compat === 'none' ? 'Be {style}.' : 'Be brief.';
  const said =
    media === 'none'
      ? { prompt: 'Q: {question}' }
      : { prompt_mm: { text: '{question}', image: 'file://{image}' } };
  return {
    begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: style }],
    round: [
      { role: 'HUMAN', ...said },
      { role: 'BOT', prompt: '{answer}' },
    ],
  };
}
