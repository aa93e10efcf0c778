import { CompatError } from '../../python/compat-error.ts';
import { pyAdd, pyAddInPlace, pyEquals, pyIterate, pySubscript } from '../../python/operators.ts';
import { traceText } from '../../python/traced-text.ts';
import { isText, isTruthy, PromptList, PyDict, type PyValue } from '../../python/values.ts';
import { failAs, failAsAisbench } from '../compat.ts';
import type { DialogueOptions } from './lm-parser.ts';
import { findRole, markShot, overlayRoles, splitRounds } from './rounds.ts';
import { walkSections } from './sections.ts';

interface RenderOptions {
  readonly table: PyDict;
  /** Whether to stop before the role that the model is to speak. */
  readonly forGeneration: boolean;
  readonly dialect: DialogueOptions['dialect'];
}

/** `null` is what the original puts for a role that the model is to speak. */
interface Rendered {
  readonly item: PyDict | null;
  readonly goOn: boolean;
}

/** `APITemplateParser` with a meta template: one item for each speaker in turn. */
export function parseApiDialogue(items: readonly PyValue[], options: DialogueOptions): PromptList {
  const { meta, dialect, mode } = options;
  const output: PyValue[] = [];
  walkSections(items, {
    dialect,
    handlers: {
      // text without a role cannot be said in messages, so the original drops it
      text: () => undefined,
      item: (item) => {
        const table = overlayRoles(
          markShot(meta.roles, [item]),
          item instanceof PyDict ? [item] : pyIterate(item),
        );
        const forGeneration = mode === 'gen';
        if (!(item instanceof PyDict)) {
          const rendered = renderAll(pyIterate(item), { table, forGeneration, dialect });
          output.push(rendered.items);
          return rendered.goOn;
        }
        const rendered = renderRole(item, { table, forGeneration, dialect });
        output.push(rendered.item);
        return rendered.goOn;
      },
      dialogue: (dialogue, section) => {
        const rounds = splitRounds(dialogue, { round: meta.round, dialect });
        let continued = true;
        for (const [index, round] of rounds.entries()) {
          const isLast = index === rounds.length - 1;
          const rendered = renderAll(meta.round, {
            table: overlayRoles(markShot(meta.roles, round), round),
            forGeneration: mode === 'gen' && section === 'round' && isLast,
            dialect,
          });
          output.push(...rendered.items);
          continued = rendered.goOn;
        }
        return continued;
      },
    },
  });
  const merged = mergeNeighbours(output);
  const begin = meta.begin ?? null;
  return new PromptList(isTruthy(begin) ? [begin, ...merged] : merged);
}

function renderAll(
  items: readonly PyValue[],
  options: RenderOptions,
): { readonly items: PyDict[]; readonly goOn: boolean } {
  const rendered: PyDict[] = [];
  for (const item of items) {
    if (isText(item)) {
      const message = 'Mixing str without explicit role is not allowed in API models!';
      throw failAs(options.dialect.compat, {
        what: 'the round of the meta template has text without a role',
        hint: 'a chat model can only be sent text with a role: use begin and end of a role',
        opencompass: ['TypeError', message],
        aisbench: ['AISBenchTypeError', 'MODEL-TYPE-001', message],
      });
    }
    const role = renderRole(item, options);
    if (role.item !== null) rendered.push(role.item);
    if (!role.goOn) return { items: rendered, goOn: false };
  }
  return { items: rendered, goOn: true };
}

function renderRole(item: PyValue, options: RenderOptions): Rendered {
  const role = findRole(item, options.table);
  if (options.forGeneration && isTruthy(role.get('generate') ?? false)) {
    return { item: null, goOn: false };
  }
  const entries: [PyValue, PyValue][] = [
    ['role', pySubscript(role, 'api_role')],
    ['prompt', options.dialect.compat === 'aisbench' ? contentOf(role) : textOf(role)],
  ];
  return { item: new PyDict(entries), goOn: true };
}

function textOf(role: PyDict): PyValue {
  return ['begin', 'prompt', 'end']
    .map((key) => {
      const value = role.get(key);
      return value === undefined ? '' : value;
    })
    .reduce(pyAddInPlace);
}

function contentOf(role: PyDict): PyValue {
  if (role.has('prompt')) return textOf(role);
  if (role.has('prompt_mm')) return pySubscript(role, 'prompt_mm');
  throw failAsAisbench({
    what: 'a role of the round has no prompt, which AISBench does not allow',
    hint: 'give every role before the answer a prompt, with the roles taking turns',
    aisbench: [
      'AISBenchValueError',
      'MODEL-DATA-002',
      "Invalid prompt content: without 'prompt' or 'prompt_mm' param!",
    ],
  });
}

/** Joins what one role says in a row, line by line. */
function mergeNeighbours(items: readonly PyValue[]): PyValue[] {
  const [first, ...rest] = items;
  if (first === undefined) {
    throw new CompatError({
      type: 'IndexError',
      message: 'list index out of range',
      what: 'the prompt is empty: no role has text',
      hint: 'add a round with a HUMAN item to the template',
    });
  }
  const merged: PyValue[] = [first];
  let lastRole = pySubscript(first, 'role');
  for (const item of rest) {
    const role = pySubscript(item, 'role');
    const last = merged.at(-1);
    if (pyEquals(role, lastRole) && last instanceof PyDict) {
      const line = traceText('\n', { type: 'separator', name: 'line' });
      const addition = pyAdd(line, pySubscript(item, 'prompt'));
      merged.splice(
        -1,
        1,
        last.with('prompt', pyAddInPlace(pySubscript(last, 'prompt'), addition)),
      );
    } else {
      lastRole = role;
      merged.push(item);
    }
  }
  return merged;
}
