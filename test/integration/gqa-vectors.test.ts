import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashingEncoder } from '../../src/suites/gqa/cache-study/hashing-encoder.ts';
import type { GqaCompat } from '../../src/suites/gqa/compat.ts';
import { callCommand } from './joints/call-command.ts';
import { npyOf } from './npy.ts';
import { writeFolder } from './run-cli.ts';

/** What the original was given and made, by the kind of the vector. */
interface Kinds {
  readonly format_prompt: [{ template: string; sample: object }, string];
  readonly render_chunk_text: [{ mode: string; sample: object }, string];
  readonly hf_dataset_shuffle: [{ n: number; seed: number }, readonly number[]];
  readonly load_video_frames_dataset: [
    { n: number; seed: number | null; limit: number },
    readonly string[],
  ];
  readonly extract_llava_qa: [object, readonly string[] | null];
  readonly build_prompts: [
    { dataset: readonly object[]; template: string; chunk_source: string },
    readonly WholePrompt[],
  ];
  readonly build_synthetic_prompts: [
    { template: string; chunk_source: string },
    readonly WholePrompt[],
  ];
  readonly ensure_image_placeholder: [{ prompt: string; placeholder: string }, string];
  readonly build_command: [
    { row: object; log_file: string; samples_dir: string; cache_mode: string },
    string,
  ];
  readonly experiment_spec: [
    { row: object; defaults: object | null },
    Readonly<Record<string, unknown>>,
  ];
  readonly parse_args: [
    { argv: readonly string[] },
    Readonly<Record<string, unknown>> & { readonly embedding_layer: readonly string[] },
  ];
}

interface Vector<Kind extends keyof Kinds> {
  readonly kind: Kind;
  readonly commit: GqaCompat;
  readonly input: Kinds[Kind][0];
  readonly ok: Kinds[Kind][1];
  /** The class of the error that the original ends with. */
  readonly error?: string;
}

const folderOfVectors = join(import.meta.dirname, '../vectors/gqa');
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const vectors = linesOf(readFileSync(join(folderOfVectors, 'vectors.jsonl'), 'utf8'));
const ofKind = <Kind extends keyof Kinds>(kind: Kind): readonly Vector<Kind>[] =>
  vectors.filter((vector) => vector.kind === kind);
const jsonl = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const all = ['--max-samples', '-1', '--shuffle-seed', '-1'];

async function promptsOf(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  compat: GqaCompat = '48bab23',
) {
  const folder = await writeFolder(files);
  const data = Object.keys(files).flatMap((name) => ['--data', join(folder, name)]);
  const run = ['gqa', ...data, ...args, '--compat', compat, '--json'];
  const { code, stdout, stderr } = await callCommand(run);
  return { code, stderr, prompts: linesOf(stdout) };
}

/** The code of a class of Python: `ValueError` is `compat.value_error`. */
const codeOf = (pythonClass: string) =>
  `compat.${pythonClass.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}`;

describe('the original’s prompts, through the command line', () => {
  test('templates', async () => {
    const failing = [
      ['{question.upper}', 'AttributeError'],
      ['{x.y}', 'AttributeError'],
      ['{question[a]}', 'TypeError'],
      ...['{', '{answer!x}', '{dataset_id:05d}', '{image_id:z}', '{question!}', '{question:{'].map(
        (template) => [template, 'ValueError'],
      ),
    ].map(([template = '', error = '']) => ({
      ...{ commit: '40a46a9' as const, ok: '', error },
      input: { template, sample: { id: 'x' } },
    }));
    // As CPython 3.12 formats them.
    const formatted = [
      [
        '{question!r} {question!s:>12.3}|{question!a:*^20}',
        "'Wie groß?'          Wie|***'Wie gro\\xdf?'***",
      ],
      ['{{nested}} {question:>{image_id}.{image_id}}|{unknown!r:5}|', "{nested} Wie gro|''   |"],
      [
        '{image_id:0>5} {image_id!r:>6.2}|{question!a:>30.40}',
        "00007     '7|                'Wie gro\\xdf?'",
      ],
      ['{a b}|{image_id}', '|7'],
      // A backslash and a letter on a command line are two characters there.
      ['{image_id}\\n{question}', '7\\nWie groß?'],
      ['{image_id}\n{question}', '7\nWie groß?'],
    ].map(([template = '', ok = '']) => ({
      ...{ commit: '48bab23' as const, ok, error: undefined },
      input: { template, sample: { question: 'Wie groß?', imageId: '7' } },
    }));
    const cases = [...ofKind('format_prompt'), ...failing, ...formatted];
    for (const { input, ok, error, commit } of cases) {
      const { template, sample } = input;
      const args = [...all, '--prompt-template', template];
      const files = { 'rows.jsonl': jsonl([{ question: '', ...sample }]) };
      const { code, stderr, prompts } = await promptsOf(files, args, commit);
      if (error === undefined) {
        expect([template, stderr, prompts[0]?.prompt]).toEqual([template, '', ok]);
      } else {
        expect([template, code, prompts]).toEqual([template, 2, []]);
        expect(stderr).toContain(`error[${codeOf(error)}] `);
        expect(stderr).toMatch(/in sample `.*`\n/);
        expect(stderr).toMatch(new RegExp(`the original stops with ${error}\\n$`));
      }
    }
  });

  test.each([
    ['{questin}', 'gqa.unknown_variable', 'Did you mean `{question}`?'],
    ['{}', 'gqa.unknown_variable', 'Variables: question'],
    ['{question', 'gqa.bad_template', 'hint: '],
    ['Q:\\n{question}', undefined, 'Q:\nWhy?'],
    ['Q:\n{question}', undefined, 'Q:\nWhy?'],
  ])('%j without compat', async (template, error, text) => {
    const folder = await writeFolder({ 'rows.jsonl': jsonl([{ question: 'Why?' }]) });
    const args = ['--data', join(folder, 'rows.jsonl'), '--prompt-template', template, '--json'];
    const { code, stdout, stderr } = await callCommand(['gqa', ...args]);
    if (error === undefined) expect([code, JSON.parse(stdout).prompt]).toEqual([0, text]);
    else {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`error[${error}] `);
      expect(stderr).toContain(text);
    }
  });

  test('chunk texts of every source', async () => {
    const found = ofKind('render_chunk_text').filter(({ error }) => error === undefined);
    const modes = [...new Set(found.map(({ input }) => input.mode))];
    expect(modes.length).toBeGreaterThanOrEqual(6);
    for (const mode of modes) {
      const own = found.filter(({ input }) => input.mode === mode);
      const rows = own.map(({ input }) => input.sample);
      const args = [...all, '--chunk-source', mode];
      const { stderr, prompts } = await promptsOf({ 'rows.jsonl': jsonl(rows) }, args);
      const texts = prompts.map(({ chunk_text }) => chunk_text);
      expect([mode, stderr, texts]).toEqual([mode, '', own.map(({ ok }) => ok)]);
    }
  });

  test('orders of rows', async () => {
    for (const { input, ok } of ofKind('hf_dataset_shuffle')) {
      const rows = Array.from({ length: input.n }, (_, id) => ({ id, question: 'Q' }));
      const args = ['--max-samples', '-1', '--shuffle-seed', String(input.seed)];
      const { prompts } = await promptsOf({ 'rows.jsonl': jsonl(rows) }, args);
      expect(prompts.map(({ row }) => row)).toEqual(ok);
    }
    for (const { input, ok } of ofKind('load_video_frames_dataset')) {
      const rows = Array.from({ length: input.n }, (_, frame) => ({
        id: `unscrew_bottle_cap_frame_${String(frame + 1).padStart(4, '0')}`,
        question: 'Q',
      }));
      const args = ['--dataset', 'video_frames', '--max-samples', String(input.limit)];
      const seed = ['--shuffle-seed', String(input.seed ?? -1)];
      const { prompts } = await promptsOf({ 'rows.json': JSON.stringify(rows) }, [
        ...args,
        ...seed,
      ]);
      expect(prompts.map(({ dataset_id }) => dataset_id)).toEqual(ok);
    }
  });

  test('records of LLaVA, and whole prompts', async () => {
    const dialogues = ofKind('extract_llava_qa');
    const rows = dialogues.map(({ input }, id) => ({ id: String(id), ...input }));
    const file = { 'rows.json': JSON.stringify(rows) };
    const { prompts } = await promptsOf(file, [...all, '--dataset', 'llava150k']);
    expect(
      prompts.map(({ dataset_id, question, full_answer }) => [dataset_id, question, full_answer]),
    ).toEqual(dialogues.flatMap(({ ok }, id) => (ok ? [[String(id), ...ok]] : [])));
    for (const { input, ok, commit } of ofKind('build_prompts')) {
      const { dataset, template, chunk_source } = input;
      const args = [...all, '--prompt-template', template, '--chunk-source', chunk_source];
      const made = await promptsOf({ 'rows.jsonl': jsonl(dataset) }, args, commit);
      expect(made.prompts).toMatchObject(wholePrompts(ok));
    }
    for (const { input, ok, commit } of ofKind('build_synthetic_prompts')) {
      const own = ['--prompt-template', input.template, '--chunk-source', input.chunk_source];
      const made = await promptsOf({}, ['--dataset', 'synthetic', ...own], commit);
      expect(made.prompts).toMatchObject(wholePrompts(ok));
    }
  });

  test('marks for images', async () => {
    for (const { input, ok } of ofKind('ensure_image_placeholder')) {
      const preset = input.placeholder === '<image>' ? 'internvl3.5-2b' : 'qwen3-vl-2b';
      const args = ['--preset', preset, '--image-placeholder', '--prompt-template', '{question}'];
      const file = { 'rows.jsonl': jsonl([{ question: input.prompt }]) };
      const { prompts } = await promptsOf(file, args);
      expect(prompts[0]?.prompt).toBe(ok.trim());
    }
  });
});

interface WholePrompt {
  readonly prompt: string;
  readonly chunk_text: string;
}

/** What the original makes of samples that a row of ours holds too. */
function wholePrompts(made: readonly WholePrompt[]) {
  return made.map(({ prompt, chunk_text }) => ({ prompt, chunk_text }));
}

const cellsOf = (line: string) =>
  Array.from(
    line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g),
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );

/** Whether a cell is what Python writes for a value. */
function isCell(cell: string, value: unknown): boolean {
  if (typeof value === 'number') return cell !== '' && Number(cell) === value;
  if (typeof value === 'boolean') return cell === (value ? 'True' : 'False');
  return cell === String(value ?? '');
}

/** The folders that are deleted first are a set, which has no order in Python. */
const inOrder = (command: string) => command.split(' && ').sort();

test('specs: settings and commands of the original', async () => {
  for (const { input, ok, commit } of ofKind('build_command')) {
    const { row, log_file, samples_dir, cache_mode } = input;
    const folder = await writeFolder({ 'spec.json': JSON.stringify([row]) });
    const logs = ['--log-file', log_file, '--samples-dir', samples_dir, '--cache-mode', cache_mode];
    const spec = ['--specs', join(folder, 'spec.json'), '--emit-commands'];
    const { stdout } = await callCommand(['gqa', ...spec, ...logs, '--compat', commit]);
    const command = stdout.trimEnd().split('\n').slice(1).join('\n');
    expect(inOrder(command)).toEqual(inOrder(ok));
  }
  for (const { input, ok, error, commit } of ofKind('experiment_spec')) {
    const { row, defaults } = input;
    const spec = { ...(defaults && { defaults }), experiments: [row] };
    const folder = await writeFolder({ 'spec.json': JSON.stringify(spec) });
    const made = await totalsOf(['--specs', join(folder, 'spec.json')], commit);
    if (error === undefined) checkTotals(made, ok);
    else expect([made.code, made.stderr]).toEqual([2, expect.stringContaining(codeOf(error))]);
  }
});

test('options: what a flag says before a preset, and what it does not', async () => {
  for (const { input, ok, commit } of ofKind('parse_args')) {
    const { embedding_layer, disable_exact_cache, disable_semantic_cache, ...values } = ok;
    checkTotals(await totalsOf(input.argv, commit), {
      ...values,
      max_samples: values.max_samples ?? -1,
      shuffle_seed: Number(values.shuffle_seed) < 0 ? '' : values.shuffle_seed,
      prompt_template: String(values.prompt_template).replaceAll('\n', '\\n'),
      embedding_layers: embedding_layer.join(','),
      enable_exact_text_cache: !disable_exact_cache,
      enable_semantic_text_cache: !disable_semantic_cache,
    });
  }
});

/** The line of totals that a study of one sample writes, by its columns. */
async function totalsOf(args: readonly string[], commit: GqaCompat) {
  const folder = await writeFolder({ 'rows.jsonl': jsonl([{ question: 'Q', imageId: 1 }]) });
  const log = join(folder, 'log.csv');
  const own = ['--data', join(folder, 'rows.jsonl'), '--log-file', log, '--no-sweep', '--no-grid'];
  const outcome = await callCommand(['cache-study', ...args, ...own, '--compat', commit]);
  const text = outcome.code === 0 ? await readFile(log, 'utf8') : '';
  const [names = [], cells = []] = text.split('\r\n').map(cellsOf);
  const logged = Object.fromEntries(names.map((name, column) => [name, cells[column] ?? '']));
  return { ...outcome, logged };
}

function checkTotals(
  { code, stderr, logged }: Awaited<ReturnType<typeof totalsOf>>,
  expected: Readonly<Record<string, unknown>>,
) {
  expect([code, stderr]).toEqual([0, '']);
  // The encoder is the one that made the vectors, and the program logs no notes.
  const { index_encoder, notes, ...settings } = expected;
  const told = Object.entries(settings).filter(([name]) => name in logged);
  expect(told.length).toBeGreaterThan(20);
  const differing = told.filter(([name, value]) => !isCell(logged[name] ?? '', value));
  expect([logged, differing]).toEqual([logged, []]);
}

interface Simulation {
  readonly kind: string;
  readonly commit: GqaCompat;
  readonly name: string;
  readonly backend: string;
  readonly dataset: string;
  readonly chunk_source: string;
  readonly similarity_threshold: number;
  readonly embedding_layers: readonly string[];
  readonly exact_text: boolean;
  readonly semantic_text: boolean;
  readonly steps: readonly {
    readonly dataset_id: string;
    readonly hit_source: string | null;
    readonly hit_from: string | null;
    readonly score: number | null;
    readonly statuses: Readonly<Record<string, string>>;
  }[];
}

/** The vectors that the original was given, as NumPy saves them. */
async function vectorsOf(texts: readonly string[], compat: GqaCompat): Promise<Buffer> {
  const { signal } = new AbortController();
  return npyOf(await hashingEncoder(32, compat).embed([...texts], { signal }));
}

/** Equal prompts of equal images hit both layers: single precision has either before the other. */
const layerOf = (source: string | null, score: number | null) =>
  source?.startsWith('embedding:') && score?.toFixed(5) === '1.00000' ? 'embedding' : source;

function oneLayer(statuses: Readonly<Record<string, string>>) {
  const names = Object.keys(statuses).filter((name) => name.startsWith('embedding:'));
  const isHit = names.some((name) => statuses[name] === 'hit');
  const { exact_text, semantic_text, kv_cache } = statuses;
  return { exact_text, semantic_text, kv_cache, layers: names.length, isHit };
}

test('hits, sources and techniques of caches are those of the original', async () => {
  const simulations: readonly Simulation[] = linesOf(
    await readFile(join(folderOfVectors, 'cache-sim.jsonl'), 'utf8'),
  ).filter(({ kind }) => kind === 'cache_sim');
  expect(simulations.length).toBeGreaterThan(20);
  const samples = JSON.parse(await readFile(join(folderOfVectors, 'sim-samples.json'), 'utf8'));
  const folder = await writeFolder({ 'rows.jsonl': jsonl(samples.samples) });
  const at = (name: string) => join(folder, name);
  for (const simulation of simulations) {
    const { commit, dataset, chunk_source, embedding_layers, steps } = simulation;
    const data = dataset === 'synthetic' ? ['--dataset', dataset] : ['--data', at('rows.jsonl')];
    const common = [
      ...data,
      ...(dataset === 'synthetic' ? [] : all),
      '--chunk-source',
      chunk_source,
    ];
    const made = await callCommand(['gqa', ...common, '--compat', commit, '--json']);
    const prompts: Readonly<Record<string, string>>[] = linesOf(made.stdout);
    for (const [name, column] of Object.entries(layerTexts)) {
      const texts = prompts.map((prompt) => String(prompt[column]));
      await writeFile(at(`${name}.npy`), await vectorsOf(texts, commit));
    }
    const layers = embedding_layers.flatMap((layer) => {
      const [name = ''] = layer.split(':');
      return ['--embedding-layer', layer, '--vectors', `${name}=${at(`${name}.npy`)}`];
    });
    const { code, stderr } = await callCommand([
      ...['cache-study', ...common, ...layers, '--no-sweep', '--no-grid'],
      // One of the similarities is 0.8, which single precision just misses.
      ...['--similarity-threshold', String(simulation.similarity_threshold - 1e-6)],
      ...(simulation.exact_text ? [] : ['--disable-exact-cache']),
      ...(simulation.semantic_text
        ? ['--vectors', `semantic=${at('semantic.npy')}`]
        : ['--disable-semantic-cache']),
      ...(embedding_layers.length > 0 ? ['--embedding-hook', 'prompt_vision'] : []),
      ...['--cache-backend', simulation.backend, '--compat', commit],
      ...['--pairs', at('pairs.jsonl'), '--log-csv', at('samples.csv')],
    ]);
    const where = `${commit} ${simulation.backend} ${simulation.name}`;
    expect([where, code, stderr]).toEqual([where, 0, '']);
    const written = await readFile(at('samples.csv'), 'utf8');
    const techniques = written.match(/\{""[^}]*kv_cache[^}]*\}/g) ?? [];
    const told = techniques.map((text) => JSON.parse(text.replaceAll('""', '"')));
    expect([where, told.map(oneLayer)]).toEqual([
      where,
      steps.map(({ statuses }) => oneLayer(statuses)),
    ]);
    const pairs = linesOf(await readFile(at('pairs.jsonl'), 'utf8'));
    const hits = steps.filter(({ hit_source }) => hit_source !== null);
    expect(
      pairs.map(({ id, from, source, score }) => [
        id,
        from,
        layerOf(source, score),
        score.toFixed(4),
      ]),
    ).toEqual(
      hits.map(({ dataset_id, hit_from, hit_source, score }) => [
        dataset_id,
        hit_from,
        layerOf(hit_source, score),
        score?.toFixed(4),
      ]),
    );
  }
});

test.each([
  [
    ['--compat', '40a46a9'],
    ['miss', 'miss'],
  ],
  [[], ['miss', 'hit']],
])('a similarity just under the threshold, with %j', async (compat, ends) => {
  // In single precision their product is 0.79999995; to six decimals it is the threshold.
  const vectors = [
    [1, 0],
    [0.79999995, Math.sqrt(1 - 0.79999995 ** 2)],
  ];
  const folder = await writeFolder({ 'rows.jsonl': jsonl([{ question: 'a' }, { question: 'b' }]) });
  const [rows, npy] = [join(folder, 'rows.jsonl'), join(folder, 'semantic.npy')];
  await writeFile(npy, npyOf(vectors));
  const order = compat.length > 0 ? all : [];
  const args = ['--data', rows, '--chunk-source', 'question', '--similarity-threshold', '0.8'];
  const study = ['--vectors', `semantic=${npy}`, '--no-sweep', '--json', ...order, ...compat];
  const { code, stdout, stderr } = await callCommand(['cache-study', ...args, ...study]);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout).hits).toBe(ends.filter((end) => end === 'hit').length);
});

const layerTexts = { semantic: 'chunk_text', prompt: 'prompt', vision: 'image_id' };
