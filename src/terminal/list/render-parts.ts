import type { TemplateVersion } from '../../tasks/version-stamp.ts';
import type { Terminal } from '../terminal.ts';
import { renderLine } from '../text/pieces.ts';
import { renderBlocks } from '../text/render-blocks.ts';
import { wrapLine } from '../text/wrap-line.ts';

/** Names of one kind, and how a config uses them. */
export interface ListedPart {
  readonly title: string;
  readonly use: string;
  readonly entries: readonly ListedEntry[];
}

export interface ListedEntry
  extends Partial<
    Pick<
      TemplateVersion,
      'task' | 'version' | 'hash' | 'dialect' | 'models' | 'remark' | 'reference'
    >
  > {
  readonly name: string;
  readonly summary: string;
  readonly options?: readonly string[];
  /** A text to show, exactly as it is. */
  readonly example?: string;
  readonly scored?: ScoredExample;
  /** Versions of a task's templates. */
  readonly versions?: readonly { readonly version: string; readonly hash: string }[];
  /** What a template lets a model go on with. */
  readonly continuations?: readonly string[];
}

export interface ScoredExample {
  readonly answer: string;
  readonly gold: string;
  readonly score: number | null;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A part for people: names to the left, what they mean to the right. */
export function renderParts(parts: readonly ListedPart[], terminal: Terminal): string[] {
  const { colors } = terminal;
  return parts.flatMap(({ title, use, entries }, index) => {
    const nameWidth = Math.max(...entries.map(({ name }) => name.length));
    return [
      ...(index > 0 ? [''] : []),
      `${colors.bold(title)}  ${colors.dim(use)}`,
      ...entries.flatMap((entry) => renderEntry(entry, { nameWidth, terminal })),
    ];
  });
}

function renderEntry(
  entry: ListedEntry,
  { nameWidth, terminal }: { nameWidth: number; terminal: Terminal },
): string[] {
  const { colors, width } = terminal;
  const { name, summary, options = [], example, scored, versions, continuations } = entry;
  const notes = [
    { text: summary, paint: (text: string) => text },
    ...(options.length > 0 ? [{ text: `options: ${options.join(', ')}`, paint: colors.dim }] : []),
    ...(scored ? [{ text: describeScored(scored), paint: colors.dim }] : []),
    ...(versions
      ? [
          {
            text: `versions: ${versions.map(({ version, hash }) => `${version}@${hash}`).join(', ')}`,
            paint: colors.dim,
          },
        ]
      : []),
    ...(continuations
      ? [
          {
            text: `answers: ${continuations.map((text) => JSON.stringify(text)).join(', ')}`,
            paint: colors.dim,
          },
        ]
      : []),
  ];
  const left = (example === undefined ? nameWidth : name.length) + 4;
  const lines = notes
    .flatMap((note) => wrapLine([note], width - left))
    .map((line, index) => {
      const start = index === 0 ? name : '';
      return `  ${colors.cyan(start)}${' '.repeat(left - 2 - start.length)}${renderLine(line)}`.trimEnd();
    });
  if (example === undefined) return lines;
  const end = { text: '▮', paint: colors.green, mark: true };
  return ['', ...lines, ...renderBlocks([{ pieces: [{ text: example }, end] }], terminal)];
}

function describeScored({ answer, gold, score, options }: ScoredExample): string {
  const set = options ? ` with ${JSON.stringify(options)}` : '';
  const wanted = gold === '' ? '' : ` for ${JSON.stringify(gold)}`;
  return `${JSON.stringify(answer)}${wanted}${set} scores ${score ?? 'nothing'}`;
}
