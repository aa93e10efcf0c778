import { type SourceLocation, TemplateError } from '../errors.ts';
import { BudgetFailure } from './jinja/budget.ts';
import { LoadFailure, Refusal } from './jinja/failure.ts';

interface TemplateText {
  readonly name: string;
  readonly source: string;
  readonly file: string;
}

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
  const message = `Chat template "${template.name}", ${describeLocation(at)}: ${error.message}`;
  const hint =
    error.kind === 'syntax'
      ? 'Check the template against the one that the model was published with.'
      : 'Rewrite this part of the template with features that chat templates have.';
  throw new TemplateError(`chat_template.${error.kind}`, message, { hint, at, cause: error });
}

const tooMuchHint =
  'A chat template is a program that comes with the model. Compare it with the one that the model was published with.';

/** Reports a problem that was met while a conversation was rendered. */
export function throwRenderError(
  template: TemplateText,
  { error, offset }: { error: unknown; offset: number },
): never {
  const at = locate(template, offset);
  if (error instanceof Refusal) {
    const message = `Chat template "${template.name}" refuses the conversation: ${error.message}`;
    const hint = 'Change the roles or the order of the messages to what the template allows.';
    throw new TemplateError('chat_template.refused', message, { hint, at, cause: error });
  }
  if (error instanceof BudgetFailure) {
    const message = `Chat template "${template.name}", ${describeLocation(at)}: ${error.message}`;
    throw new TemplateError('chat_template.too_much', message, {
      hint: tooMuchHint,
      at,
      cause: error,
    });
  }
  let reason = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) reason = 'its macros or expressions nest too deeply';
  const message = `Chat template "${template.name}", ${describeLocation(at)}: ${reason}`;
  const hint = 'Check that the messages and variables have what the template reads there.';
  throw new TemplateError('chat_template.failed', message, { hint, at, cause: error });
}
