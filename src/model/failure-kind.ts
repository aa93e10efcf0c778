import { DataError, ModelError } from '../errors.ts';

/** Why a row has no answer, in one word that rows are counted, filtered and asked again by. */
export const failureKinds = [
  'timeout',
  'rate_limit',
  'server_error',
  'connection',
  'bad_response',
  'auth',
  'not_found',
  'refused',
  'too_long',
  'content_filter',
  'data',
  'other',
] as const;

export type FailureKind = (typeof failureKinds)[number];

/** Failures that the same request meets every time: the server looked at it and will not answer. */
export const lastingKinds: ReadonlySet<FailureKind> = new Set([
  'refused',
  'too_long',
  'content_filter',
]);

const kindsOfCodes: Readonly<Record<string, FailureKind>> = {
  'model.answer_too_large': 'bad_response',
  'model.bad_request': 'connection',
  'model.certificate': 'connection',
  'model.closed': 'connection',
  'model.connection_failed': 'connection',
  'model.connection_lost': 'connection',
  'model.connection_refused': 'connection',
  'model.content_filter': 'content_filter',
  'model.context_exceeded': 'too_long',
  'model.garbled_answer': 'bad_response',
  'model.inference_failed': 'server_error',
  'model.not_found': 'not_found',
  'model.not_recorded': 'not_found',
  'model.out_of_memory': 'other',
  'model.rate_limited': 'rate_limit',
  'model.redirected': 'not_found',
  'model.request_refused': 'refused',
  'model.server_error': 'server_error',
  'model.timeout': 'timeout',
  'model.too_long': 'too_long',
  'model.unauthorized': 'auth',
  'model.unfinished_answer': 'bad_response',
  'model.unknown_host': 'connection',
  'model.unreadable_answer': 'bad_response',
};

/** The kind of an error that left a row without an answer. */
export function failureKind(error: unknown): FailureKind {
  if (error instanceof DataError) return 'data';
  if (!(error instanceof ModelError)) return 'other';
  const { code, status, retryable } = error;
  if (code !== 'model.reported_error') return kindsOfCodes[code] ?? 'other';
  if (status === 429) return 'rate_limit';
  return retryable ? 'server_error' : 'refused';
}
