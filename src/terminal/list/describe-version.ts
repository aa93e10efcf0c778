import type { TemplateVersion } from '../../tasks/version-stamp.ts';

/** A version of a template for lists: its hash, whom it is for, and where it comes from. */
export function describeVersion(template: TemplateVersion, name: string) {
  const { task, version, dialect, hash, models, remark, reference } = template;
  const facts = [hash, models && `for ${models}`, remark, ...reference].filter(Boolean);
  return {
    ...{ name, summary: facts.join(' · '), task, version, hash },
    ...(dialect !== undefined && { dialect }),
    ...(models !== undefined && { models }),
    ...(remark !== undefined && { remark }),
    ...(reference.length > 0 && { reference }),
  };
}
