/** A step of a recipe in CONTRIBUTING.md. */
export type Step =
  | { readonly type: 'new'; readonly file: string; readonly text: string }
  | { readonly type: 'change'; readonly file: string; readonly diff: string }
  | { readonly type: 'command'; readonly args: readonly string[]; readonly printed: string };

export interface Recipe {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** The recipes of the page: what stands under its headings of the third level, in code blocks. */
export function readRecipes(page: string): Recipe[] {
  return page
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      steps: stepsOf(section),
    }));
}

function stepsOf(section: string): Step[] {
  const blocks = section.matchAll(/^```(\w+)(?: (new )?(\S+))?\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, language, isNew, file = '', text = '']): Step[] => {
    if (language === 'console') return commandsOf(text);
    if (language === 'diff') return [{ type: 'change', file, diff: text }];
    if (isNew) return [{ type: 'new', file, text }];
    throw new Error(`a block that is no step: ${text}`);
  });
}

/** Lines that begin with `$ typecase`, each with what it prints. */
function commandsOf(text: string): Step[] {
  return text
    .split(/^\$ typecase /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      const words = part.slice(0, end).matchAll(/"([^"]*)"|(\S+)/g);
      const args = [...words].map(([, quoted, plain]) => quoted ?? plain ?? '');
      return { type: 'command', args, printed: part.slice(end + 1) };
    });
}

/** The text after a change: what the diff takes away or keeps must stand there once. */
export function applyDiff(text: string, diff: string): string {
  const changes = diff.trimEnd().split('\n');
  const side = (sign: string) =>
    changes.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
  const [before, after] = [side('+'), side('-')];
  const lines = text.split('\n');
  const starts = lines.flatMap((_, start) =>
    before.every((line, index) => lines[start + index] === line) ? start : [],
  );
  const [start] = starts;
  if (start === undefined || starts.length > 1) {
    throw new Error(`the change has ${starts.length} positions instead of one:\n${diff}`);
  }
  return lines.toSpliced(start, before.length, ...after).join('\n');
}

/** What a command prints, as a pattern: `…` is anything. */
export function printedPattern(printed: string): RegExp {
  const parts = printed.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
}
