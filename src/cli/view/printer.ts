import { displayPath, jsonLocation } from '../../base/display-path.ts';
import type { TypecaseError } from '../../errors.ts';
import type { PromptView } from '../../study/view/prompt-view.ts';
import { writeJson } from '../../terminal/output.ts';
import type {
  ComparedPromptsOutput,
  FailedPromptOutput,
  PromptOutput,
} from '../../terminal/output-types.ts';
import { formatError } from '../../terminal/report-error.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import { showControls } from '../../terminal/text/show-controls.ts';
import { jsonView } from '../../terminal/view/json-view.ts';
import { renderView } from '../../terminal/view/render-view.ts';
import type { Selected } from './opened-view.ts';
import { type Comparison, jsonDiff, renderDiff } from './render-diff.ts';
import type { ViewOptions } from './view-options.ts';

/** Writes what is shown, as text or as one JSON document. */
export interface Printer {
  view(view: PromptView, isFirstOfPair: boolean): void;
  comparison(comparison: Comparison): void;
  /** One of several pairs cannot be shown. */
  failure(pair: FailedPair): void;
  end(): void | Promise<void>;
}

interface FailedPair extends Selected {
  readonly error: TypecaseError;
}

export function createPrinter(options: ViewOptions): Printer {
  return options.json ? jsonPrinter(options) : textPrinter(options);
}

function textPrinter({ origins, full, tokens }: ViewOptions): Printer {
  const terminal = describeTerminal(process.stdout);
  const rule = terminal.colors.dim('─'.repeat(terminal.width));
  let isFirst = true;
  const print = (lines: readonly string[]) => {
    process.stdout.write(`${isFirst ? '' : `\n${rule}\n`}${lines.join('\n')}\n`);
    isFirst = false;
  };
  return {
    view: (view, isFirstOfPair) =>
      print(
        renderView({ view, terminal, origins, full, tokens, withTemplateRemarks: isFirstOfPair }),
      ),
    comparison: (comparison) => print(renderDiff(comparison, terminal)),
    failure: ({ model, dataset, error }) => {
      process.stderr.write(`${showControls(`${model ?? 'no model'} · ${dataset}`)}\n`);
      process.stderr.write(`${formatError(error, describeTerminal(process.stderr))}\n`);
    },
    end: () => undefined,
  };
}

function jsonPrinter({ source, diff }: ViewOptions): Printer {
  const entries: (PromptOutput | ComparedPromptsOutput | FailedPromptOutput)[] = [];
  return {
    view: (view) => entries.push(jsonView(view)),
    comparison: (comparison) => {
      const { left, right, names } = comparison;
      entries.push({
        left: { name: names[0], ...jsonView(left) },
        right: { name: names[1], ...jsonView(right) },
        prompts: jsonDiff(comparison),
      });
    },
    failure: ({ model, dataset, error }) => {
      const { code, message, hint, at } = error;
      entries.push({
        model: model ?? null,
        dataset,
        error: { code, message, hint: hint ?? null, at: at ? jsonLocation(at) : null },
      });
    },
    end: () => {
      const name = diff === undefined ? 'views' : 'comparisons';
      writeJson('view', { config: displayPath(source), [name]: entries }, 2);
    },
  };
}
