import { beforeAll, describe, expect, test } from 'vitest';
import { buildCli } from './build-cli.ts';
import { runCli } from './run-cli.ts';

beforeAll(buildCli);

const view = (...args: string[]) => runCli(['view', ...args]);

describe('the screen', () => {
  test('string templates: the text, the request and the size', async () => {
    const { code, stdout, stderr } = await view(
      'examples/sums.yaml',
      '--dataset',
      'sums',
      '--full',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`base-model · sums · row 0 · 2 shots: train 0, 1 · GenInferencer

Sent as text  the model continues at ▮
  │ Solve the following questions.
  │ 1+1=?
  │ 2
  │ 3+9=?
  │ 12
  │ 5+6=?
  │ ▮

Request  POST http://127.0.0.1:8000/v1/completions
  {
    "model": "my-base-model",
    "prompt": "Solve the following questions.\\n1+1=?\\n2\\n3+9=?\\n12\\n5+6=?\\n",
    "max_tokens": 8,
    "stop": ["\\n"]
  }

Size  54 characters · no tokenizer given
`);
  });

  test('one dialogue on three models', async () => {
    const { code, stdout } = await view('examples/dialogue.yaml', '--all');
    expect(code).toBe(0);
    const [base, chatml, chat, ...rest] = stdout.split(/^─+$/m);
    expect(rest).toEqual([]);
    for (const screen of [base, chatml, chat]) {
      expect(screen).toContain(`
Prompt list
  SYSTEM  │ Answer with a number only.
  HUMAN   │ Mia has 3 pens and buys 9 more. How many pens has she now?
  BOT     │ 12
`);
      expect(screen).toContain('  BOT     │ ⟨answer is hidden⟩\n');
    }
    expect(base).toContain(
      '  │ Ken reads 12 pages a day. How many pages does he read in 5 days?\n  │ ▮\n',
    );
    expect(chatml).toContain('  │ <|im_start|>system\n  │ Answer with a number only.<|im_end|>\n');
    expect(chatml).toContain('  │ <|im_start|>assistant\n  │ ▮\n');
    expect(chat).toContain('Sent as 6 messages');
    expect(chat).toContain('  system     │ Answer with a number only.\n');
    expect(chat).toContain(
      '      { "role": "user", "content": "Mia has 3 pens and buys 9 more. Ho…" },',
    );
  });

  test('labels: what they share is folded', async () => {
    const { stdout } = await view('examples/choices.json', '--dataset', 'capitals', '-n');
    expect(stdout).toContain('Label A ───');
    expect(stdout).toContain('  ⋮ 10 lines same as the first label\n  │ Answer: C\n');
    expect(stdout).toContain('Request  none: models[0] has no `type`, so it cannot be asked');
    const full = await view('examples/choices.json', '--dataset', 'capitals', '-n', '--full');
    expect(full.stdout.match(/Choose the right answer/g)).toHaveLength(3);
  });

  test('--label shows one of them', async () => {
    const { stdout } = await view(
      'examples/choices.json',
      '-n',
      '--dataset',
      'reviews',
      '--label',
      'bad',
    );
    expect(stdout).toContain('  │ It is bad.\n');
    expect(stdout).not.toContain('It is good.');
  });

  test('a chat template from a TypeScript config', async () => {
    const { stdout } = await view('examples/typecase.config.ts', '--model', 'own-template');
    expect(stdout).toContain('  │ <s><|system|>\n  │ Answer with a number only.</s>\n');
    expect(stdout).toContain('  │ <|assistant|>\n  │ ▮\n');
  });

  test('Japanese is wrapped by its width', async () => {
    const { stdout } = await view('examples/japanese.yaml', '--model', 'rinna');
    const sent = stdout.slice(stdout.indexOf('Sent as'), stdout.indexOf('Request'));
    expect(sent.match(/^ {2}┊/gm)?.length).toBeGreaterThan(2);
    expect(sent).toContain('システム:␣\n  ┊ ▮');
  });

  test('compat modes are on the screen and in the text', async () => {
    const args = ['examples/sums.yaml', '-n', '--dataset', 'sums-verbose'];
    const own = await view(...args);
    const other = await view(...args, '--compat', 'opencompass');
    expect(own.stdout).toContain('  │ Answer:▮');
    expect(other.stdout).toMatch(/^base-model .* · as\sopencompass$/m);
    expect(other.stdout).toContain('  │ Answer:␣▮');
  });
});

describe('choosing', () => {
  test('without a terminal the first is taken, which is said', async () => {
    const { code, stdout, stderr } = await view('examples/choices.json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^base · capitals · row 0 \(id 1\)/);
    expect(stderr).toBe(
      'Using model base. Others (--model): chatml\nUsing dataset capitals. Others (--dataset): reviews\n',
    );
  });

  test.each([
    [
      ['--row', '1', '--row', '3'],
      ['row 1', 'row 3'],
    ],
    [
      ['--rows', '1:3'],
      ['row 1', 'row 2'],
    ],
    [['--rows', '-1:'], ['row 4']],
  ])('%j', async (args, rows) => {
    const { stdout } = await view('examples/sums.yaml', '--dataset', 'sums-verbose', ...args);
    expect(stdout.match(/^base-model · .*$/gm)?.map((line) => line.split(' · ')[2])).toEqual(rows);
    expect(stdout.match(/^note /gm)).toHaveLength(1);
  });

  test('-p narrows the datasets', async () => {
    const { stdout, stderr } = await view('examples/choices.json', '-p', 'rev*', '--model', 'base');
    expect([stdout.startsWith('base · reviews'), stderr]).toEqual([true, '']);
  });

  test.each([
    [['-p', 'x*'], 'view.no_match', 'Datasets: capitals, reviews.'],
    [['--model', 'chatlm'], 'view.unknown_model', 'Models: base, chatml.'],
    [['--dataset', 'review'], 'view.unknown_dataset', 'Did you mean `reviews`?'],
    [['-n', '--row', '3'], 'view.no_such_row', 'Rows go from 0 to 2.'],
    [['-n', '--rows', '5:'], 'view.no_such_row', 'Rows go from 0 to 2.'],
    [['-n', '--label', 'D'], 'view.unknown_label', 'Labels: A, B, C.'],
    [['-n', '--diff', 'reviewz'], 'view.unknown_other', 'Did you mean `reviews`?'],
  ])('%j is refused', async (args, errorCode, hint) => {
    const { code, stdout, stderr } = await view('examples/choices.json', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`error[${errorCode}]`);
    expect(stderr).toContain(hint);
  });
});

describe('--origins', () => {
  test('brackets where there are no colours', async () => {
    const { stdout } = await view('examples/dialogue.yaml', '--model', 'chatml', '--origins');
    expect(stdout).toContain('  │ Answer with a number only.⟦SYSTEM end: <|im_end|>⏎⟧\n');
    expect(stdout).toContain('  │ ⟪shot 1⟫⟦HUMAN begin: <|im_start|>user⏎⟧\n');
    expect(stdout).toContain('  │ ⟪row 0⟫⟦HUMAN begin: <|im_start|>user⏎⟧\n');
    expect(stdout).toContain('⟦mask: ⟨answer is hidden⟩⟧');
    expect(stdout).toContain('start of an example: 1 is train 0, 2 is train 1');
    expect(stdout).not.toContain('\u001b');
  });

  test('colours where there are', async () => {
    const args = ['view', 'examples/dialogue.yaml', '--model', 'chatml', '--origins'];
    const { stdout } = await runCli(args, { env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain('\u001b[7m shot 2 \u001b[27m\u001b[36m<|im_start|>user\u001b[39m');
    expect(stdout).toContain('\u001b[32m14\u001b[39m\u001b[36m<|im_end|>\u001b[39m');
    expect(stdout).not.toContain('⟦');
  });
});

describe('--diff', () => {
  test('two datasets side by side', async () => {
    const { code, stdout } = await view(
      'examples/sums.yaml',
      '--dataset',
      'sums',
      '--diff',
      'sums-verbose',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('sums                                     sums-verbose\n');
    expect(stdout).toContain(
      'Solve the following [-questions-].     ≠ Solve the following {+sums+}.{+',
    );
    expect(stdout).toContain('\n2                                      ≠ {+Answer: +}2\n');
  });

  test('the same dataset of another config', async () => {
    const args = [
      'examples/dialogue.yaml',
      '--model',
      'chat',
      '--diff',
      'examples/typecase.config.ts',
    ];
    const { stdout } = await view(...args);
    expect(stdout).toContain('chat · word-problems · row 0');
    expect(stdout).toContain(
      '\nAnswer with a number only.             │ Answer with a number only.\n',
    );
    expect(stdout).toContain('\n[-12-]                                 ≠\n');
  });

  test('nothing differs', async () => {
    const { stdout } = await view('examples/japanese.yaml', '-n', '--diff', 'questions-ja');
    expect(stdout).toContain('No difference.');
    expect(stdout).not.toContain('≠');
  });

  test('as JSON', async () => {
    const { stdout } = await view('examples/sums.yaml', '-n', '--diff', 'sums-verbose', '--json');
    const { comparisons } = JSON.parse(stdout);
    const { left, right, prompts } = comparisons[0];
    const side = (other: string) =>
      prompts[0].changes
        .filter(({ type }: { type: string }) => type !== other)
        .map(({ text }: { text: string }) => text)
        .join('');
    expect(side('added')).toBe(left.prompts[0].prompt.text);
    expect(side('removed')).toBe(right.prompts[0].prompt.text);
  });
});
