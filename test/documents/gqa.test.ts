import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileTemplate, defaultTemplate } from '../../src/suites/gqa/prompts/prompt-template.ts';
import { buildCli, root } from '../integration/build-cli.ts';
import { runCli, writeFolder } from '../integration/run-cli.ts';

beforeAll(buildCli);

const data = 'examples/gqa/samples.jsonl';

/** Commands of a page, each with the output that stands below it. */
async function documented(page: string): Promise<[command: string, output: string][]> {
  const text = await readFile(join(root, 'docs', page), 'utf8');
  const blocks = text.matchAll(
    /```sh\n(typecase (?:(?!```)[\s\S])*?)\n```\n\n```text\n([\s\S]*?)```/g,
  );
  return Array.from(blocks, ([, command = '', output = '']) => [command, output]);
}

/** The words of a command line, of which some may be quoted. */
function wordsOf(command: string): string[] {
  return Array.from(
    command.matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, word]) => quoted ?? word ?? '',
  );
}

describe.each([
  ['suites/gqa.md', 8],
  ['reference/prompt-and-chunk-text.md', 2],
  ['reference/cache-study.md', 1],
])('%s', async (page, count) => {
  const commands = await documented(page);

  test(`has ${count} commands with their output`, () => {
    expect(commands).toHaveLength(count);
  });

  test.each(commands)('%s', async (command, output) => {
    const { code, stdout, stderr } = await runCli(wordsOf(command).slice(1));
    expect(stderr).toBe('');
    expect(stdout.trimEnd()).toBe(output.trimEnd());
    expect(code).toBe(0);
  });
});

/** The sample of document 003, and what the document shows for it. */
describe('document 003', () => {
  const sample = {
    id: 'sample_001',
    imageId: '2407890',
    question: 'What color is the car?',
    answer: 'red',
    fullAnswer: 'The car is red.',
    groups: { global: 'vehicles', local: 'cars' },
    semantic: [
      { operation: 'query', argument: 'color' },
      { operation: 'filter', argument: 'car' },
    ],
  };

  test.each([
    [
      defaultTemplate,
      'You are assisting with the GQA benchmark. Answer the question based on the referenced image.\nImage ID: 2407890\nQuestion: What color is the car?\nAnswer:',
    ],
    ['Q: {question}\nA:', 'Q: What color is the car?\nA:'],
    [
      'Question: {question}\nSemantic: {semantic_program}\nAnswer:',
      'Question: What color is the car?\nSemantic: query:color | filter:car\nAnswer:',
    ],
    [
      'Category: {global_group} / {local_group}\nQuestion: {question}\nAnswer:',
      'Category: vehicles / cars\nQuestion: What color is the car?\nAnswer:',
    ],
    ['{question}', 'What color is the car?'],
  ])('%s', (template, expected) => {
    expect(compileTemplate(template)(sample)).toBe(expected);
  });
});

describe('typecase gqa', () => {
  test('writes rows that typecase run and view take', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typecase-gqa-'));
    afterAll(() => rm(folder, { recursive: true }));
    const out = join(folder, 'prompts.jsonl');
    const images = ['--image-root', 'examples/gqa/images'];
    const { stdout, stderr } = await runCli(['gqa', '--data', data, ...images, '--out', out]);
    expect([stdout, stderr]).toEqual([
      `8 prompts written to ${out}\n`,
      '2 of 8 images were not found under examples/gqa/images.\n',
    ]);
    const rows = (await readFile(out, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows[0]).toMatchObject({ dataset_id: 'sample_001', answer: 'red', row: 0 });
    expect(rows[4].image).toBeNull();
    const plan = await runCli(
      [
        'plan',
        out,
        '--model',
        'http://127.0.0.1:9/v1',
        '--model-name',
        'm',
        '--template',
        '{prompt}',
        '--output-column',
        'answer',
        '--json',
      ],
      { cwd: folder },
    );
    expect(JSON.parse(plan.stdout).total).toMatchObject({ rows: 8, distinct: 7 });
  });

  test('sends the image with the prompt', async () => {
    const written = await readFile(join(root, 'examples/gqa/prompts.jsonl'), 'utf8');
    const args = ['--data', data, '--image-root', 'examples/gqa/images', '--limit', '4', '--json'];
    const { stdout } = await runCli(['gqa', ...args]);
    expect(written.replaceAll('"images/', '"examples/gqa/images/')).toBe(stdout);
    const view = await runCli(['view', 'examples/gqa/run.yaml', '--json']);
    expect(view.stdout).toContain('"image_url"');
  });

  test.each([
    [
      ['--dataset', 'llava', '--data', 'examples/gqa/llava.json'],
      ['What is the man doing?', 'How many boats are there?'],
      [null, null],
    ],
    [
      [
        '--dataset',
        'video',
        '--data',
        'examples/gqa/frames.json',
        '--image-root',
        'examples/gqa/frames',
      ],
      ['What is in this frame?', 'What is in this frame?'],
      [
        'examples/gqa/frames/open_jar/output_0001.png',
        'examples/gqa/frames/open_jar/output_0002.png',
      ],
    ],
  ])('%j', async (args, questions, images) => {
    const { stdout } = await runCli(['gqa', ...args, '--json']);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ question }) => question)).toEqual(questions);
    expect(rows.map(({ image }) => image)).toEqual(images);
  });

  test('compat: the first 128 after a shuffle, and no line breaks', async () => {
    const folder = await writeFolder({
      'rows.jsonl': Array.from({ length: 200 }, (_, id) =>
        JSON.stringify({ id, question: 'Q' }),
      ).join('\n'),
    });
    const args = [
      '--data',
      join(folder, 'rows.jsonl'),
      '--prompt-template',
      '{question}\\n{nothing}',
      '--json',
    ];
    const { stdout } = await runCli(['gqa', ...args, '--compat', '40a46a9']);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(128);
    expect(rows[0]).toMatchObject({ prompt: 'Q\\n' });
    expect(rows.map(({ row }) => row)).not.toEqual(rows.map((_, index) => index));
  });

  test('five prompts are shown, and marks for images are put before them', async () => {
    const { stdout } = await runCli(['gqa', '--dataset', 'synthetic', '--image-placeholder']);
    expect(stdout.match(/│ <\|vision_start\|><\|image_pad\|><\|vision_end\|>\n/g)).toHaveLength(5);
    expect(stdout).toMatch(/There are more: `--limit N`/);
  });

  test('commands of the original', async () => {
    const { stdout } = await runCli(['gqa', '--spec', 'examples/gqa/spec.json', '--emit-commands']);
    expect(
      stdout.match(/^rm -rf .* python experiment2\/run_benchmark\.py --experiment-name /gm),
    ).toHaveLength(3);
  });

  const spec = (text: string) => ({ 'spec.json': `{\n  "experiments": [\n    ${text}\n  ]\n}` });
  test.each([
    [
      ['--dataset', 'synthetic', '--prompt-template', '{quesion}'],
      {},
      ['gqa.unknown_variable', '`{question}`'],
    ],
    [['--dataset', 'synthetic', '--preset', 'qwen'], {}, ['gqa.unknown_preset', '`qwen3-vl-2b`']],
    [['--dataset', 'synthetc'], {}, ['config.unknown_value', '`synthetic`']],
    [['--dataset', 'synthetic', '--experiment', 'a'], {}, ['gqa.unknown_experiment']],
    [
      ['--spec', 'spec.json'],
      spec('{ "name": "a", "promt_template": "" }'),
      ['config.unknown_key', '`prompt_template`', 'spec.json:3:20'],
    ],
    [
      ['--spec', 'spec.json'],
      spec('{ "name": "a", "prompt_template": "{answr}" }'),
      ['gqa.unknown_variable', '`{answer}`', 'spec.json:3:39'],
    ],
    [
      ['--spec', 'spec.json'],
      spec('{ "name": "a", "preset": "internvl" }'),
      ['gqa.unknown_preset', '`internvl3.5-2b`', 'spec.json:3:30'],
    ],
    [
      ['--spec', 'spec.json'],
      spec('{ "name": "a", "embedding_layers": ["promt"] }'),
      ['gqa.bad_embedding_layer', '`prompt:384:0.85`', 'spec.json:3:41'],
    ],
    [
      ['--spec', 'spec.json'],
      spec('{ "name": "a", "dataset": "synthetic", "image_root": "spec" }'),
      ['gqa.no_image_root', 'spec.json:3:58'],
    ],
    [
      ['--spec', 'spec.json', '--experiment', 'al'],
      spec('{ "name": "all" }'),
      ['gqa.unknown_experiment', '`all`'],
    ],
    [['--spec', 'spec.json'], spec('{ "name": "a" "b": 1 }'), ['config.syntax', 'spec.json:3:19']],
    [['--spec', 'spce.json'], {}, ['config.not_found']],
    [
      ['--spec', 'spec.json', '--compat', '40a46a9'],
      spec('{ "name": "a" }'),
      ['compat.type_error'],
    ],
  ])('%j is refused', async (args, files, texts) => {
    const cwd = await writeFolder(files);
    const { code, stderr } = await runCli(['gqa', ...args], { cwd });
    expect(code).toBe(2);
    for (const text of texts) expect(stderr).toContain(text);
  });
});
