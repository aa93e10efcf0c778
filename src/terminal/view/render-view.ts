import stringWidth from 'fast-string-width';
import { displayLocation } from '../../base/display-path.ts';
import { formatValue } from '../../prompt/values.ts';
import type { LabelView, PromptView, Remark } from '../../study/view/prompt-view.ts';
import type { Terminal } from '../terminal.ts';
import { renderLine } from '../text/pieces.ts';
import { showControls } from '../text/show-controls.ts';
import { wrapLine } from '../text/wrap-line.ts';
import { describeOrigins } from './origin-looks.ts';
import { judgeSections, requestSection, type Scene, type Section, sectionsOf } from './sections.ts';

export interface ViewScene extends Scene {
  /** Whether to say what is the same for every row of this dataset and model. */
  readonly withTemplateRemarks: boolean;
}

/** The screen for one row: what it is, what is to be noted, and the prompts. */
export function renderView(scene: ViewScene): string[] {
  const { view, terminal, origins, withTemplateRemarks } = scene;
  const remarks = [...(withTemplateRemarks ? view.templateRemarks : []), ...view.rowRemarks];
  return [
    ...renderHeader(view, terminal),
    ...remarks.flatMap((remark) => renderRemark(remark, terminal)),
    ...renderPrompts(scene),
    ...(origins ? renderSection(legendOf(view, terminal), terminal) : []),
  ];
}

function legendOf(view: PromptView, terminal: Terminal): Section {
  return { title: 'Origins', lines: describeOrigins(view, terminal).map((line) => `  ${line}`) };
}

function renderHeader(view: PromptView, { colors, width }: Terminal): string[] {
  const { model, dataset, row, compat, inferencer } = view;
  const parts = [
    model ?? 'no model',
    dataset,
    row.id === row.index ? `row ${row.index}` : `row ${row.index} (id ${row.id})`,
    describeShots(view),
    inferencer,
    ...(compat ? [`as ${compat}`] : []),
  ].map(showControls);
  const [first = '', ...rest] = parts;
  const line = [{ text: first, paint: colors.bold }, { text: ` · ${rest.join(' · ')}` }];
  return wrapLine(line, width).map((part) => renderLine(part).trimEnd());
}

const maxShotsListed = 8;

function describeShots({ shots, trainSplit }: PromptView): string {
  if (shots.length === 0) return 'no shots';
  const listed = shots.slice(0, maxShotsListed).join(', ');
  const rest = shots.length > maxShotsListed ? ' …' : '';
  const count = shots.length === 1 ? '1 shot' : `${shots.length} shots`;
  return `${count}: ${trainSplit} ${listed}${rest}`;
}

function renderRemark(remark: Remark, { colors, width }: Terminal): string[] {
  const { kind, message, hint, at } = remark;
  const paint = kind === 'warning' ? colors.yellow : colors.blue;
  const left = 'warning'.length + 2;
  const text = [{ text: showControls(message) }];
  const location = [
    {
      text: [...(at ? [displayLocation(at)] : []), ...(hint ? [hint] : [])]
        .map(showControls)
        .join(' · '),
      paint: colors.dim,
    },
  ];
  const hasLocation = at !== undefined || hint !== undefined;
  const lines = [
    ...wrapLine(text, width - left),
    ...(hasLocation ? wrapLine(location, width - left) : []),
  ];
  return lines.map((line, index) => {
    const start = index === 0 ? kind : '';
    return `${paint(start)}${' '.repeat(left - start.length)}${renderLine(line)}`.trimEnd();
  });
}

function renderPrompts(scene: Scene): string[] {
  const { view, terminal, full } = scene;
  const all = view.prompts.map((prompt) => sectionsOf(prompt, scene));
  const part = view.prompts[0]?.part;
  const firstName = part ? `the first ${part.kind}` : 'the first label';
  const shared = view.mode === 'ppl' ? [requestSection(view, scene)] : [];
  const prompts = view.prompts.flatMap((prompt, index) => {
    const sections = (all[index] ?? []).map((section, number) =>
      index === 0 || full ? section : foldShared(section, all[0]?.[number], firstName),
    );
    const title = titleOf(prompt, terminal);
    return [...title, ...sections.flatMap((section) => renderSection(section, terminal))];
  });
  const judges = judgeSections(scene);
  return [
    ...prompts,
    ...[...shared, ...judges].flatMap((section) => renderSection(section, terminal)),
  ];
}

/** What tells the prompts of one row apart. */
function titleOf(prompt: LabelView, { colors, width }: Terminal): string[] {
  const given = nameOf(prompt);
  if (given === undefined) return [];
  const name = showControls(given);
  return [
    '',
    colors.bold(name) + colors.dim(` ${'─'.repeat(Math.max(3, width - stringWidth(name) - 1))}`),
  ];
}

function nameOf(prompt: LabelView): string | undefined {
  const label = 'label' in prompt ? `Label ${formatValue(prompt.label)}` : undefined;
  if (!prompt.part) return label;
  const { kind, name } = prompt.part;
  const part = `${partNames[kind]} ${name}`;
  return label === undefined ? part : `${part} · ${label}`;
}

const partNames = { turn: 'Turn', sample: 'Sample', order: 'Order' } as const;

const fewestFolded = 3;

/** Replaces the first lines by a note where they are those of the first prompt of the row. */
function foldShared(section: Section, first: Section | undefined, name: string): Section {
  const { lines } = section;
  const different = lines.findIndex((line, index) => line !== first?.lines[index]);
  const shared = different < 0 ? lines.length : different;
  if (shared < fewestFolded) return section;
  return {
    ...section,
    lines: [`  ⋮ ${shared} lines same as ${name}`, ...lines.slice(shared)],
  };
}

export function renderSection(
  { title: given, note, lines }: Section,
  { colors, width }: Terminal,
): string[] {
  const title = showControls(given);
  const heading = colors.bold(title);
  if (note === undefined) return ['', heading, ...lines];
  const fits = stringWidth(title) + 2 + stringWidth(note) <= width;
  return ['', ...(fits ? [`${heading}  ${note}`] : [heading, `  ${note}`]), ...lines];
}
