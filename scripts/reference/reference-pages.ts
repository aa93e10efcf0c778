import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cliPage } from './cli-page.ts';
import { configTables } from './config-tables.ts';
import { libraryPages } from './library-page.ts';

const folder = fileURLToPath(new URL('../../docs/reference/', import.meta.url));

/** The pages of the reference that are made from the source, by their files. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const config = `${folder}config.md`;
  return new Map([
    [config, fillIn(readFileSync(config, 'utf8'), configTables())],
    [`${folder}cli.md`, await cliPage()],
    ...[...libraryPages()].map(([page, text]) => [`${folder}${page}`, text] as const),
  ]);
}

/** A page with tables between the comments that name them. */
function fillIn(page: string, tables: ReadonlyMap<string, string>): string {
  const places = [...page.matchAll(/<!-- from the schema: (\w+) -->/g)].map(
    ([, name]) => name ?? '',
  );
  const missing = [...tables.keys()].filter((name) => !places.includes(name));
  if (missing.length > 0) throw new Error(`docs/reference/config.md has no place for ${missing}`);
  return page.replaceAll(
    /(<!-- from the schema: (\w+) -->)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${tables.get(name)}\n${end}`,
  );
}
