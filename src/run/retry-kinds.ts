import { type FailureKind, lastingKinds } from '../model/failure-kind.ts';

/** Which failed rows are asked again: all of them, none, or those of some kinds. */
export type RetryKinds = 'all' | 'none' | readonly FailureKind[];

/** Which failures are asked again; by default all but those that a server refuses for good. */
export function askedAgain(retry: RetryKinds | undefined): (kind: FailureKind) => boolean {
  if (retry === undefined) return (kind) => !lastingKinds.has(kind);
  if (retry === 'all' || retry === 'none') return () => retry === 'all';
  return (kind) => retry.includes(kind);
}
