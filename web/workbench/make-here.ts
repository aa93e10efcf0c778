import { type ConfigPath, type SourceLocation, TypecaseError } from '../../src/errors.ts';
import type { Span } from '../../src/prompt/origin.ts';
import { textOnly } from '../../src/prompt/parts/content.ts';
import { type Prompt, untrace } from '../../src/prompt/prompt.ts';
import type { BenchProblem } from '../../src/server/viewer/workbench/api.ts';
import { makePrompts } from '../../src/server/viewer/workbench/make-prompts.ts';
import {
  editedFile,
  type ReadTemplates,
  readTemplates,
  refuseHuge,
  type TemplateText,
  templateKeys,
} from '../../src/server/viewer/workbench/template-text.ts';
import type { JsonPrompt, JsonSpan } from '../parts/prompt-view.tsx';

interface MadeHere {
  readonly prompts?: readonly JsonPrompt[];
  readonly problem?: BenchProblem;
}

/** The prompts of a row, made in the page by what makes them in a run. */
export async function makeHere(kit: string, text: TemplateText | undefined): Promise<MadeHere> {
  let read: ReadTemplates | undefined;
  try {
    if (text) {
      refuseHuge(text, kit.length);
      read = readTemplates(text);
    }
    const { texts } = await makePrompts(kit, read?.templates);
    return {
      prompts: texts.map(({ prompt, label, part }) => {
        const sent = untrace(prompt);
        return {
          ...(label !== undefined && { label }),
          ...(part && { [part.kind]: part.name }),
          prompt: sent,
          spans:
            prompt.type === 'text'
              ? prompt.spans.map((span) => spanOf(span, read))
              : prompt.messages.map(({ role, spans }) => ({
                  role,
                  spans: spans.map((span) => spanOf(span, read)),
                })),
          request: null,
          characters: charactersOf(sent),
          tokens: null,
        };
      }),
    };
  } catch (error) {
    return { problem: problemOf(error, read) };
  }
}

function spanOf({ text, tokenIds, origin }: Span, read: ReadTemplates | undefined): JsonSpan {
  const { at, ...rest } = { at: undefined, ...origin };
  const place = at && placeOf(at.path, at.start, read);
  return {
    text,
    ...(tokenIds && { tokenIds }),
    origin: rest as JsonSpan['origin'],
    at: place ?? null,
  };
}

function isTemplateKey(key: string | number): boolean {
  return (templateKeys as readonly unknown[]).includes(key);
}

function placeOf(
  path: ConfigPath,
  index: number | undefined,
  read: ReadTemplates | undefined,
): SourceLocation | undefined {
  const from = path.findIndex(isTemplateKey);
  return from < 0 ? undefined : read?.locate(path.slice(from), index);
}

function problemOf(error: unknown, read: ReadTemplates | undefined): BenchProblem {
  if (!TypecaseError.isInstance(error)) {
    return {
      code: 'serve.failed',
      message: error instanceof Error ? error.message : String(error),
    };
  }
  const { code, message, hint, path } = error;
  const at = error.at ?? (path && placeOf(path, undefined, read));
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(at?.file === editedFile && { at: { line: at.line, column: at.column } }),
  };
}

function charactersOf(prompt: Prompt): number {
  const texts =
    prompt.type === 'text'
      ? [prompt.text]
      : prompt.messages.map(({ content }) => textOnly(content));
  return texts.reduce((sum, text) => sum + [...text].length, 0);
}
