import { deepStrictEqual } from 'node:assert';
import { measureRates } from './measure.ts';
import { fewShotCase, labelCase, makeRows, type PromptCase } from './prompt-cases.ts';

const rows = makeRows(1_000, 11);
const manyRows = makeRows(100_000, 11);
const cases: PromptCase[] = [
  fewShotCase(rows, 0, 'fixed'),
  fewShotCase(rows, 5, 'fixed'),
  fewShotCase(rows, 5, 'per-row'),
  fewShotCase(rows, 50, 'fixed'),
  fewShotCase(rows, 50, 'per-row'),
  labelCase(rows),
];
cases.push({ ...fewShotCase(manyRows, 5, 'per-row'), name: '5 shots, per-row, 100k rows' });

const results = cases.map((promptCase) => {
  for (let index = 0; index < 50; index++) {
    deepStrictEqual(promptCase.variants[0]?.run(index), promptCase.handWritten(index));
  }
  const rates = measureRates([
    { name: 'by hand', run: promptCase.handWritten },
    ...promptCase.variants,
  ]);
  const byHand = rates.get('by hand') ?? Number.NaN;
  const typecase = rates.get('typecase') ?? Number.NaN;
  const traced = rates.get('with origins') ?? Number.NaN;
  return {
    case: promptCase.name,
    byHandPerSecond: Math.round(byHand),
    typecasePerSecond: Math.round(typecase),
    ofByHand: Number((typecase / byHand).toFixed(2)),
    slowerWithOrigins: Number((typecase / traced).toFixed(2)),
  };
});

if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else console.table(results);
