export { CPythonRandom } from './cpython-random.ts';
export { keyedRandom, type Random, sampleWithoutReplacement } from './keyed-random.ts';
export { NumpyRandom } from './numpy-random.ts';
