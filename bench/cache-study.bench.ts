import { keyedRandom } from '../src/base/keyed-random.ts';
import {
  normalizeVectors,
  type VectorTable,
} from '../src/suites/gqa/cache-study/search/vector-table.ts';
import { CacheSimulation, type CacheStep } from '../src/suites/gqa/cache-study/simulate.ts';

/** A cache study with given vectors, against a loop over arrays of numbers in the same run. */

const count = Number(process.env.SAMPLES ?? 100_000);
const dims = 384;
const threshold = 0.82;
/** Samples that are also compared with everything stored, spread over all of them. */
const compared = 200;
const megabyte = 2 ** 20;

/** Unrelated vectors, of which a share is made from an earlier one with some noise. */
function makeVectors(shareOfRelated: number): VectorTable {
  const random = keyedRandom(1, 'cache-study');
  const values = new Float32Array(count * dims);
  for (let row = 0; row < count; row++) {
    const isRelated = row > 0 && random.next() < shareOfRelated;
    const other = isRelated ? random.below(row) * dims : -1;
    const noise = isRelated ? random.next() * 0.1 : 1;
    for (let index = 0; index < dims; index++) {
      const spread = (random.next() + random.next() + random.next() - 1.5) / Math.sqrt(dims / 4);
      values[row * dims + index] = (isRelated ? (values[other + index] ?? 0) : 0) + noise * spread;
    }
  }
  return normalizeVectors(values, dims);
}

interface Study {
  readonly steps: readonly CacheStep[];
  readonly seconds: number;
  /** What the process needed beyond the vectors and the index, at each quarter of the way. */
  readonly extraMegabytes: readonly number[];
}

function runStudy(table: VectorTable): Study {
  const samples = Array.from({ length: count }, (_, index) => ({
    chunkText: String(index),
    imageId: '',
  }));
  const rows = Int32Array.from(samples.keys());
  const simulation = new CacheSimulation(samples, {
    exact: false,
    embedding: [{ name: 'prompt', threshold, table, rows }],
  });
  const before = process.memoryUsage().rss;
  const steps: CacheStep[] = [];
  const extraMegabytes: number[] = [];
  let stored = 0;
  const start = performance.now();
  for (const step of simulation.run()) {
    steps.push(step);
    if (step.source === null) stored++;
    if (steps.length % (count / 4) !== 0) continue;
    const indexBytes = stored * (dims * 2 + (dims / 32) * 4);
    const extra = process.memoryUsage().rss - before - indexBytes;
    extraMegabytes.push(Math.round(extra / megabyte));
  }
  return { steps, seconds: (performance.now() - start) / 1000, extraMegabytes };
}

interface Best {
  readonly from: number | null;
  readonly score: number | null;
}

function findByLoop(vectors: readonly number[][], stored: readonly number[], sample: number): Best {
  const query = vectors[sample] as number[];
  let best: Best = { from: null, score: null };
  for (const from of stored) {
    if (from >= sample) break;
    const vector = vectors[from] as number[];
    let sum = 0;
    for (let index = 0; index < dims; index++) {
      sum += (query[index] as number) * (vector[index] as number);
    }
    const score = Math.round(sum * 1e6) / 1e6;
    if (score >= threshold && score > (best.score ?? -2)) best = { from, score };
  }
  return best;
}

function measure(name: string, shareOfRelated: number): object {
  const table = makeVectors(shareOfRelated);
  const { steps, seconds, extraMegabytes } = runStudy(table);
  const vectors = Array.from({ length: count }, (_, row) =>
    Array.from(table.values.subarray(row * dims, (row + 1) * dims)),
  );
  const stored = steps.filter(({ source }) => source === null).map(({ sample }) => sample);
  const chosen = Array.from({ length: compared }, (_, number) =>
    Math.floor(((number + 0.5) * count) / compared),
  );
  const start = performance.now();
  const found = chosen.map((sample) => findByLoop(vectors, stored, sample));
  const loopSeconds = (((performance.now() - start) / 1000) * count) / compared;
  for (const [number, sample] of chosen.entries()) {
    const { from, score } = steps[sample] as CacheStep;
    if (from !== found[number]?.from || score !== found[number]?.score) {
      throw new Error(`sample ${sample}: the loop finds ${JSON.stringify(found[number])}`);
    }
  }
  return {
    vectors: name,
    hits: count - stored.length,
    'study s': Number(seconds.toFixed(1)),
    'loop s': Math.round(loopSeconds),
    times: Number((loopSeconds / seconds).toFixed(1)),
    'MB beyond the index': extraMegabytes.join(', '),
  };
}

const results = [measure('unrelated', 0), measure('half related', 0.5)];
if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else console.table(results);
