import { expect, test } from 'vitest';
import { countByRoom, filesOf, roomSwitches, walkPlainRun } from '../scripts/count-modules.ts';

test('a plain run loads what it uses, and goes through few rooms', async () => {
  const { modules, functions } = await walkPlainRun();
  const rooms = new Map(countByRoom(modules));
  expect(modules.length).toBeLessThanOrEqual(300);
  expect(rooms.get('compat') ?? 0).toBeLessThanOrEqual(1);
  expect(rooms.has('chat-template') || rooms.has('study') || rooms.has('server')).toBe(false);
  expect(functions[0]).toMatch(/^cli\/run\/run-command\.ts:runRun:/);
  expect(roomSwitches(filesOf(functions))).toBeLessThanOrEqual(36);
}, 120_000);
