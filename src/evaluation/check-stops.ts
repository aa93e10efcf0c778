import type { ModelConfig } from '../config/config.ts';
import { type ConfigPath, formatPath } from '../errors.ts';
import type { Diagnostic } from '../prompt/diagnostics.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { stopOf } from './answer-limits.ts';
import type { EvaluationPrompts } from './prompt-setup.ts';

interface Stops {
  readonly model: ModelConfig | undefined;
  readonly inferencer: Parameters<typeof stopOf>[1];
  /** Those of the model's format. */
  readonly ofFormat: readonly string[];
  readonly row: PositionedRow | undefined;
}

/** A stop that ends each answer before it begins, because the model has to write it first. */
export function stopBeforeAnswer(
  { leadOf }: Pick<EvaluationPrompts, 'leadOf'>,
  { row, ...given }: Stops,
): Diagnostic | undefined {
  const stops = placedStops(given);
  if (!leadOf || !row || stops.length === 0) return undefined;
  const lead = leadOf(row);
  const found = stops.find(({ stop }) => stop !== '' && lead.includes(stop));
  if (!found) return undefined;
  return {
    code: 'template.stop_before_answer',
    message: `${formatPath(found.path)}: the stop ${JSON.stringify(found.stop)} would end every answer before it begins, because the model has to write ${JSON.stringify(lead)} first`,
    hint: /^[\t\p{Zs}]+$/u.test(lead)
      ? 'Set `keep_trailing_spaces: true` in the inferencer, or choose another stop.'
      : `End the prompt template with ${JSON.stringify(lead)}, as the examples do before their answers, or choose another stop.`,
    path: found.path,
  };
}

/** The stops that are sent. Settings of generation win over all others, those of the dataset first. */
function placedStops({
  model,
  inferencer,
  ofFormat,
}: Omit<Stops, 'row'>): { readonly stop: string; readonly path: ConfigPath }[] {
  const winner = [inferencer, model].find((from) => 'stop' in (from?.generationKwargs ?? {}));
  if (winner) {
    const given = winner.generationKwargs?.stop;
    const path = [...winner.source, 'generation_kwargs', 'stop'];
    return [given].flat().flatMap((stop) => (typeof stop === 'string' ? [{ stop, path }] : []));
  }
  const own = inferencer.stoppingCriteria ?? [];
  const format = model?.chatTemplate === undefined ? 'meta_template' : 'chat_template';
  const placeInModel = (stop: string) =>
    model?.stop === undefined && ofFormat.includes(stop) ? format : 'stop';
  const place = (stop: string): ConfigPath =>
    own.includes(stop)
      ? [...inferencer.source, 'stopping_criteria']
      : [...(model?.source ?? []), placeInModel(stop)];
  const stops = stopOf(model, inferencer, ofFormat) ?? model?.stop ?? [];
  return stops.map((stop) => ({ stop, path: place(stop) }));
}
