import { requirePackage } from '../../base/optional-package.ts';
import type { ConfigPath } from '../../errors.ts';

/** Refuses to go on without the runtime of local models, which is installed by those who use it. */
export function requireRuntime(path?: ConfigPath): void {
  requirePackage({
    name: 'onnxruntime-node',
    version: '1.30.0',
    purpose: 'Models on this machine',
    code: 'model.package_missing',
    path,
  });
}
