import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from '../web/curl.ts';

const body = { messages: [{ role: 'user', content: "it's $HOME `id` \\ \n「はい」" }] };

/** The words that a shell makes of a command, and what it is given to read. */
function wordsOf(command: string): { words: string[]; input: string } {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; case "$*" in *"@-"*) cat;; esac; }\n${command}`;
  const output = execFileSync('sh', [], {
    input: script,
    encoding: 'utf8',
    env: { API_KEY: 'k', PATH: process.env.PATH },
  });
  const words = output.split('\0');
  return { words, input: words.pop() ?? '' };
}

test('a copied command sends the request, whatever is in it', () => {
  const url = "http://127.0.0.1:9/v1/chat?name='$(touch hacked)'";
  const { words } = wordsOf(curlOf({ url, body }, false) ?? '');
  expect(words[0]).toBe(url);
  expect(words).toContain('authorization: Bearer k');
  expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(body);
});

test('a long one is no argument, for which shells have too little room', () => {
  const long = { prompt: `${'long '.repeat(60_000)}'END'` };
  const { words, input } = wordsOf(curlOf({ url: 'http://127.0.0.1:9', body: long }, false) ?? '');
  expect(Math.max(...words.map((word) => word.length))).toBeLessThan(1000);
  expect(JSON.parse(input)).toEqual(long);
});

test('there is none of a request of which a part is not known', () => {
  expect(curlOf({ url: 'http://127.0.0.1:9', body }, true)).toBeUndefined();
  expect(curlOf({ body }, false)).toBeUndefined();
  const hidden = { image: 'data:image/png;base64,… (96 characters, sha256 0123456789abcdef)' };
  expect(curlOf({ url: 'http://127.0.0.1:9', body: hidden }, false)).toBeUndefined();
});
