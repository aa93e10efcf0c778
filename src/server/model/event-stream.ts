import { apiErrorOf, errorBody } from './api-error.ts';

/** A response that sends values as events while they are made, then says that it is done. */
export function eventStream(
  make: (send: (value: unknown) => void, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Response {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (data: string) => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(`data: ${data}\n\n`));
      };
      try {
        await make((value) => write(JSON.stringify(value)), AbortSignal.any([signal, gone.signal]));
        write('[DONE]');
      } catch (error) {
        write(JSON.stringify(errorBody(apiErrorOf(error))));
      }
      if (!gone.signal.aborted) controller.close();
    },
    cancel: () => gone.abort(new Error('the client went away')),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  });
}
