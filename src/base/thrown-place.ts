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
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const line of stack.split('\n')) {
    const [, written = '', row, column] = frame.exec(line.trimEnd()) ?? [];
    if (written === '') continue;
    const file = written.startsWith('file://') ? fileURLToPath(written) : written;
    if (isOwn(file) || /[\\/]node_modules[\\/]/.test(file)) continue;
    return { file, line: Number(row), column: Number(column) };
  }
  return undefined;
}

function isOwn(file: string): boolean {
  return ['src', 'dist'].some((folder) => file.startsWith(packageFolder(folder)));
}
