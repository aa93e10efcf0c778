import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';
import type { CallCommand } from './call-command.ts';
import { buildConfig, describeLevels, type SampleConfig } from './config-space.ts';
import { type Levels, plainLevels } from './factors.ts';
import { findProblems } from './joint.ts';
import { startRecordingServer } from './recording-server.ts';

interface ConfigTests {
  readonly configs: readonly Levels[];
  readonly call: CallCommand;
  /** How many configs a test has. */
  readonly chunk: number;
  /** What comes of them is compared with what test/recorded holds. */
  readonly isRecorded?: boolean;
}

const timeout = 300_000;

/** Tests of configs, some in each, on a server of its own. */
export function testConfigs({ configs, call, chunk, isRecorded }: ConfigTests): void {
  const chunks = Array.from({ length: Math.ceil(configs.length / chunk) }, (_, index) =>
    configs.slice(index * chunk, (index + 1) * chunk),
  );
  it.each(chunks.map((some, index) => ({ some, title: titleOf(some, index * chunk) })))(
    '$title',
    { timeout },
    async ({ some }) => {
      await using server = await startRecordingServer();
      const failures: Failure[] = [];
      for (const levels of some) {
        const sample = buildConfig(levels, server.url);
        const problems = await inFolder((folder) =>
          findProblems(sample, folder, { server, call, isRecorded }),
        );
        if (problems.length > 0) failures.push({ sample, problems });
      }
      if (failures.length > 0) throw new Error(describeFailures(failures));
    },
  );
}

function titleOf([first, ...others]: readonly Levels[], start: number): string {
  if (!first || others.length > 0) return `configs ${start + 1} to ${start + others.length + 1}`;
  return describeLevels(first, plainLevels) || 'a plain config';
}

async function inFolder<Result>(step: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-joint-'));
  try {
    return await step(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Failure {
  readonly sample: SampleConfig;
  readonly problems: readonly string[];
}

/** The first failure as a whole, and of the others what they are about. */
function describeFailures([first, ...others]: readonly Failure[]): string {
  if (!first) return '';
  const short = ({ sample, problems }: Failure) =>
    `- ${describeLevels(sample.levels, plainLevels)}\n  ${problems[0]?.split('\n')[0]}`;
  return [
    `${others.length + 1} configs are not shown as they are sent`,
    ...first.problems,
    `config: ${JSON.stringify(first.sample.config)}`,
    `levels: ${JSON.stringify(first.sample.levels)}`,
    ...others.map(short),
  ].join('\n');
}
