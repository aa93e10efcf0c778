import { describe, expect, test } from 'vitest';
import { toPython } from '../../python/convert.ts';
import { pyRepr, pyStr } from '../../python/repr.ts';
import { TracedText } from '../../python/traced-text.ts';
import type { PyDict } from '../../python/values.ts';
import { createTemplate, renderItem } from './any-template.ts';
import type { Dialect } from './meta-template.ts';
import { createParser, parsePrompt } from './parser.ts';

const lmMeta = {
  begin: '[BEG]',
  round: [
    { role: 'HUMAN', begin: '<H>', end: '</H>' },
    { role: 'BOT', begin: '<B>', end: '</B>', generate: true },
  ],
  end: '[END]',
};
const apiMeta = {
  round: [
    { role: 'HUMAN', api_role: 'HUMAN' },
    { role: 'BOT', api_role: 'BOT', generate: true },
  ],
};
const reserved = (meta: object): object => ({
  ...meta,
  reserved_roles: [{ role: 'SYSTEM', api_role: 'SYSTEM', begin: '<S>', end: '</S>' }],
});

const human = (prompt: string): object => ({ role: 'HUMAN', prompt });
const bot = (prompt: string): object => ({ role: 'BOT', prompt });
const system = { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'sys' };

interface Case {
  readonly template: unknown;
  readonly meta?: unknown;
  readonly mode?: string;
  readonly dialect?: Partial<Dialect>;
}

function parse({ template, meta, mode = 'gen', dialect = {} }: Case): unknown {
  const context = {
    compat: 'opencompass',
    parser: 'lm',
    path: ['meta_template'],
    ...dialect,
  } as const;
  const made = createTemplate({ template }, { compat: context.compat, path: ['prompt_template'] });
  const entry = toPython({ q: 'Q', a: '' }) as PyDict;
  const prompt = renderItem(made, { entry, row: 0, outputField: 'a' });
  return parsePrompt(createParser(meta, context), { prompt, mode });
}

describe('text models', () => {
  test.each<[unknown, string, string]>([
    [
      { round: [human('{q}'), bot('ans {a}')] },
      '[BEG]<H>Q</H><B>',
      '[BEG]<H>Q</H><B>ans </B>[END]',
    ],
    [{ round: [human('{q}')] }, '[BEG]<H>Q</H><B>', '[BEG]<H>Q</H><B></B>[END]'],
    [{ round: [] }, '[BEG]<H></H><B>', '[BEG]<H></H><B></B>[END]'],
    [
      { round: [human('1'), human('2')] },
      '[BEG]<H>1</H><B></B><H>2</H><B>',
      '[BEG]<H>1</H><B></B><H>2</H><B></B>[END]',
    ],
    [
      { round: ['PRE', human('1'), 'MID', bot('b')] },
      '[BEG]PREMID<H>1</H><B>',
      '[BEG]PREMID<H>1</H><B>b</B>[END]',
    ],
    [
      { begin: [system], round: [human('1')] },
      '[BEG]<H>sys</H><H>1</H><B>',
      '[BEG]<H>sys</H><H>1</H><B></B>[END]',
    ],
    [
      { begin: [bot('pre')], round: [human('1')] },
      '[BEG]<B>pre</B><H>1</H><B>',
      '[BEG]<B>pre</B><H>1</H><B></B>[END]',
    ],
    ['text stays', 'text stays', 'text stays'],
  ])('%j', (template, generated, whole) => {
    expect(pyStr(parse({ template, meta: lmMeta }) as TracedText)).toBe(generated);
    expect(pyStr(parse({ template, meta: lmMeta, mode: 'ppl' }) as TracedText)).toBe(whole);
  });

  test.each([
    [{ round: ['', 'a'] }, '\na'],
    [{ round: [human('{q}'), bot('ans {a}')] }, 'Q\nans '],
    [{ round: ['x'], end: 'y' }, 'x\ny'],
  ])('without a meta template: %j', (template, expected) => {
    expect(pyStr(parse({ template }) as TracedText)).toBe(expected);
  });

  test('every character has the origin it should have', () => {
    const meta = { ...lmMeta, round: ['~', ...lmMeta.round, { role: 'X', prompt: 'none' }] };
    const text = parse({ template: { round: [human('q {q}')] }, meta, mode: 'ppl' });
    expect(text).toBeInstanceOf(TracedText);
    const at = (...path: (string | number)[]): object => ({ path, start: 0 });
    expect((text as TracedText).spans.map(({ text: each, origin }) => [each, origin])).toEqual([
      ['[BEG]', { type: 'meta', part: 'begin', at: at('meta_template', 'begin') }],
      ['~', { type: 'meta', part: 'round', at: at('meta_template', 'round', 0) }],
      [
        '<H>',
        {
          type: 'role',
          role: 'HUMAN',
          edge: 'begin',
          at: at('meta_template', 'round', 1, 'begin'),
        },
      ],
      ['q ', { type: 'literal', at: at('prompt_template', 'template', 'round', 0, 'prompt') }],
      ['Q', expect.objectContaining({ type: 'field', field: 'q', row: 0 })],
      [
        '</H>',
        { type: 'role', role: 'HUMAN', edge: 'end', at: at('meta_template', 'round', 1, 'end') },
      ],
      ['<B>', expect.objectContaining({ role: 'BOT', edge: 'begin' })],
      ['</B>', expect.objectContaining({ role: 'BOT', edge: 'end' })],
      ['none', { type: 'default', role: 'X', at: at('meta_template', 'round', 3, 'prompt') }],
      ['[END]', { type: 'meta', part: 'end', at: at('meta_template', 'end') }],
    ]);
  });
});

describe('chat models', () => {
  const api = { parser: 'api' } as const;
  test.each<[unknown, unknown, string]>([
    [{ round: [human('{q}'), bot('b')] }, apiMeta, `[{'role': 'HUMAN', 'prompt': 'Q'}]`],
    [
      { begin: [system], round: [human('{q}')] },
      apiMeta,
      `[{'role': 'HUMAN', 'prompt': 'sys\\nQ'}]`,
    ],
    [
      { begin: [system], round: [human('{q}')] },
      reserved(apiMeta),
      `[{'role': 'SYSTEM', 'prompt': '<S>sys</S>'}, {'role': 'HUMAN', 'prompt': 'Q'}]`,
    ],
    [
      { round: [human('1'), human('2')] },
      apiMeta,
      `[{'role': 'HUMAN', 'prompt': '1'}, {'role': 'BOT', 'prompt': ''}, {'role': 'HUMAN', 'prompt': '2'}]`,
    ],
    [
      { round: [human('1')] },
      { ...apiMeta, begin: 'B!' },
      `['B!', {'role': 'HUMAN', 'prompt': '1'}]`,
    ],
    [
      { round: [human('hi')] },
      { round: [{ role: 'HUMAN', api_role: 'HUMAN', begin: [1] }] },
      `[{'role': 'HUMAN', 'prompt': [1, 'h', 'i']}]`,
    ],
  ])('%j with %j', (template, meta, expected) => {
    expect(pyRepr(parse({ template, meta, dialect: api }) as PyDict)).toBe(expected);
  });

  test.each<[unknown[], unknown, string]>([
    [
      [['user', 'PRE ']],
      [
        ['system', 'S'],
        ['user', 'U1'],
        ['user', 'U2'],
      ],
      'S|PRE U1|U2',
    ],
    [
      [
        ['user', 'P'],
        ['system', 'M'],
      ],
      [
        ['system', 'S'],
        ['user', 'U'],
      ],
      'S|PU|M',
    ],
    [[['system', 'M ']], [['user', 'U']], 'M |U'],
  ])('messages %j before %j', (meta, messages, expected) => {
    const build = (pairs: unknown): object[] =>
      (pairs as [string, string][]).map(([role, content]) => ({ role, content }));
    const parser = createParser(build(meta), { compat: 'opencompass', ...api, path: [] });
    const merged = parsePrompt(parser, { prompt: toPython(build(messages)), mode: 'any' });
    expect((merged as PyDict[]).map((each) => pyStr(each.get('content') ?? '')).join('|')).toBe(
      expected,
    );
  });
});

describe('errors of each system', () => {
  const ais = { compat: 'aisbench', parser: 'api' } as const;
  const api = { parser: 'api' } as const;
  test.each<[string, Case, string, string | undefined]>([
    [
      'end section',
      { template: { round: [], end: 'x' }, meta: lmMeta, mode: 'ppl' },
      'IndexError',
      undefined,
    ],
    [
      'role not in round',
      { template: { round: [system] }, meta: reserved(lmMeta) },
      'KeyError',
      undefined,
    ],
    [
      'role not in round',
      { template: { round: [{ role: 'X' }] }, meta: apiMeta, dialect: api },
      'KeyError',
      undefined,
    ],
    [
      'role not in round',
      { template: { round: [{ role: 'X' }] }, meta: apiMeta, dialect: ais },
      'AISBenchKeyError',
      'MODEL-PARAM-002',
    ],
    [
      'generating role in begin',
      { template: { begin: [bot('x')], round: [] }, meta: apiMeta, dialect: api },
      'TypeError',
      undefined,
    ],
    [
      'nothing to say',
      { template: { round: [human('1'), human('2')] }, meta: apiMeta, dialect: ais },
      'AISBenchValueError',
      'MODEL-DATA-002',
    ],
    ['bad mode', { template: 'x', mode: 'foo' }, 'AssertionError', undefined],
    [
      'bad mode',
      { template: 'x', mode: 'foo', dialect: ais },
      'AISBenchTypeError',
      'MODEL-TYPE-003',
    ],
    [
      'no round',
      { template: 'x', meta: { begin: 'x' }, dialect: ais },
      'AISBenchTypeError',
      'MODEL-PARAM-004',
    ],
    ['no round', { template: 'x', meta: { begin: 'x' } }, 'AssertionError', undefined],
    [
      'list as begin',
      { template: 'x', meta: { round: [{ role: 'HUMAN', begin: [] }] } },
      'NotImplementedError',
      undefined,
    ],
    [
      'role twice',
      { template: 'x', meta: { round: [{ role: 'A' }, { role: 'A' }] } },
      'AssertionError',
      undefined,
    ],
    [
      'empty round',
      { template: { round: [] }, meta: { round: [], begin: 'x' } },
      'UnboundLocalError',
      undefined,
    ],
    [
      'text in round',
      { template: { round: [] }, meta: { round: ['x'] }, dialect: api },
      'TypeError',
      undefined,
    ],
  ])('%s: %#', (_, input, pythonType, pythonCode) => {
    expect(() => parse(input)).toThrow(
      expect.objectContaining({ pythonType, pythonCode, path: ['meta_template'] }),
    );
  });
});
