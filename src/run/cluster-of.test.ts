import { expect, test } from 'vitest';
import { clusterOf, clusterOfRecord } from './cluster-of.ts';

test('short values stand for themselves, long ones are hashed', () => {
  expect(clusterOf({ doc: 'alpha' }, 'doc')).toBe('alpha');
  expect(clusterOf({ doc: 7 }, 'doc')).toBe('7');
  const long = 'x'.repeat(33);
  expect(clusterOf({ doc: long }, 'doc')).toMatch(/^#[0-9a-f]{16}$/);
  expect(clusterOf({ doc: long }, 'doc')).not.toBe(clusterOf({ doc: `${long}y` }, 'doc'));
  // No value can be taken for a hash, or for a row of its own.
  expect(clusterOf({ doc: '#row 3' }, 'doc')).toMatch(/^#[0-9a-f]{16}$/);
});

test('a row without a value is a cluster of its own', () => {
  for (const row of [{}, { doc: null }, { doc: '' }]) {
    expect(clusterOf(row, 'doc')).toBeUndefined();
  }
  expect(clusterOf({ doc: 'alpha' }, undefined)).toBeUndefined();
  expect(clusterOfRecord({ id: 3 })).toBe('#row 3');
  expect(clusterOfRecord({ id: 3, cluster: 'alpha' })).toBe('alpha');
});
