import { nearestName } from '../base/nearest-name.ts';
import { type ConfigPath, formatPath, TemplateError } from '../errors.ts';
import { describeType, entriesOf, getKey, isMapping, type Mapping } from './mapping.ts';
import { parseDialogue } from './parse-dialogue.ts';
import { optionalBoolean, optionalString, requireMapping, wrongType } from './parse-keys.ts';
import { parseMessages } from './parse-messages.ts';
import { scan, type Tokens } from './scan.ts';
import {
  nodesOf,
  type SingleBody,
  type Template,
  type TemplateBody,
  type TemplateConfig,
} from './template.ts';

const sections = ['begin', 'round', 'end'];
const mediaTypes = ['MMPromptTemplate', 'MultiTurnPromptTemplate'];

/**
 * Checks a data-side template and cuts it into nodes, once.
 *
 * @example
 * parseTemplate({ type: 'PromptTemplate', template: 'Q: {question}' }, ['prompt_template'])
 */
export function parseTemplate(config: TemplateConfig, path: ConfigPath): Template {
  const iceToken = optionalString(config.ice_token, [...path, 'ice_token']);
  const sepToken = optionalString(config.sep_token, [...path, 'sep_token']);
  const columnTokens = parseColumnTokens(config.column_token_map, iceToken, [
    ...path,
    'column_token_map',
  ]);
  const media = mediaTypes.includes(config.type ?? '');
  const tokens: Tokens = { iceToken, sepToken, columnTokens, media };
  const body = parseBody(config, path, tokens);
  if (iceToken) checkIceToken(body, iceToken, path);
  return { body, path, iceToken: iceToken || undefined, columnTokens };
}

function parseBody(config: TemplateConfig, path: ConfigPath, tokens: Tokens): TemplateBody {
  if (config.messages !== undefined) {
    const fields = optionalBoolean(config.format_variables, [...path, 'format_variables']) ?? true;
    const iceToken = tokens.iceToken ?? '</E>';
    return parseMessages(config.messages, [...path, 'messages'], { ...tokens, iceToken, fields });
  }
  const { template } = config;
  const templatePath = [...path, 'template'];
  if (typeof template === 'string')
    return { type: 'string', nodes: scan(template, templatePath, tokens) };
  if (!isMapping(template)) {
    throw new TemplateError(
      'template.wrong_type',
      `${formatPath(templatePath)} must be a string or a mapping, not ${describeType(template)}`,
      {
        path: templatePath,
        hint: 'Write a string, {begin, round, end}, or one template per label.',
      },
    );
  }
  if (isDialogue(template)) return parseDialogue(template, templatePath, tokens);
  return parseLabels(template, templatePath, tokens);
}

function isDialogue(mapping: Mapping): boolean {
  return entriesOf(mapping).every(([key]) => sections.includes(key as string));
}

function parseLabels(mapping: Mapping, path: ConfigPath, tokens: Tokens): TemplateBody {
  const entries = entriesOf(mapping);
  if (Array.isArray(getKey(mapping, 'round'))) throw strayKey(entries, path);
  const labels = entries.map(([label, value]) => {
    const labelPath = [...path, typeof label === 'number' ? label : String(label)];
    if (typeof value === 'string') {
      return { label, body: { type: 'string' as const, nodes: scan(value, labelPath, tokens) } };
    }
    if (isMapping(value) && isDialogue(value)) {
      return { label, body: parseDialogue(value, labelPath, tokens) };
    }
    throw labelError(label, value, labelPath);
  });
  return { type: 'labels', labels };
}

function strayKey(entries: readonly [unknown, unknown][], path: ConfigPath): TemplateError {
  const stray = String(
    entries.map(([key]) => key).find((key) => !sections.includes(key as string)),
  );
  const near = nearestName(stray, sections);
  return new TemplateError(
    'template.unknown_key',
    `${formatPath(path)} is a dialogue with the unknown section \`${stray}\``,
    {
      path: [...path, stray],
      hint: `${near ? `Did you mean \`${near}\`? ` : ''}Sections: ${sections.join(', ')}.`,
    },
  );
}

function labelError(label: unknown, value: unknown, path: ConfigPath): TemplateError {
  const near = nearestName(String(label), sections);
  return new TemplateError(
    'template.label_template',
    `${formatPath(path)} must be a string or {begin, round, end}, not ${describeType(value)}`,
    {
      path,
      hint: near
        ? `Did you mean the section \`${near}\`? A key other than begin, round and end is a label.`
        : 'A key other than begin, round and end is a label, and needs its own template.',
    },
  );
}

function checkIceToken(body: TemplateBody, iceToken: string, path: ConfigPath): void {
  const bodies: { body: SingleBody; where: ConfigPath }[] =
    body.type === 'labels'
      ? body.labels.map(({ label, body: inner }) => ({
          body: inner,
          where: [...path, 'template', String(label)],
        }))
      : [{ body, where: [...path, body.type === 'messages' ? 'messages' : 'template'] }];
  for (const { body: inner, where } of bodies) {
    if ([...nodesOf(inner)].some((node) => node.type === 'shots')) continue;
    throw new TemplateError(
      'template.ice_token_missing',
      `${formatPath(where)} does not contain its ice_token \`${iceToken}\``,
      {
        path: where,
        hint: `Write \`${iceToken}\` where the examples go, or remove ice_token.`,
      },
    );
  }
}

/** The tokens that stand for columns, checked, by column. */
export function parseColumnTokens(
  value: unknown,
  iceToken: string | undefined,
  path: ConfigPath,
): Map<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  const tokens = new Map<string, string>();
  for (const [column, token] of entriesOf(
    requireMapping(value, path, 'a mapping of column to token'),
  )) {
    const tokenPath = [...path, String(column)];
    if (typeof token !== 'string' || token === '')
      throw wrongType(token, tokenPath, 'a non-empty string');
    if (token === iceToken || [...tokens.values()].includes(token)) {
      throw new TemplateError(
        'template.duplicate_token',
        `${formatPath(tokenPath)} uses the token \`${token}\` a second time`,
        { path: tokenPath, hint: 'Give each column, and the examples, a different token.' },
      );
    }
    tokens.set(String(column), token);
  }
  return tokens;
}
