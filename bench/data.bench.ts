import { createReadStream } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openRows } from '../src/data/open-rows.ts';
import { median } from './measure.ts';

const fileBytes = 100e6;
const rounds = 5;
const words = 'which of these answers follows from the text and why does a river bend'.split(' ');

function makeText(seed: number, length: number): string {
  let text = '';
  for (let index = seed; text.length < length; index += 7)
    text += `${words[index % words.length]} `;
  return text;
}

type MakeRow = (number: number) => string;

/** Rows as in known datasets, rows of about 400 bytes with numbers of different kinds, and others. */
const kinds: Record<string, MakeRow> = {
  'question and worked answer': (number) =>
    writeRow({ question: makeText(number, 235), answer: workedAnswer(number) }),
  'question and four options': (number) => writeRow(makeQuestion(number)),
  'the same with an id': (id) => writeRow({ id, ...makeQuestion(id) }),
  'whole numbers': (number) => makeRow(number, `${number}`),
  'numbers with a fraction': (number) => makeRow(number, `${number}.5`),
  'whole numbers written as floats': (number) => makeRow(number, `${number}.0`),
  'short rows': (id) => writeRow({ id, question: makeText(id, 30), answer: id % 13 }),
  'long texts': (id) => writeRow({ id, passage: makeText(id, 1_500), answer: 'yes' }),
  'Chinese texts': (id) => writeRow({ id, question: '河流为什么会弯曲'.repeat((id % 9) + 1) }),
  'lists of floats': (id) =>
    writeRow({ id, vector: Array.from({ length: 20 }, (_, index) => ((id + index) % 997) / 997) }),
};

/** As in GSM8K: four lines, a sum in each. */
function workedAnswer(number: number): string {
  const lines = [1, 2, 3].map((step) => {
    const sum = `${number}+${step}=${number + step}`;
    return `${makeText(number * step, 50)}${number}+${step} = $<<${sum}>>${number + step}.`;
  });
  return `${lines.join('\n')}\n#### ${number + 3}`;
}

function makeQuestion(number: number): object {
  const [A, B, C, D] = [1, 2, 3, 4].map((option) => makeText(number * option, 22));
  return { question: makeText(number, 180), A, B, C, D, answer: 'ABCD'[number % 4] };
}

function writeRow(row: object): string {
  return `${JSON.stringify(row)}\n`;
}

function makeRow(number: number, level: string): string {
  const row = { subject: 'algebra', ...makeQuestion(number) };
  const weight = (number % 997) / 997;
  return `${JSON.stringify(row).slice(0, -1)},"weight":${weight},"level":${level}}\n`;
}

async function writeRows(path: string, makeKind: MakeRow): Promise<void> {
  const file = await open(path, 'w');
  let written = 0;
  for (let first = 0; written < fileBytes; first += 2_000) {
    const rows = Array.from({ length: 2_000 }, (_, index) => makeKind(first + index));
    written += (await file.write(rows.join(''))).bytesWritten;
  }
  await file.close();
}

/** Each way reads all rows of the file and gives their number. */
function waysToRead(path: string, lines: readonly string[]) {
  return {
    'JSON.parse, lines in memory': async () => {
      let count = 0;
      for (const line of lines) if (JSON.parse(line)) count += 1;
      return count;
    },
    'readline + JSON.parse': async () => {
      let count = 0;
      for await (const line of createInterface({ input: createReadStream(path) })) {
        if (JSON.parse(line)) count += 1;
      }
      return count;
    },
    'typecase, from the file': async () => {
      let count = 0;
      for await (const batch of (await openRows(path)).batches()) count += batch.length;
      return count;
    },
  };
}

/** MB/s by the clock and by CPU time of the whole process. */
interface Speed {
  readonly clock: number;
  readonly cpu: number;
}

async function measureSpeed(work: () => Promise<void>, bytes: number): Promise<Speed> {
  const start = performance.now();
  const cpuStart = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpuStart);
  return { clock: bytes / 1e3 / (performance.now() - start), cpu: bytes / (user + system) };
}

async function measureFile(name: string, path: string): Promise<object[]> {
  const { size } = await stat(path);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const ways = Object.entries(waysToRead(path, lines));
  const speeds = new Map<string, Speed[]>(ways.map(([way]) => [way, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [way, read] of ways) {
      const check = async () => {
        const count = await read();
        if (count !== lines.length) throw new Error(`${way} read ${count} of ${lines.length} rows`);
      };
      speeds.get(way)?.push(await measureSpeed(check, size));
    }
  }
  const middle = (values: readonly Speed[], key: keyof Speed) =>
    median(values.map((speed) => speed[key]));
  const floor = middle(speeds.get(ways[0]?.[0] ?? '') ?? [], 'cpu');
  // A busy machine holds up a loop that never waits more than a reader that does, so that only CPU
  // time can be compared there.
  return [...speeds].map(([way, values]) => ({
    rows: name,
    way,
    'MB/s': Math.round(middle(values, 'clock')),
    'MB/s of CPU': Math.round(middle(values, 'cpu')),
    ofJsonParse: Number((middle(values, 'cpu') / floor).toFixed(2)),
  }));
}

const folder = await mkdtemp(join(tmpdir(), 'typecase-bench-'));
const results: object[] = [];
for (const [name, makeKind] of Object.entries(kinds)) {
  const path = join(folder, 'rows.jsonl');
  await writeRows(path, makeKind);
  results.push(...(await measureFile(name, path)));
}
await rm(folder, { recursive: true });

if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else console.table(results);
