/** What everything of Typecase in Redis begins with. */
export const prefix = 'typecase';

/** Models that are asked through the queue: name of the queue to its `QueuedModel`. */
export const modelsKey = `${prefix}:models`;

/** A run that did not say for so long that it asks a model is lost, and workers let go of the model. */
export const modelGoneMs = 5 * 60_000;

/** Workers that are there: their id to their `WorkerState`. */
export const workersKey = `${prefix}:workers`;

/** What the connections of a worker are called at the server. */
export function workerConnection(id: string): string {
  return `${prefix}-worker-${id}`;
}

/** The answers to a run that it has not taken yet. */
export function answersKey(run: string): string {
  return `${prefix}:answers:${run}`;
}

/** How long requests and answers wait for a run that ended before it took them. */
export const answersKeptSeconds = 7 * 24 * 3600;

/** How long a unit stays with a worker that is not heard of, though its connection is open or cannot be looked at. */
export const lockMs = 10_000;
export const lockCheckMs = 1000;

/** How often a worker may be lost with a unit before that is the unit's fault. */
export const maxLosses = 3;

export const heartbeatMs = 1000;
/** A worker that said nothing for so long is lost if its connection is gone too. */
export const workerSilentMs = 1800;
/** A worker that said nothing for so long is gone. */
export const workerGoneMs = 15_000;
