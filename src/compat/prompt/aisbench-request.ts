import { toPython } from '../../python/convert.ts';
import { pyStr } from '../../python/repr.ts';
import { isTruthy, PyDict, type PyValue } from '../../python/values.ts';
import { toWireMessages } from './messages.ts';

export interface BodyRequest {
  readonly endpoint: 'chat' | 'completions';
  /** What the model's parser gives: a text, or a list of `{role, prompt}`. */
  readonly input: PyValue;
  readonly maxOutLen: PyValue;
  /** The model as a config has it: `model`, `url` or `host_ip` and `host_port`, `stream` … */
  readonly model: unknown;
}

export interface BodyResult {
  readonly url: string;
  readonly headers: PyDict;
  readonly body: PyDict;
}

/** The request that AISBench's service models send for a prompt. */
export function aisbenchRequest({ endpoint, input, maxOutLen, model }: BodyRequest): BodyResult {
  const settings = toPython(model);
  if (!(settings instanceof PyDict)) throw new TypeError('a model must be a mapping');
  const path = endpoint === 'chat' ? 'v1/chat/completions' : 'v1/completions';
  return {
    url: baseUrl(settings) + path,
    headers: headersOf(settings),
    body: bodyOf({ endpoint, input, maxOutLen, settings }),
  };
}

function bodyOf({
  endpoint,
  input,
  maxOutLen,
  settings,
}: Omit<BodyRequest, 'model'> & { readonly settings: PyDict }): PyDict {
  const stream = settings.get('stream') ?? false;
  const usage: [PyValue, PyValue][] = isTruthy(stream)
    ? [['stream_options', new PyDict([['include_usage', true]])]]
    : [];
  const kwargs = settings.get('generation_kwargs');
  const own = kwargs instanceof PyDict ? kwargs.entries() : [];
  const last: [PyValue, PyValue][] = [
    ['max_tokens', maxOutLen],
    ['model', settings.get('model') ?? ''],
  ];
  if (endpoint === 'chat') {
    const messages = toWireMessages(input);
    return new PyDict([['stream', stream], ['messages', messages], ...usage]).merge([
      ...own,
      ...last,
    ]);
  }
  return new PyDict([
    ['prompt', input],
    ['stream', stream],
  ]).merge([...own, ...last, ...usage]);
}

function headersOf(settings: PyDict): PyDict {
  const key = settings.get('api_key') ?? '';
  return new PyDict([
    ['Content-Type', 'application/json'],
    ...(isTruthy(key) ? [['Authorization', `Bearer ${pyStr(key)}`] as const] : []),
  ]);
}

function baseUrl(settings: PyDict): string {
  const url = pyStr(settings.get('url') ?? '');
  if (url !== '') return url.endsWith('/') ? url : `${url}/`;
  const host = pyStr(settings.get('host_ip') ?? 'localhost');
  const port = pyStr(settings.get('host_port') ?? 8080);
  const scheme = isTruthy(settings.get('enable_ssl') ?? false) ? 'https' : 'http';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}/`;
}
