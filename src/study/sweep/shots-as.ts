import { ConfigError } from '../../errors.ts';
import { isMapping } from '../../prompt/mapping.ts';
import type { ShotsAs } from './axes.ts';
import { plainOf } from './dataset-entry.ts';
import type { TemplateChoice } from './template-choices.ts';

const mark = '</E>';

type Turn = Readonly<Record<string, unknown>>;

/**
 * The same template with its examples as turns of a dialogue, or as text before the question. One
 * that has that form already stays as it is.
 */
export function writeShotsAs(
  choice: TemplateChoice,
  { shotsAs, outputColumn }: { readonly shotsAs: ShotsAs; readonly outputColumn: string },
): TemplateChoice {
  const example = plainOf(choice.iceTemplate ?? choice.promptTemplate);
  const isText = typeof example.template === 'string';
  if (isText === (shotsAs === 'text')) return choice;
  const asked = plainOf(choice.promptTemplate ?? choice.iceTemplate);
  const questions = turnsOf(asked, outputColumn);
  const shots = turnsOf(example, outputColumn);
  if (!questions || !shots) throw cannotTurn(choice.name);
  if (shotsAs === 'turns') {
    return {
      ...choice,
      iceTemplate: { template: { round: shots } },
      promptTemplate: { template: { begin: [mark], round: questions }, ice_token: mark },
    };
  }
  const [question, ...rest] = questions;
  const round = [{ ...question, prompt: `${mark}${question?.prompt}` }, ...rest];
  return {
    ...choice,
    iceTemplate: { template: shots.map(({ prompt }) => prompt).join('\n') },
    promptTemplate: { template: { round }, ice_token: mark },
  };
}

/** A question and its answer; nothing if the template has another form. */
function turnsOf(
  { template, ice_token: token }: Record<string, unknown>,
  outputColumn: string,
): Turn[] | undefined {
  const clean = (text: string) => (typeof token === 'string' ? text.replaceAll(token, '') : text);
  if (typeof template === 'string') {
    const answer = `{${outputColumn}}`;
    const text = clean(template);
    if (!text.endsWith(answer)) return undefined;
    return [
      { role: 'HUMAN', prompt: text.slice(0, -answer.length).trimEnd() },
      { role: 'BOT', prompt: answer },
    ];
  }
  const { round, begin = [] } = plainOf(template);
  const isOnlyMark = Array.isArray(begin) && begin.every((item) => item === token);
  if (!Array.isArray(round) || !round.every(isMapping) || !isOnlyMark) return undefined;
  const turns = round.map(plainOf);
  const isPair = turns.length === 2 && turns.every(({ prompt }) => typeof prompt === 'string');
  return isPair
    ? turns.map((turn) => ({ ...turn, prompt: clean(String(turn.prompt)) }))
    : undefined;
}

function cannotTurn(name: string): ConfigError {
  return new ConfigError(
    'sweep.shots_as',
    `the template \`${name}\` is not a question and its answer, so its examples have one form only`,
    {
      hint: 'Sweep `shots_as` with templates that end in the output column, or are a `round` of two turns.',
    },
  );
}
