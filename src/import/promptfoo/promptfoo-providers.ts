import type { ConfigPath } from '../../errors.ts';
import { formatPath } from '../../errors.ts';
import { asPlain, type Plain, pickKeys } from '../plain-value.ts';
import { type Code, importCode, isCodeFile } from './import-code.ts';
import { ownColumns } from './own-columns.ts';
import type { WrittenTransform } from './promptfoo-transforms.ts';
import { codeAt, filePath, type Reading, readValue, refuse, refuseKeys } from './reading.ts';

/** Systems that are asked as OpenAI is: their address, and the variable that holds the key. */
const hosts: Readonly<Record<string, { readonly url: string; readonly key: string }>> = {
  openai: { url: 'https://api.openai.com/v1', key: 'OPENAI_API_KEY' },
  deepseek: { url: 'https://api.deepseek.com/v1', key: 'DEEPSEEK_API_KEY' },
  groq: { url: 'https://api.groq.com/openai/v1', key: 'GROQ_API_KEY' },
  openrouter: { url: 'https://openrouter.ai/api/v1', key: 'OPENROUTER_API_KEY' },
  togetherai: { url: 'https://api.together.xyz/v1', key: 'TOGETHER_API_KEY' },
};

/** Settings that go with every request as they are. */
const settings = [
  ...['temperature', 'max_tokens', 'max_completion_tokens', 'top_p', 'seed', 'stop'],
  ...['frequency_penalty', 'presence_penalty', 'reasoning_effort', 'response_format'],
  ...['tools', 'tool_choice'],
];
const addressKeys = ['apiBaseUrl', 'apiHost', 'apiKey', 'apiKeyEnvar', 'apiKeyRequired', 'headers'];
const configKeys = [...settings, ...addressKeys, 'passthrough', 'cost', 'omitDefaults'];

interface ProviderEntry {
  readonly id: string;
  readonly label?: string | undefined;
  readonly config: Plain;
  readonly transform?: unknown;
  readonly path: ConfigPath;
}

/** A model, and what its provider says beside that. */
export interface ReadProvider {
  readonly model: Plain;
  /** What changes its answers, where the model does not do that itself. */
  readonly transform?: WrittenTransform | undefined;
  readonly tools: readonly unknown[];
}

/** Reads `providers`: each is a model. */
export async function readProviders(reading: Reading, given: unknown): Promise<ReadProvider[]> {
  const list = Array.isArray(given) ? given : given === undefined ? [] : [given];
  if (list.length === 0) refuse(reading, [], { what: 'has no `providers`' });
  const found: ReadProvider[] = [];
  for (const [index, entry] of list.entries()) {
    const path = Array.isArray(given) ? ['providers', index] : ['providers'];
    const read = await readProvider(reading, entry, path);
    if (!read) continue;
    const { abbr: own } = read.model;
    const twice = found.filter(({ model }) => String(model.abbr).replace(/-\d+$/, '') === own);
    const abbr = twice.length === 0 ? own : `${own}-${twice.length + 1}`;
    found.push({ ...read, model: { ...read.model, abbr } });
  }
  return found;
}

/** What changes the answers of all models alike; a problem where only some are changed. */
export function commonTransform(
  reading: Reading,
  providers: readonly ReadProvider[],
): WrittenTransform | undefined {
  const [first, ...others] = providers;
  const differs = others.find(({ transform }) => transform?.value !== first?.transform?.value);
  const place = differs?.transform ?? first?.transform;
  if (!differs || !place) return first?.transform;
  refuse(reading, place.path, {
    what: 'changes the answers of some providers only',
    hint: 'Give all providers the same `transform`, or write a config for each.',
  });
  return undefined;
}

/** A model as a config has it; undefined, and a problem, for what is not supported. */
export async function readProvider(
  reading: Reading,
  entry: unknown,
  path: ConfigPath,
): Promise<ReadProvider | undefined> {
  const provider = entryOf(reading, entry, path);
  const model = provider && (await modelOf(reading, provider));
  if (!model) return undefined;
  const { transform } = provider;
  const tools = asPlain(model.generation_kwargs)?.tools;
  return {
    model,
    tools: Array.isArray(tools) ? tools : [],
    ...(transform !== undefined && {
      transform: { value: transform, path: [...path, 'transform'] },
    }),
  };
}

async function modelOf(reading: Reading, provider: ProviderEntry): Promise<Plain | undefined> {
  const { path } = provider;
  const file = filePath(provider.id);
  if (file !== undefined) return codeModel(reading, file, provider);
  if (provider.id === 'echo') {
    reading.unwritten.push(`the provider \`echo\` in ${formatPath(path)}`);
    return {
      abbr: provider.label ?? 'echo',
      generate: ({ messages }: Asked) => rawPrompt(messages),
    };
  }
  const [system = '', kind = '', ...rest] = provider.id.split(':');
  if (system === 'anthropic' && kind === 'messages' && rest.length > 0) {
    return packageModel(reading, provider, { package: '@ai-sdk/anthropic', model: rest.join(':') });
  }
  const host = hosts[system];
  const isTyped = system === 'openai' && rest.length > 0;
  if (!host || kind === '' || (isTyped && kind !== 'chat')) {
    refuse(reading, path, {
      what: `is the provider \`${provider.id}\`, which is not supported`,
      hint: 'Supported are openai:chat:NAME, openai:NAME, deepseek, groq, openrouter, togetherai, anthropic:messages:NAME, echo, and file://provider.ts. For an OpenAI-compatible server, use openai:chat:NAME with `config.apiBaseUrl`.',
    });
    return undefined;
  }
  const model = isTyped ? rest.join(':') : [kind, ...rest].join(':');
  return { ...openAiModel(reading, provider, { host, model }) };
}

/** `id` as a text, as a key, or beside its settings. */
function entryOf(reading: Reading, entry: unknown, path: ConfigPath): ProviderEntry | undefined {
  if (typeof entry === 'string') return { id: entry, config: {}, path };
  const mapping = asPlain(entry);
  const [key, inner] = Object.entries(mapping ?? {})[0] ?? [];
  const isKeyed = mapping !== undefined && Object.keys(mapping).length === 1 && key !== 'id';
  const written = isKeyed ? { id: key, ...asPlain(inner) } : mapping;
  if (!written || typeof written.id !== 'string') {
    refuse(reading, path, { what: 'names no provider by an `id`' });
    return undefined;
  }
  refuseKeys(reading, written, { path, known: ['id', 'label', 'config', 'transform'] });
  const label = typeof written.label === 'string' ? written.label : undefined;
  const { id, transform } = written;
  return { id, label, config: asPlain(written.config) ?? {}, transform, path };
}

function openAiModel(
  reading: Reading,
  { id, label, config, path }: ProviderEntry,
  { host, model }: { readonly host: { url: string; key: string }; readonly model: string },
): Plain {
  refuseKeys(reading, config, { path: [...path, 'config'], known: configKeys });
  const isReasoning = /^(?:o\d|gpt-5)/.test(model);
  const defaults = isReasoning
    ? { max_completion_tokens: 1024 }
    : { max_tokens: 1024, temperature: 0 };
  const cost = typeof config.cost === 'number' ? config.cost * 1e6 : undefined;
  const sent = { ...pickKeys(config, settings), ...asPlain(config.passthrough) };
  return {
    abbr: label ?? id,
    type: 'OpenAI',
    model,
    ...endpointOf(reading, { config, path, host }),
    generation_kwargs: {
      ...(config.omitDefaults !== true && defaults),
      ...withFiles(reading, sent, [...path, 'config']),
    },
    ...(asPlain(config.headers) && { headers: config.headers }),
    ...(cost !== undefined && { price: { in: cost, out: cost } }),
  };
}

/** `file://tools.json` stands for what the file holds, in lists of tools too. */
function withFiles(reading: Reading, sent: Plain, path: ConfigPath): Plain {
  const loaded = (value: unknown, at: ConfigPath): unknown => {
    const file = filePath(value);
    return file === undefined ? value : readValue(reading, file, at);
  };
  const given = Object.entries(sent).filter(([, value]) => value !== null);
  const found = given.map(([key, value]) => {
    const at = [...path, key];
    return [
      key,
      Array.isArray(value) ? value.flatMap((one) => loaded(one, at)) : loaded(value, at),
    ];
  });
  return Object.fromEntries(found);
}

/** Where a model is asked, and which variable holds its key. */
function endpointOf(
  reading: Reading,
  { config, path, host }: { config: Plain; path: ConfigPath; host: { url: string; key: string } },
): Plain {
  const { apiBaseUrl, apiHost, apiKey, apiKeyEnvar } = config;
  const isOpenAi = host === hosts.openai;
  const fromHost = apiHost === undefined ? undefined : `https://${apiHost}/v1`;
  const ofProcess = isOpenAi
    ? (process.env.OPENAI_BASE_URL ?? process.env.OPENAI_API_BASE_URL)
    : undefined;
  const base_url = String(apiBaseUrl ?? fromHost ?? ofProcess ?? host.url);
  const named = /^\{\{\s*env\.(\w+)\s*\}\}$/.exec(String(apiKey ?? ''))?.[1];
  if (apiKey !== undefined && named === undefined) {
    refuse(reading, [...path, 'config', 'apiKey'], {
      what: 'contains an API key',
      hint: 'Put it into an environment variable, and name the variable in `apiKeyEnvar`.',
    });
  }
  const variable = named ?? (apiKeyEnvar as string | undefined) ?? host.key;
  const isNeeded = named !== undefined || apiKeyEnvar !== undefined || base_url === host.url;
  const hasKey = isNeeded || process.env[variable] !== undefined;
  return { base_url, ...(hasKey && { api_key_env: variable }) };
}

function packageModel(
  reading: Reading,
  { id, label, config, path }: ProviderEntry,
  model: { readonly package: string; readonly model: string },
): Plain {
  const known = ['temperature', 'max_tokens', 'top_p', 'apiKeyEnvar'];
  refuseKeys(reading, config, { path: [...path, 'config'], known });
  const { max_tokens = 1024, temperature = 0, top_p } = config;
  return {
    abbr: label ?? id,
    type: 'AISDK',
    ...model,
    max_out_len: max_tokens,
    generation_kwargs: { temperature, ...(top_p !== undefined && { top_p }) },
    ...(config.apiKeyEnvar !== undefined && { api_key_env: config.apiKeyEnvar }),
  };
}

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly row: Plain;
}

/** A prompt as providers there are given it: the text itself, or the JSON of its messages. */
export function rawPrompt(messages: Asked['messages']): string {
  const [only] = messages;
  const isText = messages.length === 1 && only?.role === 'user' && typeof only.content === 'string';
  return isText ? (only.content as string) : JSON.stringify(messages, null, 2);
}

async function codeModel(
  reading: Reading,
  file: string,
  { label, id, config, path }: ProviderEntry,
): Promise<Plain | undefined> {
  if (!isCodeFile(file)) {
    refuse(reading, path, {
      what: `names a provider of an unsupported kind: ${file}`,
      hint: 'Providers are files in JavaScript and TypeScript.',
    });
    return undefined;
  }
  reading.unwritten.push(codeAt(path));
  const abbr = label ?? file;
  if (!reading.isAsked) return { abbr, generate: () => '' };
  const code = await importCode(reading, file, path);
  if (!code) return undefined;
  const call = callOf(code, { id: label ?? id, config });
  return {
    abbr,
    generate: async ({ messages, row }: Asked) => {
      const raw = rawPrompt(messages);
      const result = await call(raw, { vars: ownColumns(row), prompt: { raw, label: raw } });
      return answerOf(result);
    },
  };
}

/** A class of providers, or a function that is one. */
function callOf(code: Code, options: { readonly id: string; readonly config: Plain }): Code {
  const isClass = typeof code.prototype?.callApi === 'function';
  if (!isClass) return (raw, context) => code(raw, context);
  const made = new (code as unknown as new (given: unknown) => { callApi: Code })(options);
  return (raw, context) => made.callApi(raw, context);
}

/** What there is no output in fails; what is no text stays what it is. */
function answerOf(result: unknown): Plain {
  const { error, output, tokenUsage, finishReason } = asPlain(result) ?? {};
  if (error) throw new Error(typeof error === 'string' ? error : JSON.stringify(error));
  if (output === undefined || output === null)
    throw new Error('the provider returned no `output`; return `{ output: … }`');
  const { prompt, completion } = asPlain(tokenUsage) ?? {};
  const isCounted = typeof prompt === 'number' && typeof completion === 'number';
  return {
    ...(typeof output === 'string' ? { text: output } : { object: output }),
    ...(typeof finishReason === 'string' && { finishReason }),
    ...(isCounted && { usage: { inputTokens: prompt, outputTokens: completion } }),
  };
}
