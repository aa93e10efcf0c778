import { expect, it } from 'vitest';
import { ModelError } from '../errors.ts';
import { isHopeless } from './hopeless.ts';

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
