import { displayLocation } from '../../base/display-path.ts';
import type { Origin, Span } from '../../prompt/origin.ts';
import type { PromptView } from '../../study/view/prompt-view.ts';
import type { Colors, Terminal } from '../terminal.ts';
import type { Paint } from '../text/pieces.ts';
import { showControls } from '../text/show-controls.ts';

interface Look {
  readonly name: string;
  /** How the mark looks where there are no colours. */
  readonly sample: string;
  readonly meaning: string;
  readonly paint: (colors: Colors) => Paint | undefined;
}

const looks: Readonly<Record<Origin['type'], Look>> = {
  literal: {
    name: 'literal',
    sample: 'no mark',
    meaning: 'written in the template',
    paint: () => undefined,
  },
  field: {
    name: 'field',
    sample: '⟦column: …⟧',
    meaning: 'a column of the row',
    paint: ({ green }) => green,
  },
  role: {
    name: 'role begin/end',
    sample: '⟦ROLE begin: …⟧',
    meaning: "the model's format around a turn",
    paint: ({ cyan }) => cyan,
  },
  default: {
    name: 'default',
    sample: '⟦ROLE default: …⟧',
    meaning: 'default text of a role',
    paint: ({ yellow }) => yellow,
  },
  meta: {
    name: 'meta',
    sample: '⟦meta begin: …⟧',
    meaning: "the model's format around the whole prompt",
    paint: ({ magenta }) => magenta,
  },
  separator: {
    name: 'separator',
    sample: '⟦ice_separator: …⟧',
    meaning: 'between examples or lines',
    paint: ({ dim }) => dim,
  },
  mask: {
    name: 'mask',
    sample: '⟦mask: …⟧',
    meaning: 'position of the hidden answer',
    paint: ({ red }) => red,
  },
  label: {
    name: 'label',
    sample: '⟦label: …⟧',
    meaning: 'the answer under test',
    paint:
      ({ bold, yellow }) =>
      (text) =>
        bold(yellow(text)),
  },
  'chat-template': {
    name: 'chat template',
    sample: '⟦chat template: …⟧',
    meaning: "the model's own chat template",
    paint: ({ blue }) => blue,
  },
  function: {
    name: 'function',
    sample: 'no mark',
    meaning: 'made by the prompt function',
    paint: () => undefined,
  },
};

export function paintOf(origin: Origin, colors: Colors): Paint | undefined {
  return looks[origin.type].paint(colors);
}

/** The words before the text in a bracket: `question`, `HUMAN begin` … */
export function tagOf(origin: Origin): string {
  switch (origin.type) {
    case 'field':
      return origin.field;
    case 'role':
      return `${origin.role} ${origin.edge}`;
    case 'default':
      return `${origin.role} default`;
    case 'meta':
      return `meta ${origin.part}`;
    case 'separator':
      return origin.name;
    case 'chat-template':
      return 'chat template';
    default:
      return origin.type;
  }
}

/** Says what the marks mean, for the origins that occur. */
export function describeOrigins(view: PromptView, { colors, hasColors }: Terminal): string[] {
  const found = new Set(originsOf(view).map(({ type }) => type));
  const entries = Object.entries(looks).flatMap(([type, look]) => {
    if (!found.has(type as Origin['type'])) return [];
    const { name, sample, paint } = look;
    const meaning = meaningOf(look, view);
    return [
      hasColors
        ? {
            mark: name,
            meaning: type === 'field' ? `${meaning}, after its name` : meaning,
            paint: paint(colors),
          }
        : { mark: sample, meaning: `${name}: ${meaning}`, paint: undefined },
    ];
  });
  if (view.shots.length > 0) {
    const mark = hasColors ? ' shot n ' : '⟪shot n⟫';
    const { trainSplit } = view;
    const rows = view.shots.map((id, index) => `${index + 1} is ${trainSplit} ${id}`);
    entries.push({
      mark,
      meaning: `start of an example: ${rows.join(', ')}`,
      paint: colors.inverse,
    });
  }
  const width = Math.max(0, ...entries.map(({ mark }) => mark.length));
  return entries.map(({ mark, meaning, paint }) => {
    const space = ' '.repeat(width - mark.length + 2);
    return `${paint ? paint(mark) : mark}${space}${showControls(meaning)}`;
  });
}

function meaningOf({ name, meaning }: Look, view: PromptView): string {
  if (name === 'literal') return meaning + placeOfTask(view);
  const isJudged = name === 'field' && (view.judge?.length ?? 0) > 0;
  return isJudged ? `${meaning}; for judges also the answer, the gold answer and turns` : meaning;
}

/** Where the template of a task stands; one's own is in the config that is looked at. */
function placeOfTask(view: PromptView): string {
  const literal = spansOf(view).find(({ origin }) => origin.type === 'literal');
  const place = literal && view.placeOf(literal);
  return place?.usedBy ? ` of the task, ${displayLocation(place)}` : '';
}

function originsOf(view: PromptView): Origin[] {
  return spansOf(view).map(({ origin }) => origin);
}

function spansOf({ prompts, judge = [] }: PromptView): Span[] {
  const all = [...prompts.map(({ prompt }) => prompt), ...judge.map(({ traced }) => traced)];
  return all.flatMap((prompt) =>
    prompt.type === 'text' ? prompt.spans : prompt.messages.flatMap(({ spans }) => spans),
  );
}
