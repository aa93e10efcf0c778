import { compileFunction } from 'node:vm';
import type { ConfigPath } from '../../errors.ts';
import { formatPath } from '../../errors.ts';
import { importExports } from '../../evaluation/import-exports.ts';
import { type Reading, readText, refuse } from './reading.ts';

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
  reading.code.push(formatPath(path));
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
    return compileFunction(bodyOf(code.trimEnd()), [...names, 'process'], {
      filename: reading.file,
    }) as Code;
  } catch (error) {
    refuse(reading, path, {
      what: `is code that cannot be read: ${error instanceof Error ? error.message : error}`,
    });
    return undefined;
  }
}

/** One line is an expression, with declarations before it; several lines say `return` themselves. */
function bodyOf(code: string): string {
  if (code.includes('\n')) return code;
  const line = code.trim().replace(/;+$/, '');
  if (!/^(?:const|let|var)\s/.test(line)) return `return ${line}`;
  const end = line.lastIndexOf(';') + 1;
  return end === 0 ? line : `${line.slice(0, end)} return ${line.slice(end)}`;
}
