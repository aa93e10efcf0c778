import { basename, resolve } from 'node:path';
import { hintForName } from '../../base/nearest-name.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Task } from '../../evaluation/evaluation.ts';
import type { RunOptions } from '../run/run-options.ts';
import { type ModelArgs, parseModelArgs } from './model-args.ts';

/** A model in the words of a config. */
export type SpelledModel = Readonly<Record<string, unknown>>;

/** How a kind of model is spelled in a config, and how its choices are found out. */
export interface ModelKind {
  readonly spell: (args: ModelArgs) => SpelledModel;
  /** `ppl`: choices by their likelihood. `gen`: choices by where an answer mentions them. */
  readonly mode: Task['mode'];
  /** Whether an answer is searched for the compatible form of a choice as well. */
  readonly alsoNormalized: boolean;
}

const local: ModelKind = { spell: spellLocal, mode: 'ppl', alsoNormalized: false };
const completions: ModelKind = {
  spell: (args) => spellEndpoint(args, 'OpenAICompletions'),
  mode: 'ppl',
  alsoNormalized: false,
};
const chat: ModelKind = {
  spell: (args) => ({ ...spellEndpoint(args, 'OpenAI'), ...likeliest }),
  mode: 'gen',
  alsoNormalized: false,
};

const kinds: Readonly<Record<string, ModelKind>> = {
  hf: local,
  'hf-causal': local,
  'hf-causal-experimental': local,
  local,
  'local-completions': completions,
  'openai-completions': completions,
  'local-chat-completions': chat,
  'openai-chat-completions': chat,
  openai: chat,
  'self-hosted-1': {
    spell: (args) => ({ ...spellEndpoint(args, 'OpenAICompletions'), ...likeliest }),
    mode: 'gen',
    alsoNormalized: false,
  },
  'self-hosted-chat-1': chat,
  anthropic: provider('@ai-sdk/anthropic', 'ANTHROPIC_API_KEY'),
  vertexai: provider('@ai-sdk/google-vertex'),
  dummy: { spell: () => ({ abbr: 'dummy', type: 'Dummy' }), mode: 'ppl', alsoNormalized: false },
};

/** The kind of model that `--model` names. */
export function kindNamed(name: string): ModelKind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind) return kind;
  throw new UsageError('usage.unknown_model_kind', `Unknown model kind \`${name}\``, {
    hint: hintForName(name, { names: Object.keys(kinds), kind: 'Kinds' }),
  });
}

function required(args: ModelArgs, key: keyof ModelArgs): string {
  const value = args[key];
  if (value) return value;
  throw new UsageError('usage.model_arg_missing', `This model kind needs \`${key}\``, {
    hint: `Add --model_args ${key}=…`,
  });
}

function spellLocal(args: ModelArgs): SpelledModel {
  const path = required(args, 'pretrained');
  // Weights that are named go by the name of their model.
  const folder = path.replace(/(?:\/onnx)?\/[^/]+\.onnx$/, '');
  return { abbr: basename(resolve(folder)), type: 'Local', path };
}

const openAiAddress = 'https://api.openai.com/v1';
const openAiKey = 'OPENAI_API_KEY';
/** The original asks for the likeliest answer. */
const likeliest = { generation_kwargs: { temperature: 0 } } as const;

function spellEndpoint(args: ModelArgs, type: 'OpenAI' | 'OpenAICompletions'): SpelledModel {
  const model = required(args, 'model');
  const isKeyUsual = args.base_url === undefined || process.env[openAiKey];
  const key = args.api_key_env ?? (isKeyUsual ? openAiKey : undefined);
  return {
    abbr: model,
    type,
    model,
    base_url: args.base_url ?? openAiAddress,
    ...(key !== undefined && { api_key_env: key }),
  };
}

function provider(name: string, defaultKey?: string): ModelKind {
  const spell = (args: ModelArgs): SpelledModel => {
    const model = required(args, 'model');
    const key = args.api_key_env ?? defaultKey;
    return {
      abbr: model,
      type: 'AISDK',
      package: name,
      model,
      ...(key !== undefined && { api_key_env: key }),
      ...likeliest,
    };
  };
  return { spell, mode: 'gen', alsoNormalized: true };
}

/** The options by which a model is named, and how fast it is asked. */
export interface ModelFlags extends Pick<RunOptions, 'timeout' | 'rps' | 'retries'> {
  readonly model: string;
  readonly model_args: string;
  readonly batch_size?: string | undefined;
}

/** The model that `--model` and `--model_args` name, in the words of a config. */
export function spellModel(flags: ModelFlags): SpelledModel {
  const args = parseModelArgs(flags.model_args);
  return { ...kindNamed(flags.model).spell(args), ...spellLimits(args, flags) };
}

/** How messages call what configs call otherwise. */
export const modelFlag = {
  flag: '--model_args',
  keys: { path: 'pretrained', max_seq_len: 'max_length', batch_size: 'num_concurrent' },
};

const defaultConcurrency = 16;

/** How much a model takes, and how fast it is asked. */
function spellLimits(
  { max_length, num_concurrent }: ModelArgs,
  { batch_size, timeout, rps, retries }: ModelFlags,
): SpelledModel {
  // A batch size may be `auto`.
  const concurrency =
    num_concurrent === undefined
      ? Number(batch_size) || defaultConcurrency
      : numberOrText(num_concurrent);
  return {
    batch_size: concurrency,
    ...(max_length !== undefined && { max_seq_len: numberOrText(max_length) }),
    ...(timeout !== undefined && { timeout }),
    ...(rps !== undefined && { max_rps: rps }),
    ...(retries !== undefined && { retries }),
  };
}

/** What is no number is left for the check to refuse. */
function numberOrText(text: string): number | string {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
