import { accessText } from './text/access.ts';
import { activityText } from './text/activity.ts';
import { auditText } from './text/audit.ts';
import { bulkText } from './text/bulk.ts';
import { companionText } from './text/companions.ts';
import { checksText } from './text/checks.ts';
import { connectionText } from './text/connections.ts';
import { dataText } from './text/data.ts';
import { conflictText } from './text/conflict.ts';
import { draftText } from './text/drafts.ts';
import { eraseText } from './text/erase.ts';
import { exportText } from './text/export.ts';
import { filterText } from './text/filters.ts';
import { frameText } from './text/frame.ts';
import { fixesText } from './text/fixes.ts';
import { guideText } from './text/guide.ts';
import { historyText } from './text/history.ts';
import { inspectorText } from './text/inspector.ts';
import { logText } from './text/log.ts';
import { overviewText } from './text/overview.ts';
import { packageText } from './text/packages.ts';
import { patchText } from './text/patch.ts';
import { patientText } from './text/patient.ts';
import { peopleText } from './text/people.ts';
import { practiceText } from './text/practice.ts';
import { qualityText } from './text/quality.ts';
import { readingText } from './text/reading.ts';
import { recordText } from './text/record.ts';
import { reviewText } from './text/review.ts';
import { searchText } from './text/search.ts';
import { settingsText } from './text/settings.ts';
import { timelineText } from './text/timeline.ts';
import { trustText } from './text/trust.ts';

/** All text of the interface, a file for each feature. Neutral and short: what happened, and what can be done. */
export const text = {
  ...frameText,
  ...overviewText,
  ...searchText,
  ...exportText,
  ...filterText,
  ...fixesText,
  ...practiceText,
  ...guideText,
  ...qualityText,
  ...checksText,
  ...bulkText,
  ...readingText,
  ...timelineText,
  ...patientText,
  ...peopleText,
  ...recordText,
  ...reviewText,
  ...conflictText,
  ...draftText,
  ...eraseText,
  ...patchText,
  ...inspectorText,
  ...logText,
  ...activityText,
  ...auditText,
  ...accessText,
  ...settingsText,
  ...trustText,
  ...historyText,
  ...dataText,
  ...connectionText,
  ...companionText,
  ...packageText,
} as const;
