import { expectTypeOf } from 'vitest';
import { bootstrapMean } from './bootstrap.ts';
import { type ClusteredEstimate, clusteredMean } from './clustered-mean.ts';
import type { Estimate, Measurement } from './estimate.ts';
import { holm } from './holm.ts';
import { mcnemar } from './mcnemar.ts';
import { mcnemarPairs } from './mcnemar-power.ts';
import { groupAverage } from './means.ts';
import { rateDifference } from './paired-rates.ts';
import { permutationTest } from './permutation.ts';
import { ScoreTally } from './tallies.ts';
import { varianceComponents } from './variance-components.ts';
import { wilson } from './wilson.ts';

const estimate = wilson(8, 10);
expectTypeOf(estimate).toEqualTypeOf<Estimate | undefined>();
// @ts-expect-error there may be nothing to estimate
estimate.value;

expectTypeOf(bootstrapMean(new Set([1]), { seed: 1 })).toEqualTypeOf<Estimate | undefined>();
// @ts-expect-error draws need a seed
bootstrapMean([1], {});
expectTypeOf(clusteredMean).returns.toEqualTypeOf<ClusteredEstimate | undefined>();
expectTypeOf(groupAverage([] as Estimate[])).toEqualTypeOf<Estimate | undefined>();
expectTypeOf(groupAverage([] as Measurement[])).toEqualTypeOf<Measurement | undefined>();
expectTypeOf(rateDifference).returns.toExtend<Estimate | undefined>();

expectTypeOf(mcnemar({ onlyA: 1, onlyB: 7 }).exact).toBeNumber();
expectTypeOf(mcnemarPairs).returns.toEqualTypeOf<number | undefined>();
expectTypeOf(permutationTest).returns.toHaveProperty('method');
expectTypeOf(holm).returns.toEqualTypeOf<number[]>();

// @ts-expect-error a factor says how many levels it has
varianceComponents({ factors: [{ name: 'template' }], values: [1, 2] });

expectTypeOf(new ScoreTally().estimate()).toEqualTypeOf<Measurement | undefined>();
