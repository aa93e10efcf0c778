import { contentHash } from '../base/content-hash.ts';
import { DataError } from '../errors.ts';

/** Which text a run used: the name of a template version, and the hash of what it says. */
export interface VersionStamp {
  readonly task: string;
  readonly version: string;
  /** The set of rules that the text was put together by, where a task has several. */
  readonly dialect?: string | undefined;
  readonly hash: string;
}

/** A template version with what is told about it. */
export interface TemplateVersion extends VersionStamp {
  /** Where the text comes from. */
  readonly reference: readonly string[];
  /** The models that it is meant for. */
  readonly models?: string | undefined;
  readonly remark?: string | undefined;
}

/** Hash of a template's content; names, references and other remarks are no part of it. */
export function templateHash(template: unknown): string {
  return contentHash(template).slice(0, 12);
}

/** A stamp with where it was found, for messages. */
export interface FoundStamp extends VersionStamp {
  readonly place?: string | undefined;
}

/** Refuses results under one name that come from different texts: they cannot be compared. */
export function checkSameVersion(left: FoundStamp, right: FoundStamp): void {
  const isOtherName = left.task !== right.task || left.version !== right.version;
  if (isOtherName || left.hash === right.hash) return;
  throw new DataError(
    'version.changed',
    `template \`${left.version}\` of \`${left.task}\` has more than one text: ${describe(left)}, ${describe(right)}`,
    {
      hint:
        left.dialect === right.dialect
          ? 'Run one side again with the text of the other, or give the new text a different name.'
          : 'The dialects differ: run one side again with the dialect of the other.',
    },
  );
}

function describe({ hash, dialect, place }: FoundStamp): string {
  const remarks = [dialect, place].filter((remark) => remark !== undefined).join(', ');
  return remarks === '' ? hash : `${hash} (${remarks})`;
}
