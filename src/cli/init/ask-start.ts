import { isCancel, select, text } from '@clack/prompts';
import { Cancelled } from '../../terminal/cancelled.ts';
import { defaultStart, type Start } from './start-files.ts';

/** Asks for what was not given. */
export async function askStart(given: Partial<Start>): Promise<Start> {
  return {
    format: given.format ?? (await askFormat()),
    model: given.model ?? (await askText('Model endpoint', defaultStart.model)),
    modelName: given.modelName ?? (await askText('Model name', defaultStart.modelName)),
  };
}

async function askFormat(): Promise<Start['format']> {
  const answer = await select<Start['format']>({
    message: 'Config format',
    options: [
      { value: 'yaml', label: 'YAML' },
      { value: 'ts', label: 'TypeScript' },
    ],
  });
  if (isCancel(answer)) throw new Cancelled();
  return answer;
}

async function askText(message: string, usual: string): Promise<string> {
  const answer = await text({ message, defaultValue: usual, placeholder: usual });
  if (isCancel(answer)) throw new Cancelled();
  return answer;
}
