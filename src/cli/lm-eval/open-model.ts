import { modelDefaults } from '../../config/run-defaults.ts';
import { aiSdkModel, type Model, openAiModel, requireAbilities } from '../../model/index.ts';
import { findLikelihood } from '../../model/openai-model.ts';
import { findLocalModel } from '../find-local-model.ts';
import { hintForName, UsageError } from '../usage-error.ts';
import type { TokenLimit } from './fit-context.ts';
import { type ModelArgs, parseModelArgs } from './model-args.ts';

/** A model with how its answers are found out. */
export interface OpenedModel {
  readonly model: Model;
  /** `weigh`: choices by their likelihood. `generate`: choices by where an answer mentions them. */
  readonly mode: 'weigh' | 'generate';
  /** Whether an answer is searched for the compatible form of a choice as well. */
  readonly alsoNormalized: boolean;
  /** How many documents may be under way at once. */
  readonly concurrency: number;
  /** What fits into the model, where that is known. */
  readonly limit: TokenLimit | undefined;
}

type Opening = Omit<OpenedModel, 'concurrency' | 'limit'>;

/** How a model is reached. */
interface Reaching {
  readonly args: ModelArgs;
  readonly concurrency: number;
  readonly timeoutMs: number;
}

const local = ({ args }: Reaching) => openLocal(required(args, 'pretrained'));
const completions = (reaching: Reaching) => openCompletions(reaching);
const chat = (reaching: Reaching) => openGenerating(reaching, 'messages');

const kinds: Readonly<Record<string, (reaching: Reaching) => Promise<Opening>>> = {
  hf: local,
  'hf-causal': local,
  'hf-causal-experimental': local,
  local,
  'local-completions': completions,
  'openai-completions': completions,
  'local-chat-completions': chat,
  'openai-chat-completions': chat,
  openai: chat,
  'self-hosted-1': (reaching) => openGenerating(reaching, 'text'),
  'self-hosted-chat-1': chat,
  anthropic: (reaching) =>
    openProvider(reaching, { package: '@ai-sdk/anthropic', key: 'ANTHROPIC_API_KEY' }),
  vertexai: (reaching) =>
    openProvider(reaching, { package: '@ai-sdk/google-vertex', key: undefined }),
  dummy: async () => weighing((await import('./dummy-model.ts')).dummyModel()),
};

/** Opens the model that `--model` and `--model_args` describe. */
export async function openLmEvalModel(options: {
  readonly model: string;
  readonly model_args: string;
  readonly batch_size?: string;
  readonly timeout?: number;
}): Promise<OpenedModel> {
  const open = Object.hasOwn(kinds, options.model) ? kinds[options.model] : undefined;
  if (!open) {
    throw new UsageError(
      'usage.unknown_model_kind',
      `there is no kind of model \`${options.model}\``,
      {
        hint: hintForName(options.model, { names: Object.keys(kinds), kind: 'Kinds' }),
      },
    );
  }
  const args = parseModelArgs(options.model_args);
  const wanted = Number(args.num_concurrent ?? options.batch_size);
  const concurrency = wanted > 0 ? wanted : usualConcurrency;
  const timeoutMs = (options.timeout ?? modelDefaults.timeout) * 1000;
  const opened = await open({ args, concurrency, timeoutMs });
  return { ...opened, concurrency, limit: limitOf(opened.model, args) };
}

/** The model's own length, or what `max_length` says. */
function limitOf({ countTokens, facts }: Model, args: ModelArgs): TokenLimit | undefined {
  const maxTokens = Number(args.max_length ?? facts?.contextLength);
  return countTokens && maxTokens > 0 ? { maxTokens, countTokens } : undefined;
}

const usualConcurrency = 16;

function required(args: ModelArgs, key: keyof ModelArgs): string {
  const value = args[key];
  if (value) return value;
  throw new UsageError('usage.model_arg_missing', `this kind of model needs \`${key}\``, {
    hint: `Add --model_args ${key}=…`,
  });
}

function weighing(model: Model): Opening {
  requireAbilities(model, ['loglikelihood'], 'weighing choices');
  return { model, mode: 'weigh', alsoNormalized: false };
}

async function openLocal(path: string): Promise<Opening> {
  const { localModel } = await import('../../model/local/local-model.ts');
  return weighing(await localModel({ path: await findLocalModel(path) }));
}

async function openCompletions(reaching: Reaching): Promise<Opening> {
  const settings = endpointOf(reaching, 'text');
  const likelihood = await findLikelihood(settings, AbortSignal.timeout(probeMs));
  return weighing(openAiModel({ ...settings, likelihood }));
}

const probeMs = 60_000;
/** The original asks for the likeliest answer. */
const generationKwargs = { temperature: 0 };

async function openGenerating(reaching: Reaching, takes: 'text' | 'messages'): Promise<Opening> {
  const model = openAiModel({ ...endpointOf(reaching, takes), generationKwargs });
  return { model, mode: 'generate', alsoNormalized: false };
}

const openAiAddress = 'https://api.openai.com/v1';

function endpointOf({ args, concurrency, timeoutMs }: Reaching, takes: 'text' | 'messages') {
  const usualKey = process.env.OPENAI_API_KEY ? 'OPENAI_API_KEY' : undefined;
  const isOpenAi = args.base_url === undefined;
  return {
    takes,
    baseUrl: args.base_url ?? openAiAddress,
    model: required(args, 'model'),
    apiKeyEnv: args.api_key_env ?? (isOpenAi ? 'OPENAI_API_KEY' : usualKey),
    source: ['--model_args'],
    connections: concurrency,
    timeoutMs,
  };
}

async function openProvider(
  { args, timeoutMs }: Reaching,
  { package: name, key }: { readonly package: string; readonly key: string | undefined },
): Promise<Opening> {
  const apiKeyEnv = args.api_key_env ?? key;
  const model = await aiSdkModel({
    package: name,
    model: required(args, 'model'),
    apiKeyEnv,
    timeoutMs,
    generationKwargs,
  });
  return { model, mode: 'generate', alsoNormalized: true };
}
