import { fileURLToPath } from 'node:url';
import { packageFolder } from './package-folder.ts';

/** A place in a file of somebody else's. */
export interface ThrownPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const frame = /(?:\(|at (?:async )?)((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()\n]*?):(\d+):(\d+)\)?$/;

/** Where in code that is not ours an error was thrown; nothing where its stack does not say so. */
export function thrownPlace(error: unknown): ThrownPlace | undefined {
  return framesOf(error).find(({ file }) => !isOwn(file));
}

/** Where code that is not ours threw an error by itself, rather than code that it called. */
export function thrownThere(error: unknown): ThrownPlace | undefined {
  const [first] = framesOf(error);
  return first && !isOwn(first.file) ? first : undefined;
}

function framesOf(error: unknown): ThrownPlace[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').flatMap((line) => {
    const [, written = '', row, column] = frame.exec(line.trimEnd()) ?? [];
    if (written === '') return [];
    const file = written.startsWith('file://') ? fileURLToPath(written) : written;
    return [{ file, line: Number(row), column: Number(column) }];
  });
}

/** Of this package, or of one that is installed. */
function isOwn(file: string): boolean {
  if (/[\\/]node_modules[\\/]/.test(file)) return true;
  return ['src', 'dist'].some((folder) => file.startsWith(packageFolder(folder)));
}
