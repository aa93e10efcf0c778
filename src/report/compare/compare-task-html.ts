import { formatCount } from '../../base/format.ts';
import { formatValue } from '../../study/compare/compare-format.ts';
import type { Flip, Scale, TaskComparison } from '../../study/compare/comparison.ts';
import { type Html, html, htmlLines } from '../page.ts';
import { describeFlip } from './describe-flip.ts';
import { describeTask } from './describe-task.ts';
import { flipTexts } from './flip-texts.ts';

/** Says what two texts share and what only one of them has. */
export type DiffTexts = (
  left: string,
  right: string,
) => readonly { readonly type: 'same' | 'removed' | 'added'; readonly text: string }[];

export interface TaskScene {
  readonly index: number;
  readonly isOpen: boolean;
  readonly diffWords: DiffTexts;
}

/** What is known of one task, with the rows that changed. */
export function taskHtml(task: TaskComparison, scene: TaskScene): Html {
  const { name, result, scale, verdict, flips } = task;
  const end = result
    ? html`${scale.metric} <b>${formatValue(result.a, scale)}</b> → <b>${formatValue(result.b, scale)}</b>`
    : 'no score';
  const told = describeTask(task).map((text) => html`<li>${text}</li>`);
  return html`<details class="task" id="task-${scene.index}"${scene.isOpen && ' open'}>
<summary><strong>${name}</strong><span>${verdict.text}</span><span class="end">${end}</span></summary>
<div class="body">
<ul class="told">${told}</ul>
${flips.total > 0 && html`<h3 class="changed">Changed rows: ${formatCount(flips.shown.length)} of ${formatCount(flips.total)}</h3>`}
${htmlLines(flips.shown.map((flip) => flipHtml(flip, { scale, diffWords: scene.diffWords })))}
</div></details>`;
}

function flipHtml(
  flip: Flip,
  { scale, diffWords }: { readonly scale: Scale; readonly diffWords: DiffTexts },
): Html {
  const { noPrompt } = flip;
  const texts = flipTexts(flip).map(({ title, a: left, b: right }) =>
    textsHtml(title, { left, right, diffWords }),
  );
  return html`<details class="row"><summary class="flip">${describeFlip(flip, scale)}</summary>
${noPrompt !== undefined && html`<p class="note">Prompt not shown. ${noPrompt}.</p>`}
${htmlLines(texts)}
</details>`;
}

interface Texts {
  readonly left: string;
  readonly right: string;
  readonly diffWords: DiffTexts;
}

function textsHtml(title: string, { left, right, diffWords }: Texts): Html {
  if (left === right) {
    return html`<div class="texts"><div><h3>${title}, the same</h3><pre>${left}</pre></div></div>`;
  }
  const parts = diffWords(left, right);
  const side = (without: 'added' | 'removed') =>
    parts
      .filter(({ type }) => type !== without)
      .map(({ type, text }) => {
        if (type === 'same') return text;
        return type === 'removed' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
      });
  return html`<div class="texts"><div><h3>${title} of A</h3><pre>${side('added')}</pre></div><div><h3>${title} of B</h3><pre>${side('removed')}</pre></div></div>`;
}
