import { standAlonePage } from '../../../api/stand-alone-page.ts';
import { version } from '../../../base/version.ts';
import { snapshotOfStudy } from '../../../report/snapshot/single-page.ts';
import type { StudyPage } from '../../../report/snapshot/study-page.ts';
import { studyText } from '../../../report/snapshot/study-text.ts';

/** A study as one page that stands alone. */
export function pageOfStudy(study: StudyPage): Promise<string> {
  return standAlonePage(snapshotOfStudy(study, version), studyText(study));
}
