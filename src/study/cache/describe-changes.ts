import { promptText, shownPrompt } from '../../evaluation/asked.ts';
import type { PlannedRequest } from '../../evaluation/evaluation.ts';
import { joinKeys, listChanges } from '../compare/list-changes.ts';

/** Where two values differ, in words: `temperature 0.5 → 1`. */
export function wordsOfChanges(
  before: unknown,
  after: unknown,
  options?: Parameters<typeof listChanges>[2],
): string[] {
  return listChanges(before, after, options).map(
    ({ path, a, b }) => `${path} ${a ?? 'not set'} → ${b ?? 'not set'}`,
  );
}

/** In what a request differs from another, by what is sent. */
export function requestChanges(before: PlannedRequest, after: PlannedRequest): string[] {
  const [left, right] = [before, after].map(({ asked }) => promptText(shownPrompt(asked)));
  const prompt = left === right ? [] : [describePrompt(left ?? '', right ?? '')];
  const sent = wordsOfChanges(settingsOf(before), settingsOf(after), { pathOf: joinKeys });
  return [...prompt, ...sent];
}

const promptKeys = ['prompt', 'messages', 'texts'];

/** What is sent beside the prompt; lists as a whole, as they are written. */
function settingsOf({ encoded }: PlannedRequest): unknown {
  const body: unknown = parseBody(encoded);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  return Object.fromEntries(
    Object.entries(body)
      .filter(([key]) => !promptKeys.includes(key))
      .map(([key, value]) => [key, Array.isArray(value) ? JSON.stringify(value) : value]),
  );
}

function parseBody(encoded: string): unknown {
  try {
    return JSON.parse(encoded);
  } catch {
    return undefined;
  }
}

const shownCharacters = 24;

function describePrompt(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  const show = (text: string) => JSON.stringify(text.slice(start, start + shownCharacters));
  return `prompt differs from character ${start}: ${show(before)} → ${show(after)}`;
}
