import type { ChatTemplate } from '../../../chat-template/types.ts';
import type { DatasetConfig } from '../../../config/config.ts';
import type { Evaluation } from '../../../evaluation/evaluation.ts';
import type { ModelFormat } from '../../../prompt/format.ts';
import type { NamedRow, PositionedRow } from '../../../prompt/trace.ts';
import type { PromptView } from '../../../study/view/prompt-view.ts';
import { packValue } from '../pack-row.ts';
import type { PackedFormat, PromptKit } from './make-prompts.ts';

/** Rows that are longer are looked at by what the server makes of them. */
const maxKit = 400_000;

interface KitParts {
  readonly evaluation: Evaluation;
  readonly row: PositionedRow;
  readonly view: PromptView;
}

/** What the page makes the prompts of a row from; or why it cannot. */
export async function promptKit(
  parts: KitParts,
): Promise<{ readonly kit: string } | { readonly noKit: string }> {
  const { evaluation, row, view } = parts;
  const { setup, task } = evaluation;
  const { dataset } = task;
  if (!setup || !dataset) return { noKit: 'a suite builds these prompts' };
  const noKit = whyNot(dataset, view);
  if (noKit !== undefined) return { noKit };
  const { requests } = await evaluation.plan(row);
  const chosen = [...new Set(requests.flatMap(({ shots = [] }) => shots))];
  const examples = evaluation.examplesAt(chosen);
  const [first] = evaluation.shape.pool ?? [];
  const { media: _, examplesOf: __, context: ___, model, retriever, ...rest } = setup;
  const { format, ...side } = model;
  // The examples are known: nothing has to choose them.
  const known = { ...retriever, where: undefined, embedder: undefined, retrieve: undefined };
  const kit: PromptKit = {
    setup: { ...rest, retriever: known, model: side },
    format: packedFormat(format),
    data: {
      test: distinctRows(evaluation.shape.samples ?? [], dataset),
      train: [...(first ? [first] : []), ...examples],
    },
    shots: requests.map(({ shots = [] }) =>
      shots.map((shot) => chosen.indexOf(shot) + (first ? 1 : 0)),
    ),
    row,
    dataset: {
      n: dataset.n,
      k: dataset.k,
      ...(dataset.evalCfg?.circular && { evalCfg: dataset.evalCfg }),
      readerCfg: { outputColumn: dataset.readerCfg.outputColumn },
      inferCfg: { inferencer: dataset.inferCfg.inferencer },
      source: dataset.source,
    },
  };
  const packed = packValue(kit);
  return packed.length > maxKit ? { noKit: 'this row is too long' } : { kit: packed };
}

function whyNot({ inferCfg }: DatasetConfig, view: PromptView): string | undefined {
  if (typeof inferCfg.promptTemplate?.config.template === 'function') {
    return 'a function of the config builds them';
  }
  const isShown = view.prompts.some(({ prompt }) =>
    (prompt.type === 'text' ? prompt.spans : prompt.messages.flatMap(({ spans }) => spans)).some(
      ({ media }) => media !== undefined,
    ),
  );
  if (isShown) return 'they show media, which only the server reads';
  const isFitted = view.dropped > 0 && view.compat !== undefined && view.mode === 'ppl';
  return isFitted ? 'the number of examples that fit differs by label' : undefined;
}

/** The rows that labels and columns are known by: one for each label. */
function distinctRows(
  samples: readonly NamedRow[],
  { readerCfg: { outputColumn = '' } }: DatasetConfig,
): NamedRow[] {
  const seen = new Map<string, NamedRow>();
  for (const named of samples) {
    const label = packValue(named.row[outputColumn] ?? null);
    if (!seen.has(label)) seen.set(label, named);
  }
  return [...seen.values()];
}

function packedFormat(format: ModelFormat): PackedFormat {
  if (format.type !== 'chat-template') return format;
  const { template, ...rest } = format;
  const { source, file, specialTokens } = template as ChatTemplate;
  return { ...rest, chatTemplate: { source, file, specialTokens } };
}
