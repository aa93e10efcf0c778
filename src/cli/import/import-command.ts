import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { UsageError } from '../../base/usage-error.ts';
import { findRoot } from '../../import/find-root.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';

interface ImportOptions {
  readonly values?: boolean;
  readonly digests?: boolean;
  readonly root?: string;
  readonly check?: boolean;
  readonly out?: string;
  readonly data?: readonly string[];
  readonly dataDir?: string;
  readonly baseUrl?: string;
  readonly judgeUrl?: string;
  readonly env?: readonly string[];
}

/** `typecase import`: reads the config of another system, without running it. */
export async function runImport(args: readonly string[]): Promise<number> {
  const parsed = parseArguments(describeImport(), args);
  if (!parsed) return 0;
  const [first, ...rest] = parsed.processedArgs.flat() as string[];
  const options = parsed.opts<ImportOptions>();
  if (options.digests) return printDigests(first ?? '', rest);
  if (rest.length > 0) {
    throw new UsageError('usage.conflicting_options', 'Only one config can be read at a time', {
      hint: 'Only --digests takes folders.',
    });
  }
  if (options.values) return printValues(first ?? '', options);
  return writeConfig(first ?? '', options);
}

export function describeImport(): Command {
  return addExamples(
    new Command('typecase import')
      .description(
        'Converts a Python config of OpenCompass or AISBench (without running it), or a promptfooconfig.',
      )
      .argument(
        '<config>',
        '.py file or promptfooconfig.yaml; with --digests, the root folder of a source tree',
      )
      .argument('[folders...]', 'with --digests: folders to read, relative to the root')
      .option('--values', 'print the values of the config as canonical JSON')
      .option('--digests', 'print one line of JSON for each Python config of the tree')
      .option('--out <file>', 'write the native config to a file instead of printing it')
      .option(
        '--check',
        'compare the prompts of both configs on sample rows; exit 1 if they differ',
      )
      .option('--data <abbr=file>', 'rows of a dataset, or FILE for all; repeatable', collect)
      .option('--data-dir <folder>', "folder in OpenCompass's data/ layout")
      .option('--base-url <address>', 'endpoint for models that name none')
      .option('--judge-url <address>', 'endpoint for judges that name none')
      .option('--env <name>', 'environment variable that the config may read; repeatable', collect)
      .option('--root <folder>', 'source tree of the config; nothing outside it is read'),
    [
      ['convert an OpenCompass config', 'typecase import configs/eval_demo.py --out eval.yaml'],
      [
        'check that the prompts are the same',
        'typecase import configs/eval_demo.py --check --data rows.jsonl',
      ],
      ['convert a promptfoo config', 'typecase import promptfooconfig.yaml --out eval.yaml'],
    ],
  );
}

async function printDigests(root: string, folders: readonly string[]): Promise<number> {
  if (!existsSync(root) || !statSync(root).isDirectory()) {
    throw new UsageError('import.no_folder', `${root} is not a folder`, {
      hint: 'Give the root of the tree, then folders inside it.',
    });
  }
  const missing = folders.find((folder) => !existsSync(join(root, folder)));
  if (missing !== undefined) {
    throw new UsageError('import.no_folder', `${missing} not found in ${root}`, {
      hint: 'Folders are relative to the root.',
    });
  }
  const { digestTree } = await import('../../import/digest-tree.ts');
  const digests = await digestTree(resolve(root), folders.length === 0 ? ['.'] : folders);
  for (const digest of digests) process.stdout.write(`${JSON.stringify(digest)}\n`);
  return 0;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Writes the native config that gives the same prompts. */
async function writeConfig(config: string, options: ImportOptions): Promise<number> {
  const { promptfooFile } = await import('../../config/load-config.ts');
  if (promptfooFile.test(config)) {
    const { writePromptfoo } = await import('../../import/promptfoo/write-promptfoo.ts');
    return printText(await writePromptfoo(config, options.check), options);
  }
  const { readForeignOptions, readNative } = await import('../../import/foreign-arguments.ts');
  const { writeNative } = await import('../../import/write-native.ts');
  const native = await readNative(config, readForeignOptions({ ...options, approximate: true }));
  const text = writeNative(native, config);
  if (options.check) {
    const { checkPrompts } = await import('../../import/check-prompts.ts');
    const { equal, all, differences } = await checkPrompts(native, text);
    for (const line of differences) process.stderr.write(`${line}\n`);
    process.stdout.write(`Prompts are identical for ${equal} of ${all} datasets.\n`);
    return equal === all ? 0 : 1;
  }
  return printText(text, options);
}

async function printText(text: string, { out }: ImportOptions): Promise<number> {
  if (out === undefined) process.stdout.write(text);
  else await writeFile(out, text);
  return 0;
}

async function printValues(config: string, { root }: ImportOptions): Promise<number> {
  const place = findRoot(config, root);
  const { readValues } = await import('../../import/read-values.ts');
  process.stdout.write(await readValues(place));
  return 0;
}
