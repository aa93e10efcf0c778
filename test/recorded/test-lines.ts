import { afterAll, expect, test } from 'vitest';
import { isRecording, plain, readLines, short, writeLines } from './lines.ts';

type Find<Input> = (input: Input) => Promise<unknown> | unknown;

/**
 * Compares what comes of the inputs of a file with what the file says. A change that is meant is
 * written into it with `TYPECASE_RECORD=1 npx vitest run --project unit test/recorded`.
 */
export function testLines<Input>(name: string, find: Find<Input>): void {
  const lines = readLines<Input>(name);
  const found: [Input, unknown][] = [];
  test.each(
    lines.map(({ input, is }, index) => ({
      title: `${index + 1}: ${JSON.stringify(input).slice(0, 60)}`,
      input,
      is,
    })),
  )('$title', async ({ input, is }) => {
    const got = plain(await find(input)) ?? null;
    if (isRecording) found.push([input, got]);
    else expect(got).toEqual(is);
  });
  afterAll(() => {
    if (isRecording && found.length === lines.length) writeLines(name, found);
  });
}

/** The same for files whose results are long: the longest are kept as digests. */
export function testShort<Input>(name: string, find: Find<Input>): void {
  testLines<Input>(name, async (input) => short(plain(await find(input))));
}
