import type { WireBody } from './wire-body.ts';

/** The first verdict that the prompt allows, or a grade in the middle of the scale. */
export function replyAsJudge({ messages = [], prompt }: WireBody): string {
  const asked = [...messages.map(({ content }) => content), prompt].map(String).join('\n');
  const [, field, value] = /where "(\w+)" is (a number|"[^"]+")/.exec(asked) ?? [];
  if (field === undefined || value === undefined) return 'A';
  return `{"reason":"r","${field}":${value === 'a number' ? 5 : value}}`;
}
