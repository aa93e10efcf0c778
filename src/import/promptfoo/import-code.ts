import { compileFunction, constants } from 'node:vm';
import type { ConfigPath } from '../../errors.ts';
import { importExports } from '../../evaluation/import-exports.ts';
import { codeAt, type Reading, readText, refuse } from './reading.ts';

export type Code = (...given: unknown[]) => unknown;

/** The name of a JavaScript or TypeScript file, and of what it exports: `check.ts:isShort`. */
const codeFile = /^(.*\.[cm]?[jt]s)(?::(\w+))?$/;

export function isCodeFile(name: string): boolean {
  return codeFile.test(name);
}

/** What a file exports as a function or a class; undefined, and a problem, where there is none. */
export async function importCode(
  reading: Reading,
  name: string,
  path: ConfigPath,
): Promise<Code | undefined> {
  const [, file = name, exported] = codeFile.exec(name) ?? [];
  if (readText(reading, file, path) === undefined) return undefined;
  reading.unwritten.push(codeAt(path));
  const found = await importExports(file, { folder: reading.folder, path });
  const inner = found.default;
  const all = { ...(typeof inner === 'object' && inner), ...found };
  const code = all[exported ?? 'default'];
  if (typeof code === 'function') return code as Code;
  reading.problems.push({
    code: 'config.no_export',
    path,
    message: `names ${file}, which does not export a function \`${exported ?? 'default'}\``,
  });
  return undefined;
}

/** Code that stands in the config, as a function of these names. */
export function compileCode(
  reading: Reading,
  code: string,
  { names, path }: { readonly names: readonly string[]; readonly path: ConfigPath },
): Code | undefined {
  try {
    return compileFunction(bodyOf(code), [...names, 'process'], {
      filename: reading.file,
      // Node warns of this one: only code that needs it has it.
      ...(/\bimport\s*\(/.test(code) && {
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      }),
    }) as Code;
  } catch (error) {
    refuse(reading, path, {
      what: `is code that cannot be read: ${error instanceof Error ? error.message : error}`,
      hint: 'A single line is an expression, which declarations may come before: put statements on lines of their own, with a `return`.',
    });
    return undefined;
  }
}

/** One line is an expression, with declarations before it; several lines say `return` themselves. */
function bodyOf(code: string): string {
  if (code.trimEnd().includes('\n')) return code;
  const line = code.trim();
  if (!/^(?:const|let|var)\s/.test(line)) return `return ${line}`;
  const whole = line.replace(/;+$/, '');
  const end = lastEnd(whole);
  return end === 0 ? whole : `${whole.slice(0, end)} return ${whole.slice(end)}`;
}

/** Where the last statement begins: after a semicolon that stands in no quotes. */
function lastEnd(line: string): number {
  let end = 0;
  for (const { 0: piece, index } of line.matchAll(/(["'`])(?:\\.|(?!\1).)*(?:\1|$)|;/g))
    if (piece === ';') end = index + 1;
  return end;
}
