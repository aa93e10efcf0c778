import { Command } from 'commander';
import { parseArguments } from '../../../terminal/parse-arguments.ts';
import { addFamilyOptions, type FamilyOptions } from '../family-options.ts';

export interface GqaOptions extends FamilyOptions {
  readonly imagePlaceholder?: boolean;
  readonly emitCommands?: boolean;
  readonly out?: string;
}

/** Reads the arguments of `typecase gqa`, or prints the help and gives undefined. */
export function parseGqaOptions(args: readonly string[]): GqaOptions | undefined {
  const command = addFamilyOptions(new Command('typecase gqa'))
    .description('Makes the prompts and chunk texts of a dataset of the GQA family.')
    .option('--image-placeholder', "put the model's mark for an image before prompts without one")
    .option('--emit-commands', "print the original program's command for each experiment")
    .option('--out <file>', 'write the prompts as JSONL')
    .option('--json', 'print the prompts as JSONL');
  return parseArguments(command, args)?.opts();
}
