import { dialogueForm } from '../../data/dialogue/dialogue-rows.ts';
import { bindAnswer } from '../../prompt/answer.ts';
import { checkFields, checkInput, type Diagnostic } from '../../prompt/diagnostics.ts';
import { countTags } from '../../prompt/parts/media-tags.ts';
import { type TurnsProgram, withoutSystem } from '../../prompt/turns.ts';
import type { Row } from '../../prompt/values.ts';
import { columnsOf, type PromptData, type PromptSetup } from '../prompt-setup.ts';
import { requireColumns } from '../require-columns.ts';
import { inferModeOf } from './combine-turns.ts';

/** Findings of the columns that a dialogue takes, as of those of other prompts. */
export interface TurnColumnCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** Refuses a row that lacks a column which others have. */
  readonly require: (row: Row) => void;
  readonly remarks: (row: Row) => Diagnostic[];
}

export function turnColumns(
  task: PromptSetup,
  { template, body: whole, media }: TurnsProgram,
  data: PromptData,
): TurnColumnCheck {
  const { inferencer, outputColumn, inputColumns } = task;
  const body = withoutSystem(whole);
  // In place of the right answers stand the model's own, unless the mode says otherwise.
  const isHidden = inferModeOf(inferencer) === 'every';
  const hidden = { type: 'masked', token: '' } as const;
  const asked = bindAnswer(body, isHidden ? outputColumn : undefined, hidden);
  const compiled = {
    template: { ...template, body },
    body: asked,
    iceTemplate: undefined,
    outputColumn,
  };
  const row = data.test[0]?.row ?? {};
  const found = columnsOf({ test: data.test, train: [] });
  const declared = inputColumns.length > 0 ? inputColumns : undefined;
  const check = requireColumns([compiled], task, data);
  return {
    diagnostics: [
      ...(data.test.length > 0 ? checkFields(compiled, found, declared) : []),
      ...checkInput({ template, body: asked }),
      // Rows of messages fail where they show what the template does not.
      ...(media.parts.length > 0 || dialogueForm(task.rowType) ? [] : unshownMedia(row, task)),
    ],
    require: check.row,
    remarks: check.remarks,
  };
}

/** Says that a template of texts sends the marks of media and not the media. */
function unshownMedia(row: Row, { promptTemplate, iceTemplate }: PromptSetup): Diagnostic[] {
  const texts = Object.values(row).flat();
  const type = (['image', 'audio', 'video'] as const).find(
    (modality) =>
      row[modality] !== undefined && texts.some((text) => countTags(text, modality) > 0),
  );
  if (type === undefined) return [];
  return [
    {
      code: 'template.media_not_shown',
      message: `the rows name media in \`${type}\`, but the template does not show it: \`<${type}>\` is sent as text`,
      hint: `Write \`prompt_mm: { text: '{question}', ${type}: '{${type}}' }\` instead of \`prompt\`.`,
      path: (promptTemplate ?? iceTemplate)?.source ?? [],
    },
  ];
}
