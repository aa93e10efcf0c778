import type { CausalEngine } from './causal-engine.ts';
import type { EncoderGraph } from './encoder-graph.ts';
import type { Notice, NumberedToken, Order } from './messages.ts';
import type { SequenceScores } from './requests.ts';

type Tell = (notice: Notice) => void;
type Obey = (order: Order) => void;

/** Carries out what is asked of a language model, all orders side by side. */
export function causalOrders(engine: CausalEngine, tell: Tell): Obey {
  const cancels = new Map<number, readonly (() => void)[]>();
  const tokens = tokenPost(tell);
  const end = (id: number) => {
    for (const cancel of cancels.get(id) ?? []) cancel();
    cancels.delete(id);
  };
  const failed = (id: number) => (error: unknown) => {
    end(id);
    tell({ type: 'failed', id, reason: reasonOf(error) });
  };
  return (order) => {
    if (order.type === 'cancel') end(order.id);
    if (order.type === 'score') {
      const { id, texts } = order;
      const scores: SequenceScores[] = [];
      let left = texts.length;
      const done = (index: number) => (result: SequenceScores) => {
        scores[index] = result;
        left -= 1;
        if (left > 0) return;
        cancels.delete(id);
        tell({ type: 'scored', id, scores });
      };
      const start = (text: (typeof texts)[0], index: number) =>
        engine.score(text, { done: done(index), failed: failed(id) });
      cancels.set(id, texts.map(start));
    }
    if (order.type === 'write') {
      const { id, request } = order;
      const cancel = engine.write(request, {
        token: (token) => tokens.add({ ...token, id }),
        done: (written) => {
          cancels.delete(id);
          tokens.send();
          tell({ type: 'written', id, ...written });
        },
        failed: failed(id),
      });
      cancels.set(id, [cancel]);
    }
  };
}

/** Sends the tokens of one step in one message. */
function tokenPost(tell: Tell) {
  let waiting: NumberedToken[] = [];
  const send = () => {
    if (waiting.length > 0) tell({ type: 'tokens', tokens: waiting });
    waiting = [];
  };
  const add = (token: NumberedToken) => {
    if (waiting.length === 0) queueMicrotask(send);
    waiting.push(token);
  };
  return { add, send };
}

/** The most tokens of a batch of texts, with padding. */
const maxTokens = 4096;

/** Carries out what is asked of an encoder, one order after the other. */
export function encoderOrders(
  { graph, batchSize }: { readonly graph: EncoderGraph; readonly batchSize: number },
  tell: Tell,
): Obey {
  let last = Promise.resolve();
  const cancelled = new Set<number>();
  const embed = async ({ id, texts, pooling }: Extract<Order, { type: 'embed' }>) => {
    const vectors: Float32Array[] = [];
    try {
      for (const places of batchesByLength(texts, batchSize)) {
        if (cancelled.has(id)) return;
        const batch = places.map((place) => texts[place] as Int32Array);
        const found = await graph.embed(batch, pooling);
        places.forEach((place, row) => {
          vectors[place] = found[row] as Float32Array;
        });
      }
      tell({ type: 'embedded', id, vectors });
    } catch (error) {
      tell({ type: 'failed', id, reason: reasonOf(error) });
    }
  };
  return (order) => {
    if (order.type === 'cancel') cancelled.add(order.id);
    if (order.type === 'embed') last = last.then(() => embed(order));
  };
}

/** Places of texts, those of like length together. */
function batchesByLength(texts: readonly Int32Array[], batchSize: number): number[][] {
  const lengthAt = (place: number) => texts[place]?.length ?? 0;
  const places = [...texts.keys()].sort((a, b) => lengthAt(a) - lengthAt(b));
  const batches: number[][] = [];
  for (const place of places) {
    const batch = batches.at(-1);
    const rows = (batch?.length ?? 0) + 1;
    if (batch && rows <= batchSize && rows * lengthAt(place) <= maxTokens) batch.push(place);
    else batches.push([place]);
  }
  return batches;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
