// npm run demo: records a real run of the built package as docs/media/demo.cast (asciinema, version 2).
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const [width, height] = [100, 30];
const commands = [
  'typecase run task:arithmetic --model typecase-tiny --limit 50 --out demo',
  'typecase show demo --row 3',
  'typecase view task:arithmetic --model typecase-tiny --shots 2 --origins -n',
];
const events = [];
let now = 0;

const folder = mkdtempSync(join(tmpdir(), 'typecase-demo-'));
try {
  for (const command of commands) {
    for (const letter of `$ ${command}`) say(letter, 0.03);
    say('\r\n', 0.4);
    await play(command.split(' ').slice(1));
    say('\r\n', 1.5);
  }
} finally {
  rmSync(folder, { recursive: true });
}
const head = { version: 2, width, height, title: 'Typecase: from a score to the prompt' };
const lines = [head, ...events].map((entry) => `${JSON.stringify(entry)}\n`);
mkdirSync(join(root, 'docs/media'), { recursive: true });
writeFileSync(join(root, 'docs/media/demo.cast'), lines.join(''));
console.log(`docs/media/demo.cast: ${events.length} events, ${now.toFixed(0)} s`);

function say(text, seconds) {
  now += seconds;
  events.push([Number(now.toFixed(3)), 'o', text]);
}

/** Runs a command and keeps when it said what. */
function play(args) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, FORCE_COLOR: '1', COLUMNS: String(width) };
    const child = spawn(process.execPath, [join(root, 'bin/typecase.cjs'), ...args], {
      cwd: folder,
      env,
    });
    const start = performance.now();
    const from = now;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        const at = from + (performance.now() - start) / 1000;
        const shown = text.replaceAll(root, 'node_modules/typecase/');
        say(shown.replaceAll(/\r?\n/g, '\r\n'), Math.max(0, at - now));
      });
    }
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args[0]}: exit ${code}`)),
    );
  });
}
