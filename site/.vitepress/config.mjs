import { posix } from 'node:path';
import { defineConfig } from 'vitepress';

const page = (text, link) => ({ text, link });
const group = (text, items, collapsed = false) => ({ text, collapsed, items });

const guides = [
  page('Write a template', '/guides/write-a-template'),
  page('Show examples', '/guides/few-shot'),
  page('Choose a template', '/guides/choose-a-template'),
  page('Let a model judge', '/guides/judge-answers'),
  page('Evaluate a dialogue', '/guides/dialogues'),
  page('Images, audio, video', '/guides/media'),
  page('Run a local model', '/guides/local-model'),
  page('Run it in CI', '/guides/ci'),
  page('Compare models honestly', '/guides/compare-models'),
  page('Large runs', '/guides/large-runs'),
  page('Several machines', '/guides/cluster'),
  page('Use it as a library', '/guides/library'),
];

const reference = [
  group('Generated', [
    page('Config', '/reference/config'),
    page('Commands', '/reference/cli'),
    page('Library', '/reference/library'),
    page('Error codes', '/reference/errors'),
  ]),
  group('Prompts', [
    page('Templates', '/reference/templates'),
    page('Model formats', '/reference/formats'),
    page('Examples', '/reference/examples'),
    page('Dialogues', '/reference/dialogues'),
    page('Media', '/reference/media'),
    page('Tasks and versions', '/reference/template-versions'),
    page('Compat modes', '/reference/compat'),
  ], true),
  group('Data and models', [
    page('Data', '/reference/data'),
    page('Models', '/reference/models'),
    page('Functions and tools', '/reference/functions'),
    page('Local models', '/reference/local-models'),
    page('Serving models', '/reference/serve-model'),
    page('Loglikelihood', '/reference/loglikelihood'),
  ], true),
  group('Scores', [
    page('Scoring', '/reference/scoring'),
    page('Metrics', '/reference/metrics'),
    page('Checks', '/reference/checks'),
    page('Judges', '/reference/judges'),
    page('Code checks', '/reference/code-checks'),
    page('Statistics', '/reference/statistics'),
  ], true),
  group('Commands in depth', [
    page('run', '/reference/run'),
    page('view', '/reference/view'),
    page('sweep', '/reference/sweep'),
    page('compare', '/reference/compare'),
    page('serve', '/reference/serve'),
    page('report', '/reference/report'),
    page('leaderboard', '/reference/leaderboard'),
    page('Where a number comes from', '/reference/provenance'),
    page('Several machines', '/reference/scaling'),
  ], true),
  group('Caches', [
    page('Prefix caches', '/reference/prefix-cache'),
    page('Cache study', '/reference/cache-study'),
    page('Prompt and chunk text', '/reference/prompt-and-chunk-text'),
  ], true),
  group('Suites', [
    page('Japanese financial tasks', '/suites/japanese-financial'),
    page('Their command', '/suites/lm-eval'),
    page('GQA', '/suites/gqa'),
  ], true),
];

/** Pages that explain come before those that list. */
function boostPage(id) {
  if (/\/(?:guides|getting-started|concepts|troubleshooting|faq)/.test(id)) return 3;
  return /\/(?:library\/|errors|cli)/.test(id) ? 0.3 : 1;
}

/** Anchors as GitHub makes them, where the pages are read too. */
function slugify(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Links to files outside of docs/ work in a clone; here only their text is left. */
function unlinkOutside(state) {
  for (const { children } of state.tokens) {
    let isOutside = false;
    for (const token of children ?? []) {
      if (token.type === 'link_open') isOutside = leadsOutside(token.attrGet('href'), state.env);
      else if (token.type !== 'link_close') continue;
      if (isOutside) Object.assign(token, { type: 'html_inline', content: '' });
    }
  }
}

function leadsOutside(link, { relativePath }) {
  if (/^(?:\w+:|#)/.test(link)) return false;
  return posix.normalize(posix.join(posix.dirname(relativePath), link)).startsWith('..');
}

export default defineConfig({
  title: 'Typecase',
  description: 'An evaluation harness for language models that treats the prompt as the thing under test',
  lang: 'en-US',
  srcDir: 'pages',
  cleanUrls: false,
  lastUpdated: false,
  // `{…}` and `{{` in texts are placeholders of prompts, neither attributes nor templates of Vue.
  markdown: {
    attrs: { disable: true },
    anchor: { slugify },
    config({ core, renderer: { rules } }) {
      core.ruler.push('unlink-outside', unlinkOutside);
      for (const name of ['text', 'code_inline']) {
        const render = rules[name];
        rules[name] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
      }
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument: boostPage } } },
    },
    outline: { level: [2, 3] },
    nav: [
      page('Get started', '/getting-started'),
      page('Guides', '/guides/write-a-template'),
      page('Reference', '/reference/config'),
      page('Help', '/troubleshooting'),
    ],
    sidebar: [
      group('Start', [
        page('Overview', '/'),
        page('Getting started', '/getting-started'),
        page('Concepts', '/concepts'),
        page('What the numbers mean', '/what-the-numbers-mean'),
        page('Glossary', '/glossary'),
      ]),
      group('Guides', guides),
      { text: 'Reference', collapsed: false, items: reference },
      group('Coming from another tool', [
        page('OpenCompass', '/migrate/opencompass'),
        page('AISBench', '/migrate/aisbench'),
        page('lm-evaluation-harness', '/migrate/lm-eval'),
        page('promptfoo', '/migrate/promptfoo'),
        page('Open their results', '/migrate/open-results'),
      ]),
      group('Help', [
        page('Troubleshooting', '/troubleshooting'),
        page('FAQ', '/faq'),
        page('Performance', '/performance'),
      ]),
    ],
  },
});
