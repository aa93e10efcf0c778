/**
 * Rates at which chat templates turn an 11-message conversation into a prompt, side by side:
 * `npx tsx bench/chat-template.bench.ts [--json]`
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Template } from '@huggingface/jinja';
import { loadChatTemplate } from '../src/chat-template/load.ts';
import { renderChatTemplate } from '../src/chat-template/render.ts';
import { runTemplate } from '../src/chat-template/run-template.ts';
import { traceChatTemplate } from '../src/chat-template/trace.ts';
import { joinSpans } from '../src/prompt/origin.ts';

const source =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
const secondsPerWay = 2;
const batch = 200;

/** A conversation whose contents depend on the number of the run, read as from a file. */
function conversation(run: number): { role: string; content: string }[] {
  const messages = Array.from({ length: 11 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index} of run ${run}: what is ${run + index} and ${run * 7 - index}?`,
  }));
  return JSON.parse(JSON.stringify(messages));
}

/** Renderings per second; the conversations are made outside of the measured time. */
function measure(
  render: (run: number, messages: ReturnType<typeof conversation>) => string,
): number {
  let [count, elapsedMs, checksum] = [0, 0, 0];
  while (elapsedMs < secondsPerWay * 1000) {
    const conversations = Array.from({ length: batch }, (_, index) => conversation(count + index));
    const start = performance.now();
    for (const [index, messages] of conversations.entries()) {
      const text = render(count + index, messages);
      // Reading one character makes the engine put the pieces of the string together.
      checksum += text.charCodeAt(text.length >> 1);
    }
    elapsedMs += performance.now() - start;
    count += batch;
  }
  if (checksum === 0) throw new Error('nothing was rendered');
  return (count / elapsedMs) * 1000;
}

function measurePython(): number | undefined {
  const script = fileURLToPath(new URL('chat-template-jinja2.py', import.meta.url));
  for (const python of ['python3', '/usr/bin/python3']) {
    const input = JSON.stringify({ source, seconds: secondsPerWay, batch });
    const { status, stdout } = spawnSync(python, [script], { input, encoding: 'utf8' });
    if (status === 0) return Number(stdout);
  }
  return undefined;
}

const template = loadChatTemplate(source);
const parsed = new Template(source);
const library = (compiled: Template, messages: unknown) =>
  compiled.render({ messages, add_generation_prompt: true });

const sample = conversation(1);
const input = { messages: sample, addGenerationPrompt: true };
if (renderChatTemplate(template, input) !== library(parsed, sample)) {
  throw new Error('the ways do not agree');
}

const rates: Record<string, number | undefined> = {
  '@huggingface/jinja, from source': measure((_, messages) =>
    library(new Template(source), messages),
  ),
  '@huggingface/jinja, parsed once': measure((_, messages) => library(parsed, messages)),
  "Python's jinja2, compiled once": measurePython(),
  'typecase, from source': measure((_, messages) =>
    renderChatTemplate(loadChatTemplate(source), { messages, addGenerationPrompt: true }),
  ),
  'typecase, loaded once, interpreted': measure((_, messages) =>
    runTemplate(template, { messages, addGenerationPrompt: true }).join(''),
  ),
  'typecase, loaded once': measure((_, messages) =>
    renderChatTemplate(template, { messages, addGenerationPrompt: true }),
  ),
  'typecase, loaded once, traced': measure((run, messages) => {
    const origin = { type: 'literal', at: { path: [run], start: 0 } } as const;
    const traced = messages.map(({ role, content }) => ({
      role,
      spans: [{ text: content, origin }],
    }));
    return joinSpans(traceChatTemplate(template, { messages: traced, addGenerationPrompt: true }));
  }),
};

const floor = rates['@huggingface/jinja, from source'] ?? Number.NaN;
const python = rates["Python's jinja2, compiled once"];
const results = Object.entries(rates).map(([way, rate]) => ({
  way,
  perSecond: rate === undefined ? null : Math.round(rate),
  timesLibraryFromSource: rate === undefined ? null : rate / floor,
  timesPython: rate === undefined || python === undefined ? null : rate / python,
}));

if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));
else {
  const format = (value: number | null) => (value === null ? '–' : value.toFixed(1));
  console.log(
    `${'way'.padEnd(36)}${'per second'.padStart(12)}${'× library'.padStart(12)}${'× Python'.padStart(12)}`,
  );
  for (const { way, perSecond, timesLibraryFromSource, timesPython } of results) {
    const ratios = [timesLibraryFromSource, timesPython].map((ratio) => format(ratio).padStart(12));
    console.log(way.padEnd(36) + String(perSecond ?? '–').padStart(12) + ratios.join(''));
  }
}
