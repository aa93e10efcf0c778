import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { CausalEngine } from './causal-engine.ts';
import type { EncoderGraph } from './encoder-graph.ts';
import type { Notice, NumberedToken, Order, WorkerSettings } from './messages.ts';
import { type OpenedEngine, openEngine } from './open-engine.ts';
import type { SequenceScores } from './requests.ts';

async function serve(port: MessagePort, settings: WorkerSettings): Promise<void> {
  const tell = (notice: Notice) => port.postMessage(notice);
  let opened: OpenedEngine;
  try {
    opened = await openEngine(settings);
  } catch (error) {
    tell({ type: 'refused', reason: error instanceof Error ? error.message : String(error) });
    return;
  }
  const obey =
    opened.type === 'causal' ? causalOrders(opened.engine, tell) : encoderOrders(opened, tell);
  port.on('message', (order: Order) => {
    if (order.type !== 'close') obey(order);
    else void opened.release().then(() => port.close());
  });
  tell({
    type: 'opened',
    facts: opened.type === 'causal' ? { type: 'causal', ...opened.trial } : { type: 'encoder' },
  });
}

type Tell = (notice: Notice) => void;
type Obey = (order: Order) => void;

/** Carries out what is asked of a language model, all orders side by side. */
function causalOrders(engine: CausalEngine, tell: Tell): Obey {
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
      const { id, sequences } = order;
      const scores: SequenceScores[] = [];
      let left = sequences.length;
      const done = (index: number) => (result: SequenceScores) => {
        scores[index] = result;
        left -= 1;
        if (left > 0) return;
        cancels.delete(id);
        tell({ type: 'scored', id, scores });
      };
      const start = (sequence: (typeof sequences)[0], index: number) =>
        engine.score(sequence, { done: done(index), failed: failed(id) });
      cancels.set(id, sequences.map(start));
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

/** The most tokens of a batch of sequences, with padding. */
const maxTokens = 4096;

/** Carries out what is asked of an encoder, one order after the other. */
function encoderOrders(
  { graph, batchSize }: { readonly graph: EncoderGraph; readonly batchSize: number },
  tell: Tell,
): Obey {
  let last = Promise.resolve();
  const waiting = new Set<number>();
  const embed = async ({ id, sequences, pooling }: Extract<Order, { type: 'embed' }>) => {
    const vectors: Float32Array[] = [];
    try {
      for (const indexes of batchesByLength(sequences, batchSize)) {
        if (!waiting.has(id)) return;
        const batch = indexes.map((index) => sequences[index] as Int32Array);
        const found = await graph.embed(batch, pooling);
        indexes.forEach((index, row) => {
          vectors[index] = found[row] as Float32Array;
        });
      }
      tell({ type: 'embedded', id, vectors });
    } catch (error) {
      tell({ type: 'failed', id, reason: reasonOf(error) });
    } finally {
      waiting.delete(id);
    }
  };
  return (order) => {
    if (order.type === 'cancel') waiting.delete(order.id);
    if (order.type !== 'embed') return;
    waiting.add(order.id);
    last = last.then(() => embed(order));
  };
}

/** Indexes of sequences, those of like length together. */
function batchesByLength(sequences: readonly Int32Array[], batchSize: number): number[][] {
  const lengthAt = (index: number) => sequences[index]?.length ?? 0;
  const indexes = [...sequences.keys()].sort((a, b) => lengthAt(a) - lengthAt(b));
  const batches: number[][] = [];
  for (const index of indexes) {
    const batch = batches.at(-1);
    const rows = (batch?.length ?? 0) + 1;
    if (batch && rows <= batchSize && rows * lengthAt(index) <= maxTokens) batch.push(index);
    else batches.push([index]);
  }
  return batches;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// ONNX Runtime computes in the thread that calls it. In this one it keeps nobody else waiting.
if (parentPort) await serve(parentPort, workerData as WorkerSettings);
