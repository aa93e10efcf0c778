import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { DataError, ModelError } from '../errors.ts';
import { contentText } from '../prompt/parts/content.ts';
import type { GenerateRequest, Model } from './model.ts';
import { parseReplayAnswers } from './replay-answers.ts';

/**
 * A model that gives recorded answers: from a run log, or from a JSONL file whose lines have an
 * `answer` and a `key`, a `prompt` or an `id`.
 */
export async function replayModel(file: string): Promise<Model> {
  const text = await readText(file);
  const answers = parseReplayAnswers(text, file);
  return {
    name: basename(file),
    abilities: new Set(['generate']),
    identity: { type: 'replay', sha256: createHash('sha256').update(text).digest('hex') },
    target: { to: `the recorded answers ${basename(file)}` },
    encode: ({ prompt, id }) => JSON.stringify({ prompt, id }),
    // Answers are looked for by the key, then by the prompt, then by the number of the row.
    bodiesOf: async (request) =>
      'prompt' in request
        ? [JSON.stringify({ key: request.key, prompt: request.prompt, id: request.id })]
        : [],
    async generate(request, { signal }) {
      signal.throwIfAborted();
      const answer = answers.find(request);
      if (!answer) throw notRecorded(file, request);
      return { ...answer, totalMs: 0 };
    },
    close: async () => undefined,
  };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new DataError('model.replay_file', `the recorded answers cannot be read: ${cause}`, {
      cause,
      hint: 'Check the path of the file.',
    });
  }
}

function notRecorded(file: string, { id, prompt }: GenerateRequest): ModelError {
  const text =
    prompt.type === 'text' ? prompt.text : contentText(prompt.messages.at(-1)?.content ?? '');
  const row = id === undefined ? '' : ` of row ${JSON.stringify(id)}`;
  const shown = text.length > 80 ? `…${text.slice(-80)}` : text;
  // The same for all rows, so that reports count one reason.
  return new ModelError('model.not_recorded', `${basename(file)} holds no answer to the prompt`, {
    retryable: false,
    hint: `The prompt${row} is ${JSON.stringify(shown)}: record an answer, or ask a model.`,
  });
}
