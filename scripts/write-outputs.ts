import { readFileSync, writeFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { runPage, startCommandHost } from '../test/docs/run-page.ts';
import { runPages } from '../test/docs/run-pages.ts';
import { buildCli } from '../test/integration/build-cli.ts';

// Run with `npx tsx scripts/write-outputs.ts [PAGE…]` to write what commands print now into the pages that are run.

buildCli();
const host = startCommandHost();
const [, , ...named] = process.argv;
for (const file of named.length > 0 ? named : globSync(runPages)) {
  const started = Date.now();
  const before = readFileSync(file, 'utf8');
  const { page, problems } = await runPage(before, host);
  for (const problem of problems) console.error(`${file}: ${problem}`);
  if (page !== before) writeFileSync(file, page);
  console.log(
    `${file}: ${((Date.now() - started) / 1000).toFixed(1)} s${page === before ? '' : ', written'}`,
  );
}
host.close();
