import type { Levels } from './factors.ts';

/** The `eval_cfg` of a dataset, or nothing where texts are only measured. */
export function sampleEvaluator(levels: Levels): object {
  if (levels.ask === 'ppl-only') return {};
  const circular = levels.repeats === 'rotations' && { circular: 'rotations' };
  return { eval_cfg: { evaluator: evaluatorOf(levels), ...circular } };
}

const judge = { type: 'judge', model: 'strong' };

function evaluatorOf(levels: Levels): object {
  switch (levels.judge) {
    case 'none':
      return plainEvaluator(levels);
    case 'choice':
      return judge;
    case 'grade':
      return { ...judge, verdict: { type: 'grade', scale: [1, 10] } };
    case 'pair':
      return { ...judge, against: 'rival' };
    case 'own-prompt':
      return {
        ...judge,
        prompt: 'Is <a {boundary}>{prediction}</a {boundary}> right for "{question}"? {reference}',
      };
    case 'examples':
      return {
        ...judge,
        examples: [
          {
            question: '2 + 2?',
            reference: '4',
            prediction: 'four',
            verdict: 'A',
            reason: 'It is.',
          },
        ],
      };
    case 'opencompass':
      return {
        type: 'GenericLLMEvaluator',
        prompt_template: {
          type: 'PromptTemplate',
          template: {
            begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'You grade.' }],
            round: [{ role: 'HUMAN', prompt: '{question} {prediction} {obj_gold}' }],
          },
        },
        judge_cfg: { abbr: 'strong' },
        dict_postprocessor: { type: 'generic_llmjudge_postprocess' },
      };
  }
}

function plainEvaluator({ ask, repeats, template }: Levels): object {
  if (template === 'turns') return { type: 'contains' };
  const isWritten = ask === 'gen' || ask === 'sc';
  if (!isWritten && repeats !== 'rotations') return { type: 'exact' };
  return { type: 'choice', text_columns: ['A', 'B', 'C', 'D'] };
}
