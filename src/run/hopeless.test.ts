import { expect, it } from 'vitest';
import { ModelError } from '../errors.ts';
import { isHopeless, isOverload } from './hopeless.ts';

const first = { answered: 0, reused: 0, failed: 0, failedRows: 0 };
const several = { ...first, failed: 8, failedRows: 8 };
const resumed = { ...several, reused: 1 };
const running = { ...first, answered: 1, failed: 100, failedRows: 100 };

it.each([
  ['model.connection_refused', undefined, [true, true, true, true]],
  ['model.unauthorized', 401, [true, true, true, true]],
  ['model.unauthorized', 403, [false, true, false, false]],
  ['model.not_found', 404, [true, true, true, false]],
  ['model.certificate', undefined, [true, true, true, false]],
  ['model.unknown_host', undefined, [true, true, true, false]],
  ['model.bad_request', 400, [true, true, true, false]],
  ['model.logprobs_changed', undefined, [true, true, true, true]],
  ['model.request_refused', 400, [false, true, false, false]],
  ['model.server_error', 500, [false, true, false, false]],
  ['model.timeout', undefined, [false, true, false, false]],
] as const)('%s %s', (code, status, expected) => {
  const error = new ModelError(code, '', { status, retryable: false });
  const rows = [first, several, resumed, running];
  expect(rows.map((progress) => isHopeless(error, progress))).toEqual(expected);
});

it('waits for more failures than may be', () => {
  const error = new ModelError('model.function_failed', '', { retryable: false });
  const after = (failed: number, mayFail: number) =>
    isHopeless(error, { ...first, failed: failed * 3, failedRows: failed, mayFail });
  expect([after(8, 0), after(8, 12), after(11, 12), after(12, 12)]).toEqual([
    ...[true, false, false, true],
  ]);
});

it.each([
  ['model.rate_limited', 429, true, true],
  ['model.server_error', 503, true, true],
  ['model.timeout', undefined, true, true],
  ['model.connection_reset', undefined, true, true],
  ['model.unreadable_answer', undefined, true, false],
  ['model.request_timeout', 408, true, true],
  ['model.conflict', 409, true, false],
  ['model.unreadable_answer', 428, true, false],
  ['model.server_error', 503, false, false],
] as const)('%s %s, asked again: %s; fewer at once help: %s', (code, status, retryable, helps) => {
  expect(isOverload(new ModelError(code, '', { status, retryable }))).toBe(helps);
});
