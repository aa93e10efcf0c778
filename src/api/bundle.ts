import { basename, resolve } from 'node:path';
import { openRun } from '../run/store/open-run.ts';
import type { BundleVerification, VerifyOptions } from '../study/bundle/verify-bundle.ts';
import { checkOptions } from './check-options.ts';
import { withGatesAgain } from './with-gates.ts';

const holdAgain: VerifyOptions['holdAgain'] = (summary, gates) =>
  withGatesAgain(summary, gates, {});

/** A bundle that was written, with what was verified of it. */
export interface WrittenBundle extends BundleVerification {
  readonly file: string;
}

/**
 * Packs a run into one file that another machine can verify: what `typecase bundle` does. Config and
 * data must be as they were in the run.
 *
 * @example
 * const { file } = await writeBundle('runs/capitals'); // 'capitals.bundle.zip'
 */
export async function writeBundle(
  folder: string,
  file = `${basename(resolve(folder))}.bundle.zip`,
): Promise<WrittenBundle> {
  checkOptions({ file }, { file: true });
  const { writeBundleFile } = await import('../study/bundle/write-bundle.ts');
  return { file, ...(await writeBundleFile(await openRun(folder), resolve(file), { holdAgain })) };
}

/**
 * Verifies a bundle by itself, without the run, its config or its data: what
 * `typecase bundle --verify` does. Nothing is sent.
 *
 * @example
 * const { holds } = await verifyBundle('capitals.bundle.zip'); // true
 */
export async function verifyBundle(file: string): Promise<BundleVerification> {
  const { verifyBundleFile } = await import('../study/bundle/verify-bundle.ts');
  return verifyBundleFile(resolve(file), { holdAgain });
}
