import { ConfigError } from '../errors.ts';
import { isMapping } from '../prompt/mapping.ts';
import type { ShotsAs } from './axes.ts';
import { plainOf } from './dataset-entry.ts';
import type { TemplateChoice } from './template-choices.ts';

const mark = '</E>';

type Turn = Readonly<Record<string, unknown>>;

/**
 * The same template with its examples as turns of the dialogue, or as text before the question. What
 * is asked about the row itself stays as it is.
 */
export function writeShotsAs(
  choice: TemplateChoice,
  { shotsAs, outputColumn }: { readonly shotsAs: ShotsAs; readonly outputColumn: string },
): TemplateChoice {
  const written = plainOf(choice.iceTemplate ?? choice.promptTemplate);
  const token = typeof written.ice_token === 'string' ? written.ice_token : undefined;
  const asked = plainOf(choice.promptTemplate ?? choice.iceTemplate);
  const turns = turnsOf(asked.template, { outputColumn, token });
  const example = turnsOf(written.template, { outputColumn, token });
  if (!turns || !example) throw cannotTurn(choice.name);
  if (shotsAs === 'turns') {
    return {
      ...choice,
      iceTemplate: { template: { round: example } },
      promptTemplate: { template: { begin: [mark], round: turns }, ice_token: mark },
    };
  }
  const [first, ...rest] = turns;
  const text = example.map(({ prompt }) => String(prompt)).join('\n');
  return {
    ...choice,
    iceTemplate: { template: text },
    promptTemplate: {
      template: { round: [{ ...first, prompt: `${mark}${first?.prompt}` }, ...rest] },
      ice_token: mark,
    },
  };
}

interface TurnOptions {
  readonly outputColumn: string;
  readonly token: string | undefined;
}

/** A question and its answer; nothing if the template has another form. */
function turnsOf(template: unknown, { outputColumn, token }: TurnOptions): Turn[] | undefined {
  const clean = (text: string) => (token === undefined ? text : text.replaceAll(token, ''));
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
  const onlyMark = Array.isArray(begin) && begin.every((item) => item === token);
  if (!Array.isArray(round) || !round.every(isMapping) || !onlyMark) return undefined;
  const turns = round.map(plainOf);
  const isPlain = turns.length === 2 && turns.every(({ prompt }) => typeof prompt === 'string');
  return isPlain
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
