import { keyedRandom } from '../src/base/keyed-random.ts';
import { PrefixCache, plannedCacheTokens } from '../src/study/prefix-cache/prefix-cache.ts';
import { requestReader } from '../src/study/prefix-cache/request-tokens.ts';

/** What `plan` adds to find shared prefixes, against the least that reads every byte: a sum of them. */

const prompts = Number(process.env.PROMPTS ?? 200_000);
const documents = 20_000;
const random = keyedRandom(1, 'prefix-cache');
const words = 'river mill text wheel stone barge lock school music answer'.split(' ');
const text = (count: number) =>
  Array.from({ length: count }, () => words[random.below(words.length)]).join(' ');
const texts = Array.from({ length: documents }, () => text(120));
const asked = Array.from(
  { length: prompts },
  (_, index) =>
    `Read the text and answer.\n${texts[random.below(documents)]}\n${text(20)} ${index}`,
);

function timed(work: () => number): { readonly seconds: number; readonly result: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, result };
}

const bytes = Buffer.alloc(2 ** 16);
const floor = timed(() => {
  let sum = 0;
  for (const prompt of asked) {
    const length = bytes.write(prompt);
    for (let index = 0; index < length; index++) sum = (sum + (bytes[index] as number)) | 0;
  }
  return sum;
});
const memory = process.memoryUsage().rss;
const cache = new PrefixCache({ size: plannedCacheTokens });
const read = requestReader({});
const found = timed(() => {
  for (const prompt of asked) cache.send(read({ type: 'text', text: prompt }));
  return cache.savings.saved;
});
const megabytes = (process.memoryUsage().rss - memory) / 2 ** 20;
const { tokens, saved } = cache.savings;
console.log(
  `${prompts} prompts, ${tokens} tokens, ${((saved / tokens) * 100).toFixed(1)}% saved: ${found.seconds.toFixed(2)} s, ${(found.seconds / floor.seconds).toFixed(1)} × a sum of the bytes, ${megabytes.toFixed(0)} MB more`,
);
