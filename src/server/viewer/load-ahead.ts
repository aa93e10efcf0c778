import { turn } from './background.ts';

const afterAnswerMs = 30;
let isAsked = false;

/** Loads what pages ask for next while somebody looks at the first one. */
export function loadAhead(): void {
  if (isAsked) return;
  isAsked = true;
  setTimeout(() => loadAll().catch(() => undefined), afterAnswerMs).unref();
}

/** What is needed for rows and their prompts, in the order in which it is asked for. */
async function loadAll(): Promise<void> {
  const parts = [
    () => import('./run-details.ts'),
    () => import('./rows-page.ts'),
    () => import('./row-details.ts'),
    () => import('../../score/split-thought.ts'),
    () => import('../../score/evaluators/evaluator-types.ts'),
    () => import('../../study/remake/open-remade.ts'),
    () => import('./data-rows.ts'),
    () => import('../../study/show/shown-row.ts'),
    () => import('../../terminal/view/json-view.ts'),
    () => import('./quick-row.ts'),
    () => import('../../data/format/json-line-at.ts'),
  ];
  for (const load of parts) {
    await turn();
    await load();
  }
}
