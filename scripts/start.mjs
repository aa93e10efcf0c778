// Builds the command line if its source is newer, then evaluates the embedded model.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = join(root, 'dist/cli.js');

function newestIn(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const times = files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs);
  return Math.max(...times);
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Scores against the number of examples, one bar each. */
function shotCurve() {
  const { results } = JSON.parse(readFileSync(join(root, 'runs/tour/summary.json'), 'utf8'));
  const curve = results.filter(({ dataset }) => dataset.startsWith('larger number'));
  const lines = curve.map(({ dataset, score }) => {
    const shots = dataset.replace('larger number, ', '').padEnd(8);
    const bar = '█'.repeat(Math.round(score.value * 40)).padEnd(40, '·');
    return `  ${shots} ${bar} ${(score.value * 100).toFixed(1).padStart(5)}`;
  });
  return ['An operation that only the examples show, by number of examples:', ...lines].join('\n');
}

/** Builds something, quietly unless it fails. */
function build(program, args) {
  const options = { cwd: root, encoding: 'utf8' };
  const { status, stderr } = spawnSync(join(root, 'node_modules/.bin', program), args, options);
  if (status === 0) return;
  console.error(stderr);
  process.exit(status ?? 1);
}

function isBuilt(file, source) {
  return existsSync(file) && statSync(file).mtimeMs >= source;
}

const [source, pages] = [newestIn('src'), newestIn('web')];
const isCliBuilt = isBuilt(cli, source);
const arePagesBuilt = isBuilt(join(root, 'dist/web/index.html'), Math.max(source, pages));
if (!isCliBuilt || !arePagesBuilt) console.log('Building …');
if (!isCliBuilt) build('tsdown', ['--no-dts', '--logLevel', 'error']);
if (!arePagesBuilt) build('vite', ['build', '--logLevel', 'error']);
console.log('Evaluating typecase-tiny, the model that comes with Typecase …\n');
run(process.execPath, [cli, 'run', 'examples/tour.yaml', '--out', 'runs/tour']);
console.log(`\n${shotCurve()}\n\nThe same operation in three templates, tested in pairs:\n`);
run(process.execPath, [
  ...[cli, 'sweep', 'task:latent-operation', '--models', 'typecase-tiny'],
  ...['--templates', 'arrow,given,colons', '--shots', '0,1,4', '--limit', '60'],
  ...['--out', 'runs/tour-sweep'],
]);
console.log(`
See what was sent, and where each character came from:
  node dist/cli.js view examples/tour.yaml --dataset "sums in postfix"

Look at both runs in the browser, from a score to the rows to the prompts:
  node dist/cli.js serve --open
`);
