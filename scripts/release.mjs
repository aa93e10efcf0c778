// npm run release -- [VERSION] [--dry-run]: version, changelog, package, and a try of the package as others install it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const args = process.argv.slice(2);
const isDryRun = args.includes('--dry-run');
const current = JSON.parse(read('package.json')).version;
const version = args.find((arg) => !arg.startsWith('--')) ?? nextMinor(current);

if (!/^\d+\.\d+\.\d+$/.test(version)) fail(`\`${version}\` is not a version such as 0.2.0.`);
if (compare(version, current) < 0)
  fail(`${version} is older than the current version, ${current}.`);
/** Nothing beside the package is needed: the model is a function. */
const config = `export default {
  models: [{ type: 'function', abbr: 'double', version: '1', generate: ({ row }) => String(2 * Number(row.n)) }],
  datasets: [{
    abbr: 'doubles',
    rows: Array.from({ length: 10 }, (_, n) => ({ n, twice: 2 * n })),
    reader_cfg: { input_columns: ['n'], output_column: 'twice' },
    infer_cfg: { prompt_template: { type: 'PromptTemplate', template: '{n}' } },
    eval_cfg: { evaluator: { type: 'exact' } },
  }],
};
`;
const changelog = releasedChangelog(read('CHANGELOG.md'));
const edits = {
  'package.json': read('package.json').replace(/"version": "[^"]+"/, `"version": "${version}"`),
  'package-lock.json': read('package-lock.json').replaceAll(
    /(?<="name": "typecase",\n\s*"version": ")[^"]+/g,
    version,
  ),
  'CITATION.cff': read('CITATION.cff').replace(/^version: .*$/m, `version: ${version}`),
  'CHANGELOG.md': changelog,
};

console.log(`version    ${current} → ${version}`);
console.log(`changelog  ${entriesOf(changelog)} entries under ${version}`);
const folder = mkdtempSync(join(tmpdir(), 'typecase-release-'));
try {
  tryPackage(folder);
} finally {
  rmSync(folder, { recursive: true });
}
if (isDryRun)
  console.log(`dry run    would write ${Object.keys(edits).join(', ')}; nothing was changed`);
else {
  for (const [file, text] of Object.entries(edits)) writeFileSync(join(root, file), text);
  console.log(`written    ${Object.keys(edits).join(', ')}; next: see RELEASING.md, step 6`);
}

/** Packs the package, installs it in an empty project and runs a config there. */
function tryPackage(where) {
  const packed = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', where], root));
  const [{ filename, size, entryCount }] = packed;
  console.log(`packed     ${filename}: ${(size / 1e6).toFixed(1)} MB, ${entryCount} files`);
  writeFileSync(join(where, 'package.json'), '{ "name": "try", "private": true }\n');
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', join(where, filename)],
    where,
  );
  const typecase = join(where, 'node_modules', '.bin', 'typecase');
  const told = run(typecase, ['--version'], where).trim();
  if (told !== current) fail(`The package says that it is version ${told}, not ${current}.`);
  writeFileSync(join(where, 'typecase.config.mjs'), config);
  const [result] = JSON.parse(run(typecase, ['run', '--json'], where)).results;
  if (result.rows.scored !== 10 || result.score.value !== 1)
    fail('The package does not score 10 of 10 rows.');
  const score = (result.score.value * 100).toFixed(1);
  console.log(`tried      installed in an empty project: 10 of 10 rows scored, ${score}`);
}

/** The changelog with what is unreleased under the version. */
function releasedChangelog(text) {
  if (!text.includes('\n## Unreleased\n')) fail('CHANGELOG.md has no section `## Unreleased`.');
  const today = new Date().toISOString().slice(0, 10);
  return text.replace('\n## Unreleased\n', `\n## Unreleased\n\n## ${version} (${today})\n`);
}

function entriesOf(text) {
  const [, section = ''] = text.split(`\n## ${version} `);
  const entries = section.split('\n## ')[0].match(/^- /gm)?.length ?? 0;
  if (entries === 0) fail('Nothing is under `## Unreleased` in CHANGELOG.md.');
  return entries;
}

function nextMinor(text) {
  const [major, minor] = text.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}

function compare(a, b) {
  const [one, other] = [a, b].map((text) => text.split('.').map(Number));
  const place = one.findIndex((number, index) => number !== other[index]);
  return place === -1 ? 0 : one[place] - other[place];
}

function run(command, words, cwd) {
  return execFileSync(command, words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
