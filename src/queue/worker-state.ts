import { z } from 'zod';

const stateSchema = z.object({
  /** Host and number of the process. */
  name: z.string(),
  concurrency: z.number(),
  inFlight: z.number(),
  answered: z.number(),
  /** The models that it answers for, and those that it does not, with the reason. */
  models: z.array(z.string()),
  refused: z.record(z.string(), z.string()),
  at: z.number(),
});

/** What a worker says of itself, every second. */
export type WorkerState = z.infer<typeof stateSchema>;

export function readWorker(text: string): WorkerState | undefined {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
