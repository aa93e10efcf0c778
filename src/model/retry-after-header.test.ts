import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after-header.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

test.each<[Record<string, string | string[]>, number | undefined]>([
  [{}, undefined],
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.25' }, 250],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '99999999' }, 600_000],
  [{ 'retry-after': '9'.repeat(400) }, 600_000],
  [{ 'retry-after': 'Sun, 15 Nov 2099 12:00:30 GMT' }, 600_000],
  [{ 'x-ratelimit-reset-requests': '99999h' }, 600_000],
  [{ 'retry-after': ['3', '9'] }, 3000],
  [{ 'retry-after': 'Sun, 15 Nov 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after-ms': '120', 'retry-after': '7' }, 120],
  [{ 'x-ratelimit-reset-requests': '1m30s' }, 90_000],
  [{ 'x-ratelimit-reset-requests': '20ms', 'x-ratelimit-reset-tokens': '1.5s' }, 1500],
  [
    {
      'x-ratelimit-reset-requests': '6m0s',
      'x-ratelimit-remaining-requests': '12',
      'x-ratelimit-reset-tokens': '2s',
      'x-ratelimit-remaining-tokens': '0',
    },
    2000,
  ],
  [{ 'retry-after': '1', 'x-ratelimit-reset-requests': '5s' }, 1000],
  [{ 'x-ratelimit-reset': '12' }, 12_000],
  [{ 'x-ratelimit-reset': '3s' }, 3000],
  [{ 'x-ratelimit-reset': String(now / 1000 + 5) }, 5000],
  [{ 'x-ratelimit-reset': String(now + 4000) }, 4000],
  [{ 'x-ratelimit-reset': 'never' }, undefined],
])('%j', (headers, expected) => {
  expect(retryAfterMs(headers, now)).toBe(expected);
});
