import type { ChatBody, ChatReply } from '../functions/chat-server.ts';

/** What the models of the configs here say: what they are told to repeat, calls of tools, and verdicts. */
export function answerTo({ model, messages }: ChatBody): ChatReply | string {
  const asked = messages.map(({ content }) => content).join('\n');
  const isBad = asked.includes('quux');
  if (model === 'rubric-judge') {
    const score = Number(/score-(0\.\d)/.exec(asked)?.[1] ?? Number(!isBad));
    return JSON.stringify({ reason: 'by its words', pass: !isBad, score });
  }
  if (model === 'fact-judge')
    return JSON.stringify({ category: isBad ? 'D' : 'C', reason: 'by its words' });
  if (model === 'qa-judge') return `By its words.\n${isBad ? 'N' : 'Y'}`;
  const told = asked.split('Repeat:\n')[1];
  if (told === undefined) return translated(model, asked);
  const calls = [...told.matchAll(/([a-z_]+) (\{.*?\})/g)];
  if (model !== 'caller' || calls.length === 0) return told;
  return {
    tool_calls: calls.map(([, name, given], index) => ({
      id: `call-${index}`,
      type: 'function',
      function: { name, arguments: given },
    })),
  };
}

function translated(model: string, asked: string): string {
  if (/French/.test(asked)) return 'Bonjour le monde';
  return model === 'small' ? '¿Qué?' : '¿Dónde está la biblioteca?';
}
