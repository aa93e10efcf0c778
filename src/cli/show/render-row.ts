import stringWidth from 'fast-string-width';
import { hideBase64 } from '../../base/hidden-text.ts';
import { formatValue } from '../../prompt/values.ts';
import { type SavedPrompt, savedText } from '../../run/saved-prompts.ts';
import { callLines, isWaiting, type RowRecord } from '../../run/store/row-record.ts';
import type { CheckResult } from '../../score/scorer.ts';
import { splitAnswer, type Thinking } from '../../score/split-thought.ts';
import type { ShownRow } from '../../study/show/shown-row.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { alignColumns } from '../../terminal/text/align-columns.ts';
import { renderLine } from '../../terminal/text/pieces.ts';
import { type Block, renderBlocks } from '../../terminal/text/render-blocks.ts';
import { showControls } from '../../terminal/text/show-controls.ts';
import { wrapLine } from '../../terminal/text/wrap-line.ts';
import { renderSection, renderView } from '../../terminal/view/render-view.ts';
import type { Section } from '../../terminal/view/sections.ts';

interface RowScene {
  readonly terminal: Terminal;
  readonly origins: boolean;
  readonly full: boolean;
}

/** All that is known of a row, for people. */
export function renderRow(shown: ShownRow, scene: RowScene): string[] {
  const { terminal } = scene;
  const { record, parts, earlier, thinking } = shown;
  // Otherwise they are shown with what was sent.
  const withVerdicts = shown.asked.type === 'not-made';
  const sections = [
    ...(record ? recordSections(record, { terminal, withVerdicts, thinking }) : []),
    ...parts.flatMap((part) =>
      recordSections(part, { terminal, withVerdicts, thinking, name: `Part ${part.part}` }),
    ),
    ...(earlier.length > 0 ? [earlierSection(earlier, terminal)] : []),
  ];
  return [
    ...askedLines(shown, scene),
    ...sections.flatMap((section) => renderSection(section, terminal)),
  ];
}

/** What was sent, or why that is not known. */
function askedLines(
  { model, dataset, id, asked, kept = [] }: ShownRow,
  { terminal, origins, full }: RowScene,
): string[] {
  if (asked.type === 'made') {
    const { view, row } = asked;
    const data = fieldsSection('Row', row, terminal);
    const scene = { view, terminal, origins, full, tokens: false };
    const lines = renderView({ ...scene, withTemplateRemarks: false });
    return [...lines, ...renderSection(data, terminal)];
  }
  const isKept = kept.length > 0;
  const note = `${isKept ? 'as the run kept it' : 'unknown'}: ${showControls(asked.reason)}`;
  return [
    `${terminal.colors.bold(showControls(model))} · ${showControls(dataset)} · row ${showControls(String(id))}`,
    ...renderSection({ title: 'Prompt', note, lines: [] }, terminal),
    ...kept.flatMap((one) => renderBlocks(keptBlocks(one), terminal)),
  ];
}

/** What a request asked, as the run kept it. */
function keptBlocks({ text, messages, texts = [] }: SavedPrompt): Block[] {
  if (messages) {
    return messages.map(({ role, content }) => ({
      name: role,
      pieces: [{ text: savedText(content) }],
    }));
  }
  const all = text === undefined ? texts : [{ text }];
  return all.map((one) => ({
    ...('label' in one && one.label !== undefined && { name: formatValue(one.label) }),
    pieces: [{ text: one.text }],
  }));
}

interface RecordScene {
  readonly terminal: Terminal;
  /** Whether to show what judges were asked and said. */
  readonly withVerdicts: boolean;
  readonly thinking: Thinking | undefined;
  readonly name?: string;
}

function recordSections(
  record: RowRecord,
  { terminal, withVerdicts, thinking, name }: RecordScene,
): Section[] {
  const { answer, reasoning, loglikelihoods, logprobs: _, sent, ...others } = record;
  const { checks, toolCalls, steps, ...rest } = isWaiting(record)
    ? { ...others, outcome: undefined, reason: undefined }
    : others;
  const verdicts = rest.verdicts?.map(({ sent: _, said: __, ...asked }) => asked);
  const fields = { ...rest, ...(verdicts && { verdicts }) };
  const titled = (title: string) => (name === undefined ? title : `${name}: ${title}`);
  return [
    ...(answer === undefined
      ? []
      : [answerSection(titled('Answer'), record, { terminal, thinking })]),
    ...listSection(titled('Tools called'), callLines(record)),
    ...listSection(titled('Checks'), (checks ?? []).map(checkLine)),
    ...(loglikelihoods ? [labelSection(titled('Loglikelihoods'), loglikelihoods)] : []),
    ...(withVerdicts ? verdictSections(titled('Judge'), record, terminal) : []),
    fieldsSection(titled('Record'), fields, terminal),
  ];
}

/** What a run holds as a list, a line each; nothing where there is none. */
function listSection(title: string, lines: readonly string[]): Section[] {
  if (lines.length === 0) return [];
  return [{ title, lines: lines.map((line) => `  ${showControls(line)}`) }];
}

/** `✗ is-json 0: it is no JSON` */
function checkLine({ name, score, passed, reason }: CheckResult): string {
  const figure = `${passed ? '✓' : '✗'} ${name} ${Number(score.toFixed(3))}`;
  return reason === undefined ? figure : `${figure}: ${reason}`;
}

/** What judges were asked about an answer and said of it, as the log has it. */
function verdictSections(
  title: string,
  { verdicts = [] }: RowRecord,
  terminal: Terminal,
): Section[] {
  return verdicts.flatMap(({ sent, said = '' }) => {
    if (sent === undefined) return [];
    const asked = typeof sent === 'string' ? [{ role: 'asked', content: sent }] : sent;
    const blocks: Block[] = [
      ...asked.map(({ role, content }) => ({ name: role, pieces: [{ text: content }] })),
      { name: 'said', pieces: [{ text: said }] },
    ];
    return [{ title, lines: renderBlocks(blocks, terminal) }];
  });
}

/** The answer as it came and, where there is thinking in it, what is left without. */
function answerSection(
  title: string,
  { answer = '', reasoning, opened, finish }: RowRecord,
  { terminal, thinking }: Pick<RecordScene, 'terminal' | 'thinking'>,
): Section {
  const split = splitAnswer(answer, reasoning, { thinking, opened, isCut: finish === 'length' });
  const blocks: Block[] = [
    ...(reasoning === undefined ? [] : [{ name: 'reasoning', pieces: [{ text: reasoning }] }]),
    { name: 'answer', pieces: [{ text: answer }] },
    ...(split.answer === answer
      ? []
      : [{ name: 'without thinking', pieces: [{ text: split.answer }] }]),
  ];
  const note = split.unfinishedReasoning ? { note: 'ends while the model is still thinking' } : {};
  return { title, ...note, lines: renderBlocks(blocks, terminal) };
}

function labelSection(
  title: string,
  loglikelihoods: NonNullable<RowRecord['loglikelihoods']>,
): Section {
  const cells = loglikelihoods.map(({ label, value, logprob, tokens }) => [
    label === undefined ? '–' : showControls(formatValue(label)),
    ...[value, logprob, tokens].map((figure) => showControls(String(figure ?? '–'))),
  ]);
  const table = alignColumns([['label', 'compared by', 'logprob', 'tokens'], ...cells]);
  return { title, lines: table.map((line) => `  ${line}`) };
}

/** Whatever there is to say, by name. */
function fieldsSection(title: string, fields: object, terminal: Terminal): Section {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const names = entries.map(([name]) => showControls(name));
  const widest = Math.max(0, ...names.map((name) => stringWidth(name)));
  const lines = entries.flatMap(([, value], place) =>
    wrapLine(
      [{ text: showControls(hideBase64(formatValue(value))) }],
      terminal.width - widest - 4,
    ).map((line, index) => {
      const name = index === 0 ? (names[place] ?? '') : '';
      const space = ' '.repeat(widest - stringWidth(name));
      return `  ${terminal.colors.dim(name + space)}  ${renderLine(line)}`.trimEnd();
    }),
  );
  return { title, lines };
}

const longestAnswer = 60;

function earlierSection(earlier: readonly RowRecord[], { colors }: Terminal): Section {
  const lines = earlier.map(({ outcome, score, key, prompt, part, reason, answer }) => {
    const said = reason ?? answer ?? '';
    const shown = said.length > longestAnswer ? `${said.slice(0, longestAnswer)}…` : said;
    const name = part === undefined ? outcome : `part ${part}, ${outcome}`;
    const result = score === undefined ? name : `${name} ${score}`;
    const keys = showControls(`key ${key} prompt ${prompt}`);
    return `  ${showControls(`${result} · ${shown}`)} ${colors.dim(keys)}`;
  });
  return { title: 'Earlier', note: colors.dim('no longer counts'), lines };
}
