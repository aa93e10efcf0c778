import { expect, test } from 'vitest';
import { scaleOf } from '../../study/sweep/headline.ts';
import { intervalsSvg } from './intervals-svg.ts';

test('axes have round ticks, and shares that are far apart the whole scale', () => {
  const ticks = (low: number, high: number) => {
    const scores = [{ name: 'x', value: low, low, high }];
    const svg = intervalsSvg(scores, { title: 't', scale: scaleOf({ metric: 'm' }) });
    return [...svg.matchAll(/soft">([^<]*)</g)].map(([, text]) => text);
  };
  expect(ticks(0.1, 0.9)).toEqual(['0.0', '20.0', '40.0', '60.0', '80.0', '100.0']);
  expect(ticks(0.862, 0.961)).toEqual(['85.0', '90.0', '95.0', '100.0']);
});
