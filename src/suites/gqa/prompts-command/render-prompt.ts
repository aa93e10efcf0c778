import { formatValue } from '../../../prompt/values.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { renderBlocks } from '../../../terminal/text/render-blocks.ts';
import { showControls } from '../../../terminal/text/show-controls.ts';
import type { NumberedPrompt } from '../make-prompts.ts';

/** A prompt for people: what the model sees, what a cache compares, and the image. */
export function renderPrompt(
  { dataset_id, prompt, chunk_text, image }: NumberedPrompt,
  { name, terminal }: { readonly name: string | null; readonly terminal: Terminal },
): string[] {
  const { colors } = terminal;
  const title = [...(name === null ? [] : [name]), formatValue(dataset_id)].map(showControls);
  const [first = '', ...rest] = title;
  return [
    [colors.bold(first), ...rest].join(' · '),
    ...renderBlocks(
      [
        { name: 'prompt', pieces: [{ text: prompt }] },
        { name: 'chunk text', pieces: [{ text: chunk_text }] },
        ...(image === undefined ? [] : [{ name: 'image', pieces: [{ text: image }] }]),
      ],
      terminal,
    ),
    '',
  ];
}

/** A prompt for machines, and for `typecase run`: a row with all its columns. */
export function promptRow(
  { row, image, metadata, ...columns }: NumberedPrompt,
  name: string | null,
) {
  return { ...(name !== null && { experiment: name }), row, ...columns, image: image ?? null };
}
