import { ModelError } from '../../errors.ts';
import type { TextPrompt } from '../../prompt/prompt.ts';
import type { Model } from '../model.ts';
import { embedTexts, readPooling } from './embed-texts.ts';
import { checkGenerationSettings, readGenerationSettings } from './generation-settings.ts';
import {
  type LocalAsking,
  localIdentity,
  localRequests,
  localTarget,
  withDefaults,
} from './local-request.ts';
import { measureTexts } from './measure-texts.ts';
import { hashModel } from './model-folder.ts';
import { type LocalParts, type LocalSettings, openLocal } from './open-local.ts';
import { PromptTokens } from './prompt-tokens.ts';
import { writeAnswer } from './write-answer.ts';

/** A model on this machine, and how it is asked. */
export interface LocalModelSettings extends LocalSettings, LocalAsking {
  /** How the run calls the model; the folder's name by default. */
  readonly name?: string | undefined;
}

/**
 * A language model or a text encoder in a Hugging Face folder with ONNX weights.
 *
 * @example
 * const model = await localModel({ path: 'models/typecase-tiny' });
 * const request = { prompt: { type: 'text', text: '12+30=' }, stop: ['\n'] } as const;
 * const { text } = await model.generate(request, { signal: AbortSignal.timeout(5000) }); // '42'
 */
export async function localModel(settings: LocalModelSettings): Promise<Model> {
  const { generationKwargs = {}, source } = settings;
  checkGenerationSettings(
    generationKwargs,
    source && [...source.slice(0, -1), 'generation_kwargs'],
  );
  const parts = await openLocal(settings);
  const { engine, folder, tokenizer } = parts;
  const common = {
    name: settings.name ?? folder.name,
    identity: localIdentity(await hashModel(folder), settings),
    target: localTarget(folder),
    countTokens: (text: string) => tokenizer.encode(text).length,
    tokenize: (text: string) => tokenizer.encode(text),
    idsOf: (prompt: TextPrompt) => [...new PromptTokens(parts).idsOf(prompt)],
    close: () => engine.close(),
  };
  return engine.facts.type === 'causal'
    ? { ...common, ...languageModel(parts, settings) }
    : { ...common, ...encoder(parts, settings) };
}

type Abilities = Pick<
  Model,
  'abilities' | 'facts' | 'encode' | 'generate' | 'loglikelihoodModel' | 'embedder'
>;

function languageModel(parts: LocalParts, settings: LocalModelSettings): Abilities {
  const prompts = new PromptTokens(parts);
  const { encode, encodeTexts } = localRequests(prompts, settings);
  return {
    abilities: new Set(['generate', 'stream', 'loglikelihood', 'next-token', 'tokenize']),
    facts: { contextLength: parts.contextLength },
    encode,
    async generate(request, { signal }) {
      const ids = prompts.idsOf(request.prompt);
      const { maxTokens, stop, settings: given } = withDefaults(settings, request);
      const own = readGenerationSettings(given);
      return writeAnswer(parts, { ids, maxTokens, stop, settings: own }, { signal });
    },
    loglikelihoodModel: {
      encode: encodeTexts,
      measure: async ({ texts }, { signal }) => measureTexts(parts, texts, { signal }),
    },
  };
}

function encoder(parts: LocalParts, settings: LocalModelSettings): Abilities {
  const pooling = readPooling(parts.folder, settings);
  const abilities: Model['abilities'] = new Set(['embed', 'tokenize']);
  const { name } = parts.folder;
  const refuse = (): never => {
    throw new ModelError(
      'model.ability_missing',
      `\`${name}\` is an encoder and cannot generate text`,
      {
        retryable: false,
        hint: 'Use it for embeddings, or give a language model.',
      },
    );
  };
  return {
    abilities,
    encode: refuse,
    generate: async () => refuse(),
    embedder: { embed: async (texts, { signal }) => embedTexts(parts, texts, { pooling, signal }) },
  };
}
