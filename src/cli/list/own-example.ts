import { contentText } from '../../prompt/parts/content.ts';
import { compileLabelPrompts, compilePrompt } from '../../prompt/program.ts';
import { fillPrompt } from '../../prompt/render.ts';
import type { OwnVersion } from '../../tasks/task-file.ts';

/** The prompt of a version for its example row, or its first label; columns stay without one. */
export function showOwnVersion(version: OwnVersion): string {
  const { promptTemplate, iceTemplate, outputColumn, example = {} } = version;
  const settings = { promptTemplate, iceTemplate, outputColumn };
  const program = isOneTemplate(promptTemplate ?? iceTemplate)
    ? compilePrompt(settings)
    : compileLabelPrompts(settings)[0]?.program;
  if (!program) return '';
  const prompt = fillPrompt(program, example);
  return prompt.type === 'text'
    ? prompt.text
    : prompt.messages.map(({ role, content }) => `${role}: ${contentText(content)}`).join('\n');
}

function isOneTemplate({ template }: { readonly template?: unknown } = {}): boolean {
  return typeof template !== 'object' || template === null || 'round' in template;
}
