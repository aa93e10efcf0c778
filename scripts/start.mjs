// Builds the command line if its source is newer, then evaluates the embedded model.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = join(root, 'dist/cli.js');

function newestIn(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const times = files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs);
  return Math.max(...times);
}

/** Runs a command of Typecase, with what it prints or without. */
function typecase(args, { isQuiet = false } = {}) {
  const stdio = ['inherit', isQuiet ? 'ignore' : 'inherit', 'inherit'];
  const { status } = spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio });
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
  return ['A task the model can only learn from examples, by number of shots:', ...lines].join(
    '\n',
  );
}

/** What the sweep found, for people who are not statisticians. */
function sweepInWords() {
  const { sheets, best } = JSON.parse(
    readFileSync(join(root, 'runs/tour-sweep/sweep.json'), 'utf8'),
  );
  const scoreOf = (template, shots) => {
    const { score } = sheets[0].cells.find(
      ({ settings }) => settings.template === template && settings.shots === shots,
    );
    return (score.value * 100).toFixed(1);
  };
  const shots = ['0', '1', '4'];
  const line = (name, cells) =>
    `  ${name.padEnd(8)}${cells.map((cell) => cell.padStart(10)).join('')}`;
  const rows = ['arrow', 'given', 'colons'].map((template) =>
    line(
      template,
      shots.map((count) => scoreOf(template, count)),
    ),
  );
  return [
    'Which template should you use? The same 60 questions in three templates, each with 0, 1 and 4 shots:',
    '',
    line(
      'template',
      shots.map((count) => (count === '1' ? '1 shot' : `${count} shots`)),
    ),
    ...rows,
    '',
    `Verdict: ${best[0].title.toLowerCase()}. ${best[0].text}`,
    `On new questions, expect about ${(best[0].honest.value * 100).toFixed(0)} of 100 right.`,
  ].join('\n');
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
typecase(['run', 'examples/tour.yaml', '--out', 'runs/tour']);
console.log(`\n${shotCurve()}\n`);
typecase(
  [
    ...['sweep', 'task:latent-operation', '--models', 'typecase-tiny'],
    ...['--templates', 'arrow,given,colons', '--shots', '0,1,4', '--limit', '60'],
    ...['--out', 'runs/tour-sweep'],
  ],
  { isQuiet: true },
);
console.log(`${sweepInWords()}

Look at it next. These commands work as printed:
  npx typecase serve --open
      both runs in the browser: from a score to the rows to the prompts
  npx typecase view examples/tour.yaml --dataset "sums in postfix" --row 0 --origins
      what was sent, and where each character came from
  npx typecase sweep task:latent-operation --models typecase-tiny --templates arrow,given,colons --shots 0,1,4 --limit 60 --out runs/tour-sweep
      the same verdict with its statistics; nothing is asked again
  npx typecase init my-evaluation
      a config of your own to start from

Then: docs/getting-started.md (15 minutes).
Pages: ${pathToFileURL(join(root, 'runs/tour/report.html'))}
       ${pathToFileURL(join(root, 'runs/tour-sweep/sweep.html'))}
`);
