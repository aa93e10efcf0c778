/** Uses the built package as others do; only its types are checked, by `scripts/test.mjs`. */
import { defineConfig, type Model, openAiModel } from 'typecase';
import { compilePrompt, fillPrompt, loadChatTemplate, type Prompt } from 'typecase/prompt';
import { type RunSummary, summaryMarkdown } from 'typecase/report';
import { createRetriever, type Retriever } from 'typecase/retrieve';
import { compileScorer, type RowScore, splitAnswer } from 'typecase/score';
import { type Estimate, wilson } from 'typecase/stats';

const program = compilePrompt({ promptTemplate: { template: '{q}' } });
export const prompt: Prompt = fillPrompt(program, { q: '1+1?' });
export const text: string = loadChatTemplate('').render({
  messages: [],
  addGenerationPrompt: true,
});

const scorer = compileScorer({ evaluator: { type: 'exact' } });
export const score: RowScore = scorer.score({ answer: splitAnswer('2'), gold: '2', row: {} });
export const estimate: Estimate | undefined = wilson(8, 10);

const context = { pool: [{ id: 0, row: {} }], inputColumns: ['q'], path: [] };
export const retriever: Retriever = createRetriever({ type: 'RandomRetriever' }, context);

export const report = (summary: RunSummary): string => summaryMarkdown(summary);
export const config = defineConfig({ datasets: [], models: [] });
export const model: Model = openAiModel({
  takes: 'messages',
  baseUrl: 'http://127.0.0.1:8000',
  model: 'small',
  source: ['models', 0],
});
