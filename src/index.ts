/**
 * Typecase: an evaluation harness for language models that treats the prompt as the thing under
 * test.
 *
 * @module
 */
export { type ConfigInput, defineConfig } from './config/define-config.ts';
export {
  ConfigError,
  type ConfigPath,
  DataError,
  type SourceLocation,
  TemplateError,
  TypecaseError,
} from './errors.ts';
export * from './prompt/index.ts';
export * from './retrieve/index.ts';
