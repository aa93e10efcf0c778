import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callCommand } from '../integration/joints/call-command.ts';
import { buildConfig, writeConfig } from '../integration/joints/config-space.ts';
import { type Levels, plainLevels } from '../integration/joints/factors.ts';
import { receivedBy } from '../integration/joints/joint.ts';
import type { RecordingServer } from '../integration/joints/recording-server.ts';
import { timeless } from './timeless.ts';

/** All that comes of a config: what is sent and judged, the log, the summary, plans and views. */
export async function recordRun(
  own: Partial<Levels>,
  folder: string,
  server: RecordingServer,
): Promise<object> {
  server.clear();
  const sample = buildConfig({ ...plainLevels, ...own }, server.url);
  const file = await writeConfig(sample, folder);
  const out = join(dirname(file), 'out');
  const call = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await callCommand([...args, '--json']);
    return { code, said: stdout === '' ? '' : JSON.parse(stdout), stderr };
  };
  const run = await call('run', file, '--out', out);
  const { sent, judged } = receivedBy(server);
  const bodies = (requests: typeof sent) =>
    requests.map(({ path, body }) => `${path} ${body}`).sort();
  const view = await call('view', '--run', out, '-a', '--rows', ':2');
  const found = {
    sent: bodies(sent),
    judged: bodies(judged),
    run,
    plan: await call('plan', file, '--out', join(folder, 'fresh')),
    planAfter: await call('plan', file, '--out', out),
    logs: await logsIn(out),
    record: JSON.parse(await readFile(join(out, 'run.json'), 'utf8')),
    markdown: await readFile(join(out, 'summary.md'), 'utf8'),
  };
  const places: readonly [string, string][] = [
    [server.url, 'http://server'],
    [folder, 'FOLDER'],
  ];
  const { logs, ...rest } = timeless(found, places) as typeof found;
  const short = (list: readonly unknown[]) => list.map((item) => digest(JSON.stringify(item)));
  return {
    ...rest,
    sent: short(rest.sent),
    judged: short(rest.judged),
    view: digest(JSON.stringify(timeless(view, places))),
    logs: Object.fromEntries(Object.entries(logs).map(([name, lines]) => [name, short(lines)])),
  };
}

export async function logsIn(out: string): Promise<Record<string, unknown[]>> {
  const logs: Record<string, unknown[]> = {};
  const names = await readdir(out, { recursive: true });
  for (const name of names.filter((one) => /^[^.].*\.jsonl$/.test(one)).sort()) {
    const lines = (await readFile(join(out, name), 'utf8')).split('\n').filter(Boolean);
    const records = lines.map((line) => JSON.stringify(timeless(JSON.parse(line), []))).sort();
    logs[name] = records.map((line) => JSON.parse(line));
  }
  return logs;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
