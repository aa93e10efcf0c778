import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { untracePlan } from '../../src/evaluation/evaluation.ts';
import { openEvaluations } from '../../src/evaluation/open-evaluations.ts';
import type { Prompt } from '../../src/prompt/prompt.ts';
import type { PositionedRow } from '../../src/prompt/trace.ts';
import { measureText } from '../../src/score/perplexity-scorer.ts';
import { registerSuites } from '../../src/suites/index.ts';
import { aggregationOf, aggregations } from '../../src/suites/lm-eval/scoring/metrics.ts';
import { standardError } from '../../src/suites/lm-eval/scoring/standard-error.ts';
import { measuredCounts } from '../../src/suites/lm-eval/scoring/task-scorer.ts';
import { type TaskEvaluation, taskOf } from '../../src/suites/lm-eval/task-evaluation.ts';

// What lm-evaluation-harness itself gave, recorded by record-scoring.py.

registerSuites();

interface Recorded {
  readonly test: Record<string, unknown>[];
  readonly train: Record<string, unknown>[];
  readonly contexts: readonly RecordedContexts[];
  readonly scorings: readonly RecordedScoring[];
}

interface RecordedContexts {
  readonly name: string;
  readonly config: Record<string, unknown>;
  readonly shots: number;
  /** Null: without a chat template. */
  readonly turns: boolean | null;
  readonly system: string | null;
  readonly requests: readonly (readonly [doc: number, context: string, continuation?: string])[];
}

interface RecordedScoring {
  readonly config: Record<string, unknown>;
  readonly responses: readonly (readonly (readonly unknown[])[])[];
  readonly results: Record<string, RecordedResult>;
}

interface RecordedResult {
  readonly items: readonly unknown[];
  readonly value?: number;
  readonly stderr?: number | null;
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'harness.json'), 'utf8'),
) as Recorded;

const folder = mkdtempSync(join(tmpdir(), 'lm-eval-'));
const chatTemplate = join(folder, 'chat.jinja');
writeFileSync(
  chatTemplate,
  '{% for m in messages %}<{{ m.role }}>{{ m.content }}</>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}',
);

async function openOne(config: Record<string, unknown>, settings: Record<string, unknown>) {
  const model = {
    abbr: 'm',
    type: 'OpenAICompletions' as const,
    base_url: 'http://127.0.0.1:9/v1',
    chat_template: chatTemplate,
  };
  const evaluations = await openEvaluations(
    {
      models: [model],
      datasets: [
        {
          abbr: 't',
          type: 'LmEval',
          rows: { test: recorded.test, train: recorded.train },
          reader_cfg: { input_columns: [], output_column: null },
          infer_cfg: { prompt_template: { template: '' } },
          lm_eval: { config: { task: 't', ...config }, ...settings },
        },
      ],
    },
    { purpose: 'view' },
  );
  const evaluation = evaluations[0];
  const opened = evaluation && taskOf(evaluation);
  if (!evaluation || !opened) throw new Error('no evaluation');
  const rows: PositionedRow[] = [];
  for await (const batch of evaluation.rows.batches()) rows.push(...batch);
  return { evaluation, opened, rows };
}

const textOf = (prompt: Prompt | undefined) => (prompt?.type === 'text' ? prompt.text : '');

describe('contexts', () => {
  for (const { name, config, shots, turns, system, requests } of recorded.contexts) {
    const how = turns === null ? 'plain' : turns ? 'turns' : 'one turn';
    test(`${name}, ${shots} shots, ${how}${system ? ', system' : ''}`, async () => {
      const { evaluation, opened, rows } = await openOne(config, {
        num_fewshot: shots,
        ...(system !== null && { system_instruction: system }),
        ...(turns !== null && { apply_chat_template: true, fewshot_as_multiturn: turns }),
      });
      const made = rows.slice(0, 2).flatMap((row): unknown[] => {
        const { contexts, continuations } = opened.promptOf(row);
        if (continuations.length === 0) return [[row.id, textOf(contexts[0])]];
        return continuations.map((text, index) => [
          row.id,
          textOf(contexts[index] ?? contexts[0]),
          text,
        ]);
      });
      expect(made).toEqual(requests);
      for (const row of rows.slice(0, 2)) {
        const plan = await evaluation.plan(row);
        const traced = await evaluation.trace(row);
        expect(untracePlan(traced).requests.map(({ encoded }) => encoded)).toEqual(
          plan.requests.map(({ encoded }) => encoded),
        );
        expect(traced.requests[0]?.texts.map(({ prompt }) => spansText(prompt))).toEqual(
          textsAsked(plan.requests[0]?.asked),
        );
      }
    });
  }
});

function spansText(prompt: { type: string; spans?: readonly { text: string }[] }): string {
  return (prompt.spans ?? []).map(({ text }) => text).join('');
}

function textsAsked(asked: unknown): readonly string[] {
  const request = asked as { prompt?: Prompt; texts?: readonly { text: string }[] };
  return request.texts?.map(({ text }) => text) ?? [textOf(request.prompt)];
}

describe('scores', () => {
  for (const [index, { config, responses, results }] of recorded.scorings.entries()) {
    const names = Object.keys(results).join(' ');
    test(`${index}: ${config.output_type} ${names}`, async () => {
      const { opened, rows } = await openOne(config, { num_fewshot: 0 });
      const collected = new Map<string, unknown[]>();
      for (const [at, row] of rows.entries()) {
        const values = valuesOf(opened, row, responses[at] ?? []);
        for (const [filter, raw] of values) {
          for (const [metric, value] of Object.entries(raw)) {
            const key = `${metric},${filter}`;
            collected.set(key, [...(collected.get(key) ?? []), value]);
          }
        }
      }
      for (const [key, { items, value, stderr }] of Object.entries(results)) {
        const own = collected.get(key) ?? [];
        expect(own.map(rounded), key).toEqual(items.map(rounded));
        if (value === undefined) continue;
        const entry = opened.opened.task.metrics.find((one) => one.metric === key.split(',')[0]);
        const aggregation = entry ? aggregationOf(entry) : 'mean';
        expect(aggregations[aggregation]?.(own), key).toBeCloseTo(value, 10);
        const error = standardError(aggregation, own, 1000);
        if (stderr === null || stderr === undefined) expect(error).toBeUndefined();
        else expect(error, `${key} stderr`).toBeCloseTo(stderr, 10);
      }
      expect([...collected.keys()].sort()).toEqual(Object.keys(results).sort());
    });
  }
});

function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded);
  return typeof value === 'number' ? Number(value.toFixed(6)) : value;
}

function valuesOf(
  { opened }: TaskEvaluation,
  { row }: PositionedRow,
  responses: readonly (readonly unknown[])[],
) {
  const { task, scorer } = opened;
  if (task.outputType === 'generate_until') {
    return scorer.valuesOf(row, (responses[0] ?? []) as readonly string[]);
  }
  const pairs = responses.map(([one]) => [one].flat() as unknown as readonly [number, boolean?]);
  const logprobs = pairs.map(([value]) => value);
  const [first = 0] = logprobs;
  if (task.outputType === 'loglikelihood_rolling') {
    const text = String(opened.targetOf(row));
    const measures = measureText({ text, logprob: first, tokens: 1, nll: -first });
    return scorer.valuesOfMeasured({ row, logprobs, measures });
  }
  const choices = opened.choicesOf(row).length || 1;
  const counts = measuredCounts(
    pairs.slice(0, choices).map(([, flag]) => flag),
    logprobs.slice(choices),
  );
  const measures = { nll: -first, tokens: 1, counts };
  return scorer.valuesOfMeasured({ row, logprobs: logprobs.slice(0, choices), measures });
}
