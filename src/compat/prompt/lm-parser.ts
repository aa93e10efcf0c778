import { CompatError } from '../../python/compat-error.ts';
import { pyAdd } from '../../python/operators.ts';
import { isText, isTruthy, PyDict, type PyValue, typeName } from '../../python/values.ts';
import type { Dialect, MetaTemplate } from './meta-template.ts';
import { findRole, markShot, overlayRoles, splitRounds } from './rounds.ts';
import { walkSections } from './sections.ts';

export interface DialogueOptions {
  readonly meta: Extract<MetaTemplate, { type: 'dialogue' }>;
  readonly dialect: Dialect;
  readonly mode: 'gen' | 'ppl';
}

interface Rendered {
  readonly text: PyValue;
  readonly goOn: boolean;
}

interface RenderOptions {
  readonly table: PyDict;
  /** Whether to stop at the role that the model is to speak. */
  readonly forGeneration: boolean;
}

/** `LMTemplateParser` with a meta template: the whole dialogue as one text. */
export function parseLmDialogue(items: readonly PyValue[], options: DialogueOptions): PyValue {
  const { meta, dialect, mode } = options;
  let output: PyValue = '';
  const append = ({ text, goOn }: Rendered): boolean => {
    output = pyAdd(output, text);
    return goOn;
  };
  const goOn = walkSections(items, {
    dialect,
    handlers: {
      text: (text) => append({ text, goOn: true }),
      item: (item) => {
        const table = overlayRoles(markShot(meta.roles, [item]), checkedItems(item));
        return append(render(item, { table, forGeneration: false }));
      },
      dialogue: (dialogue, section) => {
        const rounds = splitRounds(dialogue, { round: meta.round, dialect });
        let continued = true;
        for (const [index, round] of rounds.entries()) {
          const isLast = index === rounds.length - 1;
          const table = overlayRoles(markShot(meta.roles, round), round);
          const forGeneration = mode === 'gen' && section === 'round' && isLast;
          continued = append(render(meta.round, { table, forGeneration }));
        }
        return continued;
      },
    },
  });
  const { begin = '', end = '' } = meta;
  const whole = pyAdd(begin, output);
  return goOn ? pyAdd(whole, end) : whole;
}

function render(prompt: PyValue, options: RenderOptions): Rendered {
  if (isText(prompt)) return { text: prompt, goOn: true };
  if (prompt instanceof PyDict) return renderRole(prompt, options);
  let text: PyValue = '';
  let goOn: boolean | undefined;
  for (const item of checkedItems(prompt)) {
    const rendered = render(item, options);
    text = pyAdd(text, rendered.text);
    goOn = rendered.goOn;
    if (!goOn) break;
  }
  if (goOn !== undefined) return { text, goOn };
  throw new CompatError({
    type: 'UnboundLocalError',
    message: "cannot access local variable 'cont' where it is not associated with a value",
    what: 'the round of the meta template is empty',
    hint: 'add the roles of the model to round',
  });
}

function renderRole(item: PyDict, { table, forGeneration }: RenderOptions): Rendered {
  const role = findRole(item, table);
  const begin = settingOf(role, 'begin');
  if (forGeneration && isTruthy(role.get('generate') ?? false)) return { text: begin, goOn: false };
  const rest = pyAdd(settingOf(role, 'prompt'), settingOf(role, 'end'));
  return { text: pyAdd(begin, rest), goOn: true };
}

function settingOf(role: PyDict, key: string): PyValue {
  const value = role.get(key);
  return value === undefined ? '' : value;
}

function checkedItems(item: PyValue): readonly PyValue[] {
  if (item instanceof PyDict) return [item];
  if (Array.isArray(item)) return item;
  throw new CompatError({
    type: 'AssertionError',
    message: '',
    what: `found a ${typeName(item)} where a role item is expected`,
  });
}
