import { promptText } from '../../evaluation/asked.ts';
import { formatValue } from '../../prompt/values.ts';
import type { LabelView, PromptView } from '../../study/view/prompt-view.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type DiffPart, diffLines, diffWords } from '../../terminal/text/diff-lines.ts';
import { renderDiffRow } from '../../terminal/text/render-diff-row.ts';
import { showControls } from '../../terminal/text/show-controls.ts';

/** Two views of the same row, and what each is called. */
export interface Comparison {
  readonly left: PromptView;
  readonly right: PromptView;
  readonly names: readonly [left: string, right: string];
}

interface PromptPair {
  readonly title: string | undefined;
  readonly left: string;
  readonly right: string;
}

/** Two prompts side by side, with the words that differ marked. */
export function renderDiff({ left, right, names }: Comparison, terminal: Terminal): string[] {
  const { colors } = terminal;
  const parts = [
    left.model ?? 'no model',
    ...(left.dataset === right.dataset ? [left.dataset] : []),
    `row ${left.row.index}`,
  ];
  const [first = '', ...rest] = parts.map(showControls);
  const [leftName, rightName] = names.map((text): DiffPart[] => [{ type: 'same', text }]);
  return [
    `${colors.bold(first)} · ${rest.join(' · ')}`,
    '',
    ...renderDiffRow({ left: leftName, right: rightName, rule: ' ' }, terminal).map(colors.bold),
    ...pairPrompts(left, right).flatMap((pair) => renderPair(pair, terminal)),
  ];
}

/** The differences as data. */
export function jsonDiff({ left, right }: Comparison) {
  return pairPrompts(left, right).map(({ title, left: before, right: after }) => ({
    ...(title !== undefined && { label: title }),
    changes: diffWords(before, after),
  }));
}

function renderPair({ title, left, right }: PromptPair, terminal: Terminal): string[] {
  const { colors } = terminal;
  const heading = title === undefined ? [''] : ['', colors.bold(`Label ${showControls(title)}`)];
  const rows = diffLines(left, right).flatMap((row) =>
    renderDiffRow({ ...row, rule: row.left === row.right ? '│' : '≠' }, terminal),
  );
  return [...heading, ...rows, ...(left === right ? ['', 'No difference.'] : [])];
}

/** Prompts for the same label; a prompt that only one side has stands against nothing. */
function pairPrompts(left: PromptView, right: PromptView): PromptPair[] {
  const keyOf = (prompt: LabelView) => ('label' in prompt ? formatValue(prompt.label) : undefined);
  const keys = new Set([...left.prompts, ...right.prompts].map(keyOf));
  return [...keys].map((key) => {
    const textOf = ({ prompts }: PromptView) => {
      const found = prompts.find((prompt) => keyOf(prompt) === key);
      return found ? promptText(found.sent) : '';
    };
    return { title: key, left: textOf(left), right: textOf(right) };
  });
}
