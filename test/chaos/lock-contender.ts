import { lockFolder } from '../../src/run/store/lock.ts';

/** Tries to lock the folder when it is told to, says whether it could, and lets go when it is told to. */
let unlock: (() => Promise<void>) | undefined;
process.on('message', async ({ lock }: { readonly lock?: string }) => {
  if (lock === undefined) {
    await unlock?.();
    unlock = undefined;
    process.send?.('out');
    return;
  }
  try {
    unlock = await lockFolder(lock);
    process.send?.('in');
  } catch (error) {
    process.send?.((error as { code?: string }).code ?? String(error));
  }
});
process.send?.('ready');
