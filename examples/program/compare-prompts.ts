// Which of two prompts is better, and is it good enough? Run it: npx tsx examples/program/compare-prompts.ts [GATE]

import { compareRuns, evaluate, type GateOptions } from 'typecase';
import { describeGates, exitCodeOf } from 'typecase/report';

const failUnder = Number(process.argv[2] ?? 0.9);
const rows = Array.from({ length: 94 }, (_, index) => {
  const [a, b] = [10 + index, 10 + ((index * 37) % 90)];
  return { a, b, total: a + b };
});

const words = await ask('words', '{a} plus {b} =');
const equation = await ask('equation', '{a}+{b}=', { failUnder });

const { tasks } = await compareRuns(words.folder, equation.folder);
console.log(tasks[0]?.verdict.text);

for (const line of describeGates(equation.summary)) console.log(line);
process.exitCode = exitCodeOf(equation.summary);

/** Asks all rows with a prompt; the same again asks only what is missing. */
async function ask(name: string, template: string, gate: GateOptions = {}) {
  const run = await evaluate(
    {
      models: [{ abbr: 'tiny', type: 'Local', path: 'typecase-tiny' }],
      datasets: [
        {
          abbr: 'sums',
          rows,
          reader_cfg: { input_columns: ['a', 'b'], output_column: 'total' },
          infer_cfg: {
            prompt_template: { template },
            inferencer: { type: 'GenInferencer', stopping_criteria: ['\n'], max_out_len: 6 },
          },
          eval_cfg: { evaluator: { type: 'number' } },
        },
      ],
    },
    { out: `runs/sums-${name}`, ...gate },
  );
  const score = run.summary.results[0]?.score;
  if (!run.summary.complete || !score) throw new Error(`${name} was not asked about every row`);
  console.log(
    `${name}: ${score.value.toFixed(2)} [${score.low?.toFixed(2)}, ${score.high?.toFixed(2)}]`,
  );
  return run;
}
