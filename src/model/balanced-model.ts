import { ModelError } from '../errors.ts';
import type { LoglikelihoodRequest } from './loglikelihood.ts';
import type { GenerateOptions, GenerateRequest, Model } from './model.ts';

/** How much of a prompt decides which endpoint has read its beginning before. */
const prefixCharacters = 256;
/** How many beginnings are remembered. */
const mostPrefixes = 10_000;
/** How much more an endpoint may have in flight that knows the beginning of a prompt, and how much slower it may be. */
const mostAhead = 8;
const mostSlower = 1.5;
/** Below this, a difference of latencies is chance, and a shared beginning is worth more. */
const leastSlowerMs = 25;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** How fast an observed latency follows the last ones. */
const newest = 0.1;

class Endpoint {
  readonly model: Model;
  inFlight = 0;
  /** What an answer took of late; unknown before the first. */
  latencyMs: number | undefined;
  #failures = 0;
  #awayUntil = 0;

  constructor(model: Model) {
    this.model = model;
  }

  isAway(now: number): boolean {
    return now < this.#awayUntil;
  }

  get awayUntil(): number {
    return this.#awayUntil;
  }

  /** About how long a request would take here. */
  cost(usual: number): number {
    return (this.inFlight + 1) * (this.latencyMs ?? usual);
  }

  succeed(ms: number): void {
    this.#failures = 0;
    this.#awayUntil = 0;
    this.latencyMs =
      this.latencyMs === undefined ? ms : this.latencyMs + newest * (ms - this.latencyMs);
  }

  /** Is left alone for a while: longer, the more often it fails. */
  fail(now: number, retryAfterMs: number | undefined): void {
    const pause = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
    this.#failures += 1;
    this.#awayUntil = now + (retryAfterMs ?? pause);
  }
}

/**
 * One model behind several endpoints. A request goes where it is answered soonest, by observed latency and what is in flight; prompts
 * that begin alike go to one endpoint, unless that has too much to do. An endpoint that fails is left alone for a
 * while, and its request goes to another at once. The first one stands for the model: answers are known by its address.
 */
export function balancedModel(models: readonly [Model, ...Model[]]): Model {
  const [first] = models;
  const endpoints = models.map((model) => new Endpoint(model));
  const homes = new Map<string, Endpoint>();

  const choose = (prefix: string, tried: ReadonlySet<Endpoint>): Endpoint | undefined => {
    const now = performance.now();
    const left = endpoints.filter((endpoint) => !tried.has(endpoint));
    const well = left.filter((endpoint) => !endpoint.isAway(now));
    // If all are away, the one that may be back first is tried.
    const open =
      well.length > 0 ? well : left.sort((a, b) => a.awayUntil - b.awayUntil).slice(0, 1);
    const known = open.flatMap(({ latencyMs }) => latencyMs ?? []);
    const usual = known.length > 0 ? Math.min(...known) : 1;
    const [best] = open.toSorted((a, b) => a.cost(usual) - b.cost(usual));
    const home = homes.get(prefix);
    if (!best || !home || !open.includes(home)) return best;
    const isBusy = home.inFlight - best.inFlight > mostAhead;
    const [here, there] = [home.latencyMs ?? usual, best.latencyMs ?? usual];
    const isSlow = here > mostSlower * there && here > there + leastSlowerMs;
    return isBusy || isSlow ? best : home;
  };

  const ask = async <Result extends { readonly totalMs: number }>(
    prefix: string,
    { signal }: GenerateOptions,
    send: (model: Model) => Promise<Result>,
  ): Promise<Result> => {
    const tried = new Set<Endpoint>();
    for (;;) {
      const endpoint = choose(prefix, tried);
      if (!endpoint) throw new RangeError('no endpoint is set');
      tried.add(endpoint);
      remember(homes, prefix, endpoint);
      endpoint.inFlight += 1;
      try {
        const result = await send(endpoint.model);
        endpoint.succeed(result.totalMs);
        return result;
      } catch (error) {
        if (signal.aborted || !(error instanceof ModelError) || !error.retryable) throw error;
        endpoint.fail(performance.now(), error.retryAfterMs);
        if (homes.get(prefix) === endpoint) homes.delete(prefix);
        const now = performance.now();
        const hasOther = endpoints.some((other) => !tried.has(other) && !other.isAway(now));
        if (!hasOther) throw error;
      } finally {
        endpoint.inFlight -= 1;
      }
    }
  };

  const { loglikelihoodModel } = first;
  // What the model finds out later shows through.
  return Object.create(first, {
    generate: {
      value: (request: GenerateRequest, options: GenerateOptions) =>
        ask(prefixOf(request), options, (model) => model.generate(request, options)),
    },
    ...(loglikelihoodModel && {
      loglikelihoodModel: {
        value: Object.create(loglikelihoodModel, {
          measure: {
            value: (request: LoglikelihoodRequest, options: GenerateOptions) =>
              ask(request.texts[0]?.text.slice(0, prefixCharacters) ?? '', options, (model) => {
                if (!model.loglikelihoodModel) throw new TypeError('it gives no loglikelihoods');
                return model.loglikelihoodModel.measure(request, options);
              }),
          },
        }),
      },
    }),
    close: {
      value: async () => {
        for (const model of models) await model.close();
      },
    },
  });
}

function prefixOf({ prompt }: GenerateRequest): string {
  if (prompt.type === 'text') return prompt.text.slice(0, prefixCharacters);
  const [opening] = prompt.messages;
  return typeof opening?.content === 'string' ? opening.content.slice(0, prefixCharacters) : '';
}

function remember(homes: Map<string, Endpoint>, prefix: string, endpoint: Endpoint): void {
  if (homes.has(prefix)) return;
  homes.set(prefix, endpoint);
  if (homes.size <= mostPrefixes) return;
  for (const oldest of homes.keys()) {
    homes.delete(oldest);
    return;
  }
}
