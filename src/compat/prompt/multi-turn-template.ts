import { atPath } from '../../python/compat-error.ts';
import { pyEquals, pyGet, pyIterate, pySubscript } from '../../python/operators.ts';
import { PromptList, PyDict, type PyValue } from '../../python/values.ts';
import type { Filling } from './format.ts';
import { formatPromptList } from './prompt-list.ts';
import { encodeTemplate, type PromptTemplate } from './template.ts';

/** A dialogue cut into what stands before its turns, the turns, and what stands after. */
export interface DialogueParts {
  readonly left: readonly PyValue[];
  readonly turns: readonly PyValue[];
  readonly right: readonly PyValue[];
}

/** AISBench `MultiTurnPromptTemplate`: the round once for each question and answer of the row. */
export function generateMultiTurn(template: PromptTemplate, filling: Filling): PromptList {
  return atPath(template.path, () => {
    const encoded = encodeTemplate(template.template, { ice: false });
    const { left, turns, right } = splitDialogue(encoded);
    const questions = pyIterate(pySubscript(filling.entry, 'question'));
    const answers = pyIterate(pySubscript(filling.entry, 'answer'));
    const rounds = questions.slice(0, answers.length).flatMap((question, index) => {
      const entry = new PyDict([
        ['question', question],
        ['answer', answers[index] ?? null],
      ]);
      return formatPromptList(new PromptList(turns), { ...filling, entry }).items;
    });
    return new PromptList([...left, ...rounds, ...right]);
  });
}

/** AISBench `get_round_index`: where the turns start and end, `[1, -1]` when there is no round. */
export function findRound(prompt: PyValue): readonly [number, number] {
  let [left, right] = [1, -1];
  pyIterate(prompt).forEach((item, index) => {
    if (!pyEquals(pyGet(item, 'section') ?? null, 'round')) return;
    const position = pyGet(item, 'pos') ?? null;
    if (pyEquals(position, 'begin')) left = index + 1;
    else if (pyEquals(position, 'end')) right = index;
  });
  return [left, right];
}

/** Cuts a dialogue at its round. */
export function splitDialogue(prompt: PyValue): DialogueParts {
  const [left, right] = findRound(prompt);
  const items = pyIterate(prompt);
  return {
    left: items.slice(0, left),
    turns: items.slice(left, right),
    right: items.slice(right),
  };
}
