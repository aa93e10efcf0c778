import { hideBase64In } from '../../base/hidden-text.ts';
import type { ShownRow } from '../../study/show/shown-row.ts';
import { jsonView } from './json-view.ts';

/** All that is known of a row, for machines. */
export function jsonRow({ asked, ...shown }: ShownRow) {
  return {
    ...shown,
    ...(asked.type === 'made'
      ? {
          row: hideBase64In(asked.row),
          gold: asked.gold,
          prompt: hideBase64In(jsonView(asked.view)),
        }
      : { prompt: null, reason: asked.reason }),
  };
}
