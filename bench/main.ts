import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { version } from '../src/base/version.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const reportFile = `${folder}report.md`;
// Run only by name or with --full: they install other programs, 1.9 and 0.6 GB.
const largeInstalls = new Set(['peers', 'local-peer']);
/** What each bench is the source of, in the order of the table of figures. */
const claims: Readonly<Record<string, string>> = {
  prompt: 'prompts, labels and origins',
  'chat-template': 'chat templates',
  'start-up': '`typecase --help`',
  run: '`typecase run`: requests, CPU and memory of a run',
  peers: 'promptfoo and vitest-evals',
  data: 'JSONL, read and parsed',
  retrieve: 'BM25',
  local: 'choices by loglikelihood, text generation',
  'local-peer': 'local models against Transformers.js',
  'cache-study': 'cache study',
  multi: 'dialogues',
  viewer: 'the viewer',
  queue: 'workers: four against one, and what the queue costs',
  'queue-scale': 'tables of fleets',
};
const wanted = process.argv.slice(2).filter((argument) => argument !== '--full');
const isFull = process.argv.includes('--full');
const known = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(', ')}. There are ${known.join(', ')}, and --full.`);
  process.exit(2);
}
const benches =
  wanted.length > 0 ? wanted : known.filter((name) => isFull || !largeInstalls.has(name));

interface Section {
  readonly name: string;
  readonly output: string;
  readonly status: number;
}

/** Shows what a bench prints as it comes, and keeps it. */
async function runBench(name: string): Promise<Section> {
  console.log(`\n${name}`);
  // Only `run` has sizes that take long.
  const size = isFull && name === 'run' ? ['--full'] : [];
  const file = `${folder}${name}.bench.ts`;
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...size], {
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [status] = await once(child, 'close');
  return { name, output, status: status ?? 1 };
}

function reportOf(sections: readonly Section[]): string {
  const [processor] = cpus();
  return [
    `# Benchmarks of Typecase ${version}`,
    '',
    `Node ${process.versions.node}, ${cpus().length} × ${processor?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(1)} at the end.`,
    '',
    ...sections.flatMap(({ name, output, status }) => [
      `## ${name}`,
      '',
      ...(claims[name] === undefined ? [] : [`Source of the figures for ${claims[name]}.`, '']),
      ...(status === 0 ? [] : ['**A bar was missed, or it failed.**', '']),
      '```',
      output.trim(),
      '```',
      '',
    ]),
  ].join('\n');
}

const sections: Section[] = [];
for (const bench of benches) {
  sections.push(await runBench(bench));
  // Written after each, so that an interrupted run leaves what it has.
  await writeFile(reportFile, reportOf(sections));
}
console.log(`\nReport: ${reportFile}`);
process.exitCode = sections.find(({ status }) => status !== 0)?.status ?? 0;
