/**
 * BM25 over 100,000 documents, against a plain Python scorer over the same documents in the same run:
 * `npx tsx bench/retrieve.bench.ts [--json]`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyedRandom } from '../src/base/keyed-random.ts';
import { Bm25Index } from '../src/retrieve/bm25/bm25-index.ts';
import { median } from './measure.ts';

const documentCount = 100_000;
const vocabulary = 30_000;
const queryCount = 200;
const pythonQueries = 3;
const examples = 5;

const random = keyedRandom(1, 'documents');

/** Words as frequent as in real text: the rank of a word is about as likely as it is high. */
function drawWords(length: number): string[] {
  return Array.from({ length }, () => `w${Math.floor(vocabulary ** random.next())}`);
}

const documents = Array.from({ length: documentCount }, () => drawWords(20 + random.below(40)));
const queries = Array.from({ length: queryCount }, () => drawWords(8 + random.below(16)));

function timed<Result>(step: () => Result): [Result, number] {
  const start = performance.now();
  const result = step();
  return [result, performance.now() - start];
}

interface PythonResult {
  readonly seconds: number;
  readonly scores: readonly number[];
}

function scoreInPython(): PythonResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-bm25-'));
  try {
    const file = join(folder, 'task.json');
    const asked = queries.slice(0, pythonQueries);
    writeFileSync(file, JSON.stringify({ documents, queries: asked }));
    const script = fileURLToPath(new URL('bm25-plain.py', import.meta.url));
    const maxBuffer = 1 << 28;
    const { status, stdout, stderr } = spawnSync('python3', [script, file], {
      encoding: 'utf8',
      maxBuffer,
    });
    if (status !== 0) throw new Error(`python3 failed: ${stderr}`);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The largest difference between the scores of the best documents and Python's for them. */
function largestDifference(index: Bm25Index, results: readonly PythonResult[]): number {
  const count = 1000;
  return Math.max(
    ...results.map(({ scores }, place) => {
      const top = index.search(queries[place] ?? [], { count });
      const expected = scores.toSorted((a, b) => b - a);
      const differences = top.indexes.flatMap((document, rank) => {
        const score = top.scores[rank] ?? 0;
        return [score - (scores[document] ?? 0), score - (expected[rank] ?? 0)].map(Math.abs);
      });
      return Math.max(...differences);
    }),
  );
}

const [index, buildMs] = timed(() => new Bm25Index(documents));
const results = scoreInPython();
const search = (query: readonly string[]) => index.search(query, { count: examples });
for (const query of queries) search(query);
const queryMs = median(queries.map((query) => timed(() => search(query))[1]));
const pythonMs = median(results.map(({ seconds }) => seconds * 1000));
const report = {
  documents: documentCount,
  buildMs,
  queryMs,
  pythonQueryMs: pythonMs,
  timesPython: pythonMs / queryMs,
  largestDifference: largestDifference(index, results),
};

if (process.argv.includes('--json')) console.log(JSON.stringify(report, null, 2));
else {
  console.log(`index of ${documentCount.toLocaleString('en')} documents  ${buildMs.toFixed(0)} ms`);
  console.log(`query, best ${examples}              ${queryMs.toFixed(2)} ms`);
  console.log(`query, plain Python        ${pythonMs.toFixed(0)} ms`);
  console.log(`times Python               ${report.timesPython.toFixed(0)} (goal: at least 100)`);
  console.log(
    `largest score difference   ${report.largestDifference.toExponential(1)} (goal: 1e-9)`,
  );
}
if (report.timesPython < 100 || !(report.largestDifference < 1e-9)) process.exitCode = 1;
