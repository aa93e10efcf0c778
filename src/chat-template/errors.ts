import { type SourceLocation, TemplateError } from '../errors.ts';
import { BudgetFailure } from './jinja/budget.ts';
import { LoadFailure, Refusal } from './jinja/failure.ts';

interface TemplateText {
  /** What it is, and what its error codes begin with, if it is no chat template. */
  readonly kind?: TemplateKind | undefined;
  readonly name: string;
  readonly source: string;
  readonly file: string;
}

/** How messages speak of a kind of template. */
export interface TemplateKind {
  readonly what: string;
  /** What the codes of templates that cannot be read begin with. */
  readonly code: string;
  readonly failed: string;
  readonly tooMuch: string;
  /** What to do about a template that cannot be read, that has a name nobody knows, and that does too much. */
  readonly hints: Readonly<Record<'syntax' | 'unknown' | 'tooMuch' | 'failed', string>>;
}

const chatTemplate: TemplateKind = {
  what: 'Chat template',
  code: 'chat_template',
  failed: 'chat_template.failed',
  tooMuch: 'chat_template.too_much',
  hints: {
    syntax: 'Compare the template with the one published with the model.',
    unknown: 'Rewrite this part of the template with features that chat templates support.',
    tooMuch:
      'A chat template is a program that comes with the model. Compare it with the one published with the model.',
    failed: 'Check that the messages and variables have what the template reads there.',
  },
};

function locate({ source, file }: TemplateText, offset: number): SourceLocation {
  const before = source.slice(0, offset);
  const line = before.split('\n').length;
  return { file, line, column: offset - before.lastIndexOf('\n') };
}

function describeLocation(at: SourceLocation): string {
  return `line ${at.line}, column ${at.column}`;
}

/** Reports a problem that was found while the template was read. */
export function throwLoadError(template: TemplateText, error: unknown): never {
  if (!(error instanceof LoadFailure)) throw error;
  const at = locate(template, error.offset);
  const { what, code, hints } = template.kind ?? chatTemplate;
  const message = `${what} "${template.name}", ${describeLocation(at)}: ${error.message}`;
  const hint = error.kind === 'syntax' ? hints.syntax : hints.unknown;
  throw new TemplateError(`${code}.${error.kind}`, message, { hint, at, cause: error });
}

/** Reports a problem that was met while a conversation was rendered. */
export function throwRenderError(
  template: TemplateText,
  { error, offset }: { error: unknown; offset: number },
): never {
  const at = locate(template, offset);
  const { what, failed, tooMuch, hints } = template.kind ?? chatTemplate;
  if (error instanceof Refusal) {
    const message = `Chat template "${template.name}" refuses the conversation: ${error.message}`;
    const hint = 'Change the roles or their order to what the template allows.';
    throw new TemplateError('chat_template.refused', message, { hint, at, cause: error });
  }
  if (error instanceof BudgetFailure) {
    const message = `${what} "${template.name}", ${describeLocation(at)}: ${error.message}`;
    throw new TemplateError(tooMuch, message, { hint: hints.tooMuch, at, cause: error });
  }
  let reason = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) reason = 'its macros or expressions nest too deeply';
  const message = `${what} "${template.name}", ${describeLocation(at)}: ${reason}`;
  throw new TemplateError(failed, message, { hint: hints.failed, at, cause: error });
}
