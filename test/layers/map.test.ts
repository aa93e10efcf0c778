import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { drawMap, groundRooms } from '../../scripts/draw-map.ts';
import { readRooms } from '../../scripts/room-map.ts';

// `npm run map` draws it again.
const svg = readFileSync('design/map.svg', 'utf8');
const drawn = new Map(
  [...svg.matchAll(/data-room="([^"]+)" data-lines="(\d+)"/g)].map(([, room = '', lines]) => [
    room,
    Number(lines),
  ]),
);
const drawnArrows = [...svg.matchAll(/data-from="([^"]+)" data-to="([^"]+)"/g)].map(
  ([, from, to]) => `${from} → ${to}`,
);
const { rooms, arrows } = readRooms();

it('design/map.svg has the rooms of the source', () => {
  expect([...drawn.keys()]).toEqual(rooms.map(({ name }) => name));
});

it('design/map.svg has about as many lines in each', () => {
  const wrong = rooms.filter(({ name, lines }) => {
    const shown = drawn.get(name) ?? 0;
    return Math.abs(shown - lines) > Math.max(200, lines / 4);
  });
  expect(wrong).toEqual([]);
});

it('design/map.svg draws no arrow that is not there, and every one of four imports or more', () => {
  const all = arrows.map(({ from, to }) => `${from} → ${to}`);
  expect(drawnArrows.filter((arrow) => !all.includes(arrow))).toEqual([]);
  const many = arrows.filter(({ to, count }) => count >= 4 && !groundRooms.has(to));
  const missing = many.filter(({ from, to }) => !drawnArrows.includes(`${from} → ${to}`));
  expect(missing).toEqual([]);
});

it('CONTRIBUTING.md says of each room what it is', () => {
  const table = /\| room \| \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(
    readFileSync('CONTRIBUTING.md', 'utf8'),
  )?.[1];
  const named = table?.split('\n').flatMap((line) => {
    const [, first = ''] = line.split('|');
    return [...first.matchAll(/`([\w.-]+)\/?`/g)].map(([, room]) => room);
  });
  expect(named?.sort()).toEqual(rooms.map(({ name }) => name).sort());
});

it('boxes of a row do not overlap', () => {
  const boxes = [
    ...drawMap({ rooms, arrows }).matchAll(/<rect x="([\d.]+)" y="(\d+)" width="(\d+)"/g),
  ];
  expect(boxes).toHaveLength(rooms.length);
  const ends = new Map<string, number>();
  for (const [, x, y = '', width] of boxes.sort((a, b) => Number(a[1]) - Number(b[1]))) {
    expect(Number(x)).toBeGreaterThan(ends.get(y) ?? 0);
    ends.set(y, Number(x) + Number(width));
  }
});
