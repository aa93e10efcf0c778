import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Notice, Order, WorkerSettings } from './messages.ts';
import { type OpenedEngine, openEngine } from './open-engine.ts';
import { causalOrders, encoderOrders } from './orders.ts';

// ONNX Runtime computes in the thread that calls it. In this one it keeps nobody else waiting.
if (parentPort) await serve(parentPort, workerData as WorkerSettings);

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
