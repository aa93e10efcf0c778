import type { Note } from './note.ts';
import { asPlain, lastName, type Plain, pickKeys } from './plain-value.ts';

export interface EndpointOptions {
  /** Where models without an address are asked. */
  readonly baseUrl?: string | undefined;
  /** Where the judge is asked of configs that name none. */
  readonly judgeUrl?: string | undefined;
  /** Where single models are asked, by their abbr. */
  readonly endpoints?: Endpoints | undefined;
}

/** What a model is asked at: the keys `base_url`, `model` and `api_key_env`. */
export type Endpoints = ReadonlyMap<string, Readonly<Record<string, string>>>;

const settingKeys = [
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'presence_penalty',
  'frequency_penalty',
];
const chatTypes = /^OpenAI|Chat|withChatTemplate|SDK/;

/** A model as configs have it here. Models that are loaded into memory there are asked at an address here. */
export function nativeModel(
  entry: Plain,
  { baseUrl, endpoints }: EndpointOptions,
  notes: Note[],
): Plain {
  const type = lastName(entry.type);
  // AISBench's `path` is that of a tokenizer.
  const names = String(entry.type).startsWith('ais_bench')
    ? [entry.model]
    : [entry.path, entry.model];
  const name = names.map(textOf).find((text) => text !== undefined && text !== '');
  const abbr = textOf(entry.abbr) ?? name?.replaceAll('/', '_') ?? type;
  const own = endpoints?.get(abbr);
  const given = entry.host_ip === 'localhost' ? baseUrl : undefined;
  const address =
    own?.base_url ?? given ?? addressOf(entry) ?? baseUrl ?? (name && usualAddress(type));
  const kwargs = { ...asPlain(entry.generation_kwargs), ...pickKeys(entry, settingKeys) };
  const sent = Object.fromEntries(
    Object.entries(kwargs).filter(([key, value]) => key !== 'do_sample' && value !== null),
  );
  const reserved = entry.key === 'ENV' ? 'OPENAI_API_KEY' : undefined;
  if (
    entry.key !== undefined &&
    reserved === undefined &&
    entry.key !== '' &&
    entry.key !== 'EMPTY'
  ) {
    notes.push({
      name: abbr,
      text: '`key` is not copied: put it into an environment variable, and name the variable in `api_key_env`',
      isMinor: true,
    });
  }
  if (address === undefined) {
    notes.push({
      name: abbr,
      text: `(${type}) has no address, so its prompts can only be viewed; to ask it, serve the model and add --base-url`,
      isMinor: true,
    });
  }
  return {
    abbr,
    ...(address !== undefined && {
      type: chatTypes.test(type) ? 'OpenAI' : 'OpenAICompletions',
      base_url: address,
    }),
    ...(name !== undefined && { model: name }),
    ...(reserved !== undefined && { api_key_env: reserved }),
    ...pickKeys(entry, ['api_key_env']),
    ...(own && pickKeys(own, ['model', 'api_key_env'])),
    ...formatOf(entry, type),
    ...thinkingOf(entry, { abbr, notes }),
    ...countKeys(entry),
    ...(Object.keys(sent).length > 0 && { generation_kwargs: sent }),
  };
}

/** What models with a chat template have there if the config says nothing. */
const chatFormat = {
  round: [
    { role: 'HUMAN', api_role: 'HUMAN' },
    { role: 'SYSTEM', api_role: 'HUMAN' },
    { role: 'BOT', api_role: 'BOT', generate: true },
  ],
};

function formatOf({ meta_template: format }: Plain, type: string): Plain {
  if (format !== undefined && format !== null) return { meta_template: format };
  return /withChatTemplate$/.test(type) ? { meta_template: chatFormat } : {};
}

/** What a model's own post-processor takes out of its answers; AISBench takes thoughts out by itself. */
function thinkingOf(
  entry: Plain,
  { abbr, notes }: { readonly abbr: string; readonly notes: Note[] },
): Plain {
  const cleaner = asPlain(entry.pred_postprocessor);
  if (!cleaner) return {};
  const type = lastName(cleaner.type);
  if (!/^extract[-_]non[-_]reasoning[-_]content$/.test(type)) {
    const text = `\`pred_postprocessor\` (${type}) is left out: answers are scored as they come`;
    notes.push({ name: abbr, text, isMinor: true });
    return {};
  }
  const begin = textOf(cleaner.think_start_token) ?? '<think>';
  const end = textOf(cleaner.think_end_token) ?? '</think>';
  const isUsual = String(entry.type).startsWith('ais_bench') && begin === '<think>';
  return isUsual ? {} : { thinking: { begin, end } };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function countKeys(entry: Plain): Plain {
  const counts = pickKeys(entry, ['max_seq_len', 'max_out_len', 'batch_size']);
  const good = Object.entries(counts).filter(([, value]) => typeof value === 'number' && value > 0);
  const rate = entry.query_per_second ?? entry.request_rate;
  return {
    ...Object.fromEntries(good),
    ...(typeof rate === 'number' && rate > 0 && { max_rps: rate }),
    ...(typeof entry.retry === 'number' && entry.retry > 0 && { retries: entry.retry + 1 }),
  };
}

/** Where models of OpenAI are asked whose config has no address, as there. */
function usualAddress(type: string): string | undefined {
  if (!/^OpenAI/.test(type)) return undefined;
  return process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1';
}

/** The address that a model of an API names. AISBench's own configs say `localhost`, which a given one replaces. */
function addressOf(entry: Plain): string | undefined {
  const base = [entry.openai_api_base, entry.url]
    .flat()
    .find((part) => typeof part === 'string' && part !== '');
  if (typeof base === 'string') return base.replace(/\/(?:chat\/)?completions\/?$/, '');
  const { host_ip: host, host_port: port } = entry;
  if (typeof host !== 'string' || host === '') return undefined;
  const shown = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `${entry.enable_ssl === true ? 'https' : 'http'}://${shown}${port === undefined ? '' : `:${port}`}`;
}
