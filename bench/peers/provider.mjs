import { answer } from './answer.mjs';

/** The function as promptfoo takes it. */
// biome-ignore lint/style/noDefaultExport: promptfoo wants one
export default class {
  id() {
    return 'answer';
  }

  async callApi(prompt) {
    return { output: await answer(prompt) };
  }
}
