import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { NamedRow } from '../prompt/trace.ts';
import type { RowStream } from './row-stream.ts';

/** An empty folder for the rest of the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A folder with these files. */
export async function writeFiles(
  files: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  const folder = await makeFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return folder;
}

export async function collect(stream: RowStream): Promise<NamedRow[]> {
  const rows: NamedRow[] = [];
  for await (const batch of stream.batches()) rows.push(...batch);
  return rows;
}

export async function collectIds(stream: RowStream): Promise<NamedRow['id'][]> {
  return (await collect(stream)).map(({ id }) => id);
}

/** Starts a server on this machine for the rest of the test and gives its address. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  return `http://127.0.0.1:${await listen(server)}`;
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
