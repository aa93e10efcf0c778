import { nearestName } from '../base/nearest-name.ts';
import { formatPath, TemplateError } from '../errors.ts';
import { lineEndsOf, type ModelFormat } from './format.ts';
import { layOut } from './lay-out.ts';
import type { ShotForm, ShotStyle } from './shots.ts';
import {
  itemsOf,
  nodesOf,
  type ShotsAs,
  type SingleBody,
  type Template,
  type TextItem,
} from './template.ts';
import { formatValue, type Row } from './values.ts';

export interface ShotStyleOptions {
  readonly iceTemplate: Template;
  readonly format: ModelFormat;
  readonly outputColumn: string | undefined;
  readonly iceSeparator: string | undefined;
  readonly iceEosToken: string | undefined;
  readonly shotsAs: ShotsAs | undefined;
}

/** Examples that are dialogues become turns; examples that are text stay text. */
function writesTurns({ body }: Template): boolean {
  const first = body.type === 'labels' ? body.labels[0]?.body : body;
  return first !== undefined && first.type !== 'string';
}

export function makeShotStyle(options: ShotStyleOptions): ShotStyle {
  const { iceTemplate, format } = options;
  const turns = writesTurns(iceTemplate);
  const lines =
    turns && (format.type === 'plain' || (format.type === 'text' && !format.meta.round));
  const lineEnd = options.shotsAs === 'system' ? lineEndsOf(format).line : '\n';
  const standard = lines ? '\n' : turns ? '' : lineEnd;
  return {
    formOf: formChooser(options),
    turns,
    separator: options.iceSeparator ?? standard,
    separatorName: options.iceSeparator === undefined && lines ? 'line' : 'ice_separator',
    // A system text ends with the last of them.
    tail: options.iceEosToken ?? (turns || options.shotsAs === 'system' ? '' : '\n'),
    merge: iceTemplate.body.type !== 'messages',
  };
}

function formChooser({
  iceTemplate,
  format,
  outputColumn,
}: ShotStyleOptions): (row: Row) => ShotForm {
  const form = (written: SingleBody): ShotForm => {
    const body = withoutShots(written);
    return { body, plan: layOut(body, { format, extent: 'shot', shotsAreTurns: false }) };
  };
  const { body } = iceTemplate;
  if (body.type !== 'labels') {
    const only = form(body);
    return () => only;
  }
  const forms = new Map(
    body.labels.map(({ label, body: inner }) => [formatValue(label), form(inner)]),
  );
  return (row) => {
    const label =
      outputColumn !== undefined && Object.hasOwn(row, outputColumn)
        ? row[outputColumn]
        : undefined;
    const found = forms.get(formatValue(label));
    if (found) return found;
    const near = nearestName(formatValue(label), forms.keys());
    throw new TemplateError(
      'template.unknown_label',
      `${formatPath(iceTemplate.path)} has no template for the label \`${formatValue(label)}\``,
      {
        path: [...iceTemplate.path, 'template'],
        hint: `${near ? `Did you mean \`${near}\`? ` : ''}Labels: ${[...forms.keys()].join(', ')}.`,
      },
    );
  };
}

/** Examples hold no examples. */
function withoutShots(body: SingleBody): SingleBody {
  const drop = <T extends { type: string }>(nodes: readonly T[]) =>
    nodes.filter((node) => node.type !== 'shots');
  if (body.type === 'string') return { ...body, nodes: drop(body.nodes) };
  const items = body.type === 'dialogue' ? body.round : body.items;
  const kept = items
    .filter((item) => !(item.type === 'text' && isShotsMark(item)))
    .map((item) =>
      item.type === 'turn' && item.prompt ? { ...item, prompt: drop(item.prompt) } : item,
    );
  return body.type === 'dialogue' ? { ...body, round: kept } : { ...body, items: kept };
}

function isShotsMark(item: TextItem): boolean {
  return item.nodes.every((node) => node.type === 'shots');
}

/** Turns cannot stand inside text. */
export function checkShotPositions(template: Template, body: SingleBody, turns: boolean): void {
  if (!turns) return;
  const inText =
    body.type === 'string'
      ? [...nodesOf(body)].some((node) => node.type === 'shots')
      : itemsOf(body).some(
          (item) => item.type === 'turn' && item.prompt?.some((node) => node.type === 'shots'),
        );
  if (!inText) return;
  throw new TemplateError(
    'template.turns_inside_text',
    `${formatPath(template.path)} puts its examples inside text, but they are dialogues`,
    {
      path: template.path,
      hint:
        body.type === 'string'
          ? 'Make ice_template a string too, or prompt_template a dialogue.'
          : 'Write the ice_token as an item of its own in `begin` or `round`.',
    },
  );
}
