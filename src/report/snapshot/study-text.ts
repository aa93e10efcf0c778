import type { StudyBlock, StudyPage } from './study-page.ts';

/** A study for readers without scripts. */
export function studyText({ title, sections }: StudyPage): string {
  const parts = sections.flatMap(({ title: name, blocks }) => [name, ...blocks.map(textOf)]);
  return [title, ...parts].join('\n\n');
}

function textOf(block: StudyBlock): string {
  if (block.type === 'figures') return block.figures.map(({ caption }) => caption).join('\n');
  if (block.type !== 'table') return block.text;
  return [block.head, ...block.rows].map((cells) => cells.join('\t')).join('\n');
}
