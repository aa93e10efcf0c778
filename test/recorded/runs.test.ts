import { afterAll, beforeAll } from 'vitest';
import type { Levels } from '../integration/joints/factors.ts';
import {
  type RecordingServer,
  startRecordingServer,
} from '../integration/joints/recording-server.ts';
import { inFolder } from './lines.ts';
import { recordRun } from './runs.ts';
import { testLines } from './test-lines.ts';

let server: RecordingServer;
beforeAll(async () => {
  server = await startRecordingServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

testLines<Partial<Levels>>('runs.jsonl', (levels) =>
  inFolder((folder) => recordRun(levels, folder, server)),
);
