import { type ModelFlags, spellNamedModel } from '../../config/flags.ts';

/**
 * The models of the command line in the spelling of configs. Results are kept by names, so those that
 * would have the same one are called by where they are.
 */
export function spellModels(flags: ModelFlags, models: readonly string[]) {
  const spelled = models.map((model) => spellNamedModel(flags, model));
  const names = spelled.map(({ abbr }) => abbr);
  return models.map((model, index) => {
    const isShared = names.filter((name) => name === names[index]).length > 1;
    return { ...spelled[index], ...(isShared && { abbr: placeOf(model) }) };
  });
}

/** A folder as it was given; of an address neither a password nor parameters. */
function placeOf(model: string): string {
  if (!/^https?:/i.test(model)) return model;
  const { host, pathname } = new URL(model);
  return `${host}${pathname}`;
}
