import { namedFields } from '../../prompt/diagnostics.ts';
import { contentText } from '../../prompt/parts/content.ts';
import { compilePrompt } from '../../prompt/program.ts';
import { fillPrompt } from '../../prompt/render.ts';
import type { Row } from '../../prompt/values.ts';
import type { AnswerFacts, ScoreInput, Scorer } from '../scorer.ts';
import { rubricPrompt } from './default-prompts.ts';
import { createJudgeScorer, type SingleJudgeSettings } from './judge-scorer.ts';

interface Rubric {
  readonly rubric: string;
  /** Whether columns stand in it in braces. */
  readonly isFilled: boolean;
}

/** What prompts have beside the columns of a row. */
const given = new Set(['rubric', 'asked']);

/** Lets a model judge whether an answer meets a rubric. */
export function createRubricScorer(
  settings: SingleJudgeSettings,
  { rubric, isFilled }: Rubric,
): Scorer {
  const { promptTemplate } = rubricPrompt(settings.verdict);
  const scorer = createJudgeScorer({
    ...settings,
    template: settings.template ?? promptTemplate,
  });
  const program = compilePrompt({ promptTemplate: { template: rubric } });
  const textFor = isFilled ? rubricFiller(rubric, program) : () => rubric;
  const path = [...(settings.optionsPath ?? []), 'rubric'];
  const named = isFilled ? namedFields(program).map((name) => ({ name, path })) : [];
  const withRubric = <Input extends Pick<ScoreInput, 'row'>>(input: Input): Input => {
    const { facts } = input as { readonly facts?: AnswerFacts | undefined };
    return { ...input, row: { ...input.row, rubric: textFor(input.row), asked: askedText(facts) } };
  };
  const { judge, columns = [] } = scorer;
  return {
    ...scorer,
    readsFacts: true,
    columns:
      columns === 'any' ? columns : [...columns.filter(({ name }) => !given.has(name)), ...named],
    ...(judge && {
      judge: { ...judge, requestsFor: (input) => judge.requestsFor(withRubric(input)) },
    }),
    scoreLater: async (input, signal) => {
      if (!scorer.scoreLater) throw new TypeError('a judge that is not asked');
      return scorer.scoreLater(withRubric(input), signal);
    },
  };
}

function rubricFiller(
  rubric: string,
  program: ReturnType<typeof compilePrompt>,
): (row: Row) => string {
  return (row) => {
    const filled = fillPrompt(program, row);
    return filled.type === 'text' ? filled.text : rubric;
  };
}

/** What the model was asked, as one text. */
function askedText(facts: AnswerFacts | undefined): string {
  const messages = facts?.messages ?? [];
  const [first, ...others] = messages;
  if (first && others.length === 0) return contentText(first.content);
  return messages.map(({ role, content }) => `[${role}]\n${contentText(content)}`).join('\n');
}
