import * as z from 'zod';
import { ModelError, TypecaseError } from '../../errors.ts';

type Status = 400 | 403 | 404 | 405 | 413 | 415 | 500;

/** A refusal in the form that OpenAI's clients expect. */
export class ApiError extends Error {
  readonly status: Status;
  readonly param: string | null;
  readonly code: string | null;

  constructor(
    status: Status,
    message: string,
    { param = null, code = null }: { param?: string | null; code?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

/** The error to answer with, whatever went wrong. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const param = issue?.path.join('.') || null;
    return new ApiError(400, `${param ?? 'the body'}: ${issue?.message}`, { param });
  }
  if (error instanceof ModelError && error.code === 'model.context_exceeded') {
    return new ApiError(400, error.message, { code: 'context_length_exceeded' });
  }
  const isServerProblem =
    !TypecaseError.isInstance(error) || error.code === 'model.inference_failed';
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(isServerProblem ? 500 : 400, message);
}

export function errorBody({ status, message, param, code }: ApiError) {
  const type = status === 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message, type, param, code } };
}
