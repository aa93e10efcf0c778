import { createHash } from 'node:crypto';
import { isRecording, readLines, writeLines } from '../../recorded/lines.ts';
import { timeless } from '../../recorded/timeless.ts';
import { describeLevels } from './config-space.ts';
import { type Levels, plainLevels } from './factors.ts';
import type { Joint } from './joint.ts';

const file = 'joints.jsonl';
let recorded: Map<string, unknown> | undefined;

/** Which documents of a config are not what they were when they were recorded. */
export function checkRecorded(joint: Joint, levels: Levels, folder: string): string[] {
  // Machines may compute a little differently, and replies depend on paths that are sent.
  if (levels.model === 'local' || levels.media === 'path') return [];
  recorded ??= new Map(readLines<string>(file).map(({ input, is }) => [input, is]));
  const name = describeLevels(levels, plainLevels);
  const now = digestsOf(joint, folder);
  if (isRecording) {
    recorded.set(name, now);
    writeLines(file, [...recorded]);
    return [];
  }
  const was = recorded.get(name);
  if (was === undefined) return [`nothing is recorded of it: TYPECASE_RECORD=1 writes ${file}`];
  const others = Object.entries(now).filter(
    ([part, digest]) => digest !== (was as Record<string, string>)[part],
  );
  return others.map(([part]) => `\`${part}\` is not as it was recorded in test/recorded/${file}`);
}

function digestsOf({ url, ...joint }: Joint, folder: string): Record<string, string> {
  const sorted = { ...joint, sent: bodies(joint.sent), judged: bodies(joint.judged) };
  return Object.fromEntries(
    Object.entries(sorted).map(([part, document]) => [
      part,
      digest(
        timeless(document, [
          [url, 'http://server'],
          [folder, 'FOLDER'],
        ]),
      ),
    ]),
  );
}

function bodies(requests: Joint['sent']): string[] {
  return requests.map(({ path, body }) => `${path} ${body}`).sort();
}

function digest(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
