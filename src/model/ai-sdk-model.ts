import { ModelError } from '../errors.ts';
import { AbortWatch } from './abort-watch.ts';
import { readSdkResult, sdkCallOptions, sdkError } from './ai-sdk-call.ts';
import { identifySdkModel, loadSdkModel, type SdkModel } from './ai-sdk-package.ts';
import { slowAnswer, unreadableAnswer } from './answer-errors.ts';
import { endpointAddress, shownUrl } from './endpoint-address.ts';
import type { Endpoint } from './http-errors.ts';
import { asText } from './json-value.ts';
import { hasParts, inlineMedia } from './media.ts';
import type { GenerateRequest, GenerateResult, Model } from './model.ts';
import { gatherSecrets, headerSecret, readApiKey, redactAnswer, type Secrets } from './secrets.ts';

/** How a model of the AI SDK is asked. */
interface SdkAskingSettings {
  /** How the run calls the model; its own name by default. */
  readonly name?: string | undefined;
  readonly maxOutLen?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly generationKwargs?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the model takes media; it is taken to by default. */
  readonly vision?: boolean | undefined;
  /** Time limit of a request; 10 minutes by default. */
  readonly timeoutMs?: number | undefined;
}

/** A model of an AI SDK provider package. */
export interface AiSdkModelSettings extends SdkAskingSettings {
  /** Name of the package, such as `@ai-sdk/anthropic`; the user has to install it. */
  readonly package: string;
  readonly model: string;
  /** What the package's `create…` function takes. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Name of the environment variable that holds the API key. */
  readonly apiKeyEnv?: string | undefined;
  /** The project folder in which the package is installed; the working folder by default. */
  readonly folder?: string | undefined;
}

/** Any model of a provider package of the Vercel AI SDK. */
export async function aiSdkModel(settings: AiSdkModelSettings): Promise<Model> {
  const { apiKeyEnv, folder = process.cwd() } = settings;
  const apiKey = apiKeyEnv === undefined ? undefined : readApiKey(apiKeyEnv);
  const options = { ...settings.options, ...(apiKey !== undefined && { apiKey }) };
  const sdkModel = await loadSdkModel({ ...settings, options, folder });
  const shown = shownOptions(options);
  const url = String(shown.baseURL ?? `${settings.package} (${settings.model})`);
  const endpoint = { url, ...secretsOf(options) };
  return askedModel({
    settings: { ...settings, name: settings.name ?? settings.model },
    sdkModel,
    endpoint,
    identity: { package: settings.package, model: settings.model, options: shown },
    to: `${settings.package} (${settings.model})`,
  });
}

/** A model object of the AI SDK, as a provider makes it: `openai('gpt-5-mini')`. */
export function sdkObjectModel(sdkModel: SdkModel, settings: SdkAskingSettings): Model {
  const { provider, modelId } = sdkModel;
  const { name = modelId } = settings;
  return askedModel({
    settings: { ...settings, name },
    sdkModel,
    endpoint: { url: `${provider} (${modelId})`, ...secretsOf({}) },
    identity: identifySdkModel(sdkModel, name),
    to: `${provider} (${modelId})`,
  });
}

interface AskedParts extends CallerParts {
  readonly settings: SdkAskingSettings & { readonly name: string };
  readonly identity: Model['identity'];
  readonly to: string;
}

function askedModel({ identity, to, ...parts }: AskedParts): Model {
  const { name, maxOutLen, stop, generationKwargs, vision } = parts.settings;
  const caller = new SdkCaller(parts);
  return {
    name,
    abilities: new Set(vision === false ? ['generate'] : ['generate', 'vision']),
    identity: {
      type: 'ai-sdk',
      ...identity,
      ...(maxOutLen !== undefined && { maxOutLen }),
      ...(stop && { stop }),
      ...(generationKwargs && { generationKwargs }),
    },
    target: { to },
    encode: (request) => JSON.stringify(caller.callOptions(request)),
    async generate(request, { signal }) {
      if (!hasParts(request.prompt)) return caller.generate(request, signal);
      const prompt = await inlineMedia(request.prompt);
      return caller.generate({ ...request, prompt }, signal);
    },
    close: async () => undefined,
  };
}

interface CallerParts {
  readonly settings: SdkAskingSettings;
  readonly sdkModel: SdkModel;
  readonly endpoint: Endpoint & Secrets;
}

class SdkCaller {
  readonly #parts: CallerParts;
  readonly #aborts = new AbortWatch();

  constructor(parts: CallerParts) {
    this.#parts = parts;
  }

  callOptions({ prompt, seed, ...request }: GenerateRequest) {
    const { maxOutLen, stop, generationKwargs } = this.#parts.settings;
    return sdkCallOptions({
      prompt,
      maxOutLen: request.maxOutLen ?? maxOutLen,
      stop: request.stop ?? stop,
      settings: { ...generationKwargs, ...request.settings, ...(seed !== undefined && { seed }) },
      provider: this.#parts.sdkModel.provider.split('.')[0] ?? '',
    });
  }

  async generate(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResult> {
    signal.throwIfAborted();
    const { settings, sdkModel, endpoint } = this.#parts;
    const { timeoutMs = 600_000 } = settings;
    const options = this.callOptions(request);
    const controller = new AbortController();
    const expire = () => controller.abort(slowAnswer(endpoint, timeoutMs));
    const timer = setTimeout(expire, timeoutMs);
    const watchIndex = this.#aborts.add(signal, controller);
    const startedAt = performance.now();
    try {
      const call = sdkModel.doGenerate({ ...options, abortSignal: controller.signal });
      const result = await Promise.race([call, rejectOnAbort(controller.signal)]);
      const answer = readSdkResult(result);
      if (!answer) throw unreadableAnswer(endpoint, JSON.stringify(result) ?? '');
      const shown = redactAnswer(answer, endpoint.answerSecrets);
      return { ...shown, totalMs: performance.now() - startedAt };
    } catch (error) {
      controller.signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      throw sdkError(endpoint, error);
    } finally {
      clearTimeout(timer);
      this.#aborts.remove(signal, watchIndex);
    }
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

const secretName = /key|token|secret|password|auth|credential/i;

/** Options that tell answers apart and are fit to be shown. */
function shownOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (secretName.test(name)) continue;
    if (typeof value === 'string') shown[name] = shownUrl(value);
    else if (typeof value === 'number' || typeof value === 'boolean') shown[name] = value;
  }
  return shown;
}

/** Texts in options that are not shown, such as keys and headers, and keys that packages find themselves. */
function secretsOf(options: Readonly<Record<string, unknown>>): Secrets {
  const address = asText(options.baseURL) ?? '';
  const inAddress = /^https?:/i.test(address) && URL.canParse(address);
  const texts = Object.entries(options).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === 'object') return Object.entries(value ?? {});
    return secretName.test(name) ? [[name, value]] : [];
  });
  const found = Object.entries(process.env).filter(([name]) =>
    /_(?:API_KEY|API_TOKEN)$/.test(name),
  );
  return gatherSecrets([
    ...texts
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(headerSecret),
    ...(inAddress ? endpointAddress({ baseUrl: address, source: [] }, 'models').secrets : []).map(
      (value) => ({ value }),
    ),
    ...found.map(([, value = '']) => ({ value: value.trim() })),
  ]);
}
