import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TypecaseError } from '../errors.ts';
import type { ChatTemplateMessage } from '../prompt/conversation.ts';
import { loadChatTemplate } from './load.ts';
import { renderChatTemplate } from './render.ts';

type Result =
  | { readonly text: string }
  | { readonly refused: string }
  | { readonly failed: true }
  | { readonly invalid: true };

interface Conversation {
  readonly messages: readonly ChatTemplateMessage[];
  readonly tools?: boolean;
  readonly documents?: boolean;
  readonly variables?: Record<string, unknown>;
}

const folder = new URL('../../test/vectors/chat-templates/', import.meta.url);
const readText = (path: string) => readFileSync(new URL(path, folder), 'utf8');

const cases: {
  special_tokens: Record<string, string>;
  now: [number, number, number, number, number, number];
  tools: unknown[];
  documents: unknown[];
  conversations: Record<string, Conversation>;
} = JSON.parse(readText('cases.json'));
const features: { variables: Record<string, unknown> } = JSON.parse(readText('features.json'));
const expected: {
  conversations: Record<string, Result>;
  features: Record<string, Result>;
} = JSON.parse(readText('expected.json'));
const [year, month, ...time] = cases.now;
const now = new Date(year, month - 1, ...time);

/** What happens, in the words of the recorded results. */
function outcome(load: () => () => string): Result {
  let render: () => string;
  try {
    render = load();
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    return { invalid: true };
  }
  try {
    return { text: render() };
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    const refusal = error.code === 'chat_template.refused' && (error.cause as Error).message;
    return refusal ? { refused: refusal } : { failed: true };
  }
}

describe('conversations render as in Python', () => {
  const files = readdirSync(new URL('templates/', folder));
  test.each(files)('%s', (file) => {
    const config = { ...cases.special_tokens, chat_template: readText(`templates/${file}`) };
    const template = loadChatTemplate(config);
    for (const [name, conversation] of Object.entries(cases.conversations)) {
      for (const addGenerationPrompt of [false, true]) {
        const key = `${file.replace('.jinja', '')} / ${name} / ${addGenerationPrompt}`;
        const input = {
          ...conversation,
          tools: conversation.tools ? cases.tools : undefined,
          documents: conversation.documents ? cases.documents : undefined,
          addGenerationPrompt,
          now,
        };
        const result = outcome(() => () => renderChatTemplate(template, input));
        expect(result, key).toEqual(expected.conversations[key]);
      }
    }
  });

  test('nothing recorded is left out', () => {
    const count = files.length * Object.keys(cases.conversations).length * 2;
    expect(Object.keys(expected.conversations)).toHaveLength(count);
  });
});

/** Refused when the template is read, although Python only fails when it gets there. */
const earlier = new Set(['{{ undefined_name() }}']);

describe('single features work as in Python', () => {
  test.each(Object.entries(expected.features))('%s', (source, recorded) => {
    const result = outcome(() => {
      const template = loadChatTemplate(source);
      const { variables } = features;
      return () =>
        renderChatTemplate(template, { messages: [], addGenerationPrompt: false, variables, now });
    });
    expect(result).toEqual(earlier.has(source) ? { invalid: true } : recorded);
  });
});
