import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';

/** Rooms whose code is changed. */
export const rooms = ['prompt', 'evaluation', 'run', 'score', 'stats', 'data'];

/** The source files of the rooms, in a fixed order, by their paths from the root of the project. */
export function sourceFiles(root: string): string[] {
  return rooms
    .flatMap((room) =>
      readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' }).map((file) =>
        join('src', room, file),
      ),
    )
    .filter((file) => /\.ts$/.test(file) && !/\.(test|test-d|fixture)\.ts$|\.d\.ts$/.test(file))
    .map((file) => file.split(sep).join('/'))
    .sort();
}

export function parseSource(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
}

export function visit(node: ts.Node, see: (node: ts.Node) => boolean | undefined): void {
  if (see(node) === false) return;
  ts.forEachChild(node, (child) => visit(child, see));
}
