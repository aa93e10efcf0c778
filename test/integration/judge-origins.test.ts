import { expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { writeFolder } from './run-cli.ts';

const config = `models:
  - { abbr: m, type: OpenAI, base_url: "http://127.0.0.1:9/v1", model: m }
  - abbr: strong
    type: OpenAICompletions
    base_url: "http://127.0.0.1:9/v1"
    model: s
    judge: true
    meta_template:
      round:
        - { role: HUMAN, begin: "<U>", end: "</U>" }
        - { role: BOT, begin: "<B>", generate: true }
datasets:
  - abbr: own
    rows: [{ id: 7, question: "2+2?", answer: "4", kind: sum }]
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { prompt_template: { template: "Q: {question}" } }
    eval_cfg:
      evaluator:
        type: judge
        model: strong
        prompt:
          template:
            round:
              - role: HUMAN
                prompt: "Is {prediction} right for the {kind}? {reference}"
        verdict: { type: choice, correct: "yes", incorrect: "no" }
  - abbr: short
    rows: [{ question: "2+2?", answer: "4" }]
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { prompt_template: { template: "Q: {question}" } }
    eval_cfg:
      evaluator:
        type: judge
        model: strong
        prompt: "Is {prediction} right?"
        verdict: { type: choice, correct: "yes", incorrect: "no" }
  - abbr: ours
    rows: [{ question: "2+2?", answer: "4", other: "5" }]
    reader_cfg: { input_columns: [question], output_column: answer }
    infer_cfg: { prompt_template: { template: "Q: {question}" } }
    eval_cfg:
      evaluator: { type: judge, model: strong }
`;

interface JudgeSpan {
  readonly text: string;
  readonly origin: { readonly type: string; readonly field?: string; readonly row?: number };
  readonly at: { readonly line: number; readonly column: number } | null;
}

interface Shown {
  readonly prompt: { readonly text: string };
  readonly spans: readonly JudgeSpan[];
}

async function judgeOf(dataset: string): Promise<Shown> {
  const folder = await writeFolder({ 'judge.yaml': config });
  const args = ['view', `${folder}/judge.yaml`, '--judge', '--json', '--dataset', dataset];
  const { code, stdout } = await callCommand(args);
  expect(code).toBe(0);
  const [shown] = JSON.parse(stdout).views[0].judge as Shown[];
  if (!shown) throw new Error('no judge is shown');
  expect(shown.spans.map(({ text }) => text).join('')).toBe(shown.prompt.text);
  return shown;
}

function named({ text, origin, at }: JudgeSpan) {
  return [text, origin.field ?? origin.type, at && `${at.line}:${at.column}`];
}

test("each part of a judge's prompt says where it comes from", async () => {
  const { spans } = await judgeOf('own');
  expect(spans.map(named)).toEqual([
    ['<U>', 'role', '10:34'],
    ['Is ', 'literal', '25:26'],
    ['⟨answer 1⟩', 'prediction', '25:29'],
    [' right for the ', 'literal', '25:41'],
    ['sum', 'kind', '25:56'],
    ['? ', 'literal', '25:62'],
    ['4', 'reference', '25:64'],
    ['</U>', 'role', '10:46'],
    ['<B>', 'role', '11:32'],
  ]);
  const short = await judgeOf('short');
  expect(short.spans.map(named)).toEqual([
    ['Is ', 'literal', '35:18'],
    ['⟨answer 1⟩', 'prediction', '35:21'],
    [' right?', 'literal', '35:33'],
  ]);
  // Prompts of our own stand in no config: their place is that of the evaluator.
  const ours = await judgeOf('ours');
  const written = ours.spans.filter(({ origin }) => origin.type !== 'role');
  expect(written.length).toBeGreaterThan(5);
  expect(new Set(written.map(({ at }) => at?.line))).toEqual(new Set([42]));
});

test('the terminal marks them as in the prompts of the model', async () => {
  const folder = await writeFolder({ 'judge.yaml': config });
  const args = ['view', `${folder}/judge.yaml`, '--judge', '--dataset', 'own'];
  const marked = (await callCommand([...args, '--origins'])).stdout;
  expect(marked).toContain(
    '⟦HUMAN begin: <U>⟧Is ⟦prediction: ⟨answer 1⟩⟧ right for the ⟦kind: sum⟧?',
  );
  expect(marked).toContain('for judges also the answer, the gold answer and turns');
  expect((await callCommand(args)).stdout).toContain(
    '<U>Is ⟨answer 1⟩ right for the sum? 4</U><B>',
  );
});
