import type { ShownMessage, ShownPrompt, ShownRow, ShownSpan } from './documents.ts';

/** What is wrong with the prompts of a row: spans that do not join, requests that are not sent. */
export function checkPrompts({ prompts, requests, request }: ShownRow): string[] {
  const bodies = new Set(requests.map(({ body }) => JSON.stringify(body)));
  const own = [...prompts.map((prompt) => prompt.request), request ?? null];
  const unlisted = own.filter((each) => each && !bodies.has(JSON.stringify(each.body)));
  return [
    ...prompts.flatMap(checkSpans),
    ...unlisted
      .slice(0, 1)
      .map((each) => `a prompt has a request that \`requests\` lacks: ${JSON.stringify(each)}`),
  ];
}

function checkSpans({ prompt, spans }: ShownPrompt): string[] {
  const joined =
    prompt.type === 'text'
      ? joinSpans(spans as readonly ShownSpan[])
      : (spans as readonly { role: string; spans: readonly ShownSpan[] }[]).map((message) => ({
          role: message.role,
          content: joinSpans(message.spans),
        }));
  const wanted = prompt.type === 'text' ? prompt.text : prompt.messages.map(plainMessage);
  const [got, want] = [JSON.stringify(joined), JSON.stringify(wanted)];
  return got === want ? [] : [`spans join to ${got}, and the prompt is ${want}`];
}

function plainMessage({ role, content }: ShownMessage) {
  if (typeof content === 'string') return { role, content };
  return { role, content: content.map(({ text = '' }) => text).join('') };
}

/** Media are no text. */
function joinSpans(spans: readonly ShownSpan[]): string {
  return spans.map(({ text, media }) => (media ? '' : text)).join('');
}
