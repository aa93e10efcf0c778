import * as z from 'zod';
import { UsageError } from '../../base/usage-error.ts';
import { TypecaseError } from '../../errors.ts';
import type { Failure } from './api.ts';

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 500;

/** An answer that says why there is none. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(status: RefusalStatus, code: string, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** What to answer with, whatever went wrong. */
export function refusalOf(error: unknown): {
  readonly status: RefusalStatus;
  readonly body: Failure;
} {
  if (error instanceof Refusal) {
    return body(error.status, error.code, error.message, error.hint);
  }
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const place = issue?.path.join('.') || 'the request';
    return body(400, 'serve.bad_request', `${place}: ${issue?.message}`);
  }
  const message = error instanceof Error ? error.message : String(error);
  if (!TypecaseError.isInstance(error)) return body(500, 'serve.failed', message);
  const isMissing = error instanceof UsageError && /^serve\.no_such_/.test(error.code);
  return body(isMissing ? 404 : 400, error.code, message, error.hint);
}

function body(status: RefusalStatus, code: string, message: string, hint?: string) {
  return { status, body: { error: { code, message, ...(hint !== undefined && { hint }) } } };
}
