import { access } from './text/access.ts';
import { activity } from './text/activity.ts';
import { audit } from './text/audit.ts';
import { batches } from './text/batches.ts';
import { bulk } from './text/bulk.ts';
import { supportingResourceText } from './text/companions.ts';
import { changes } from './text/changes.ts';
import { checks } from './text/checks.ts';
import { connectionText } from './text/connections.ts';
import { data } from './text/data.ts';
import { conflict } from './text/conflict.ts';
import { drafts } from './text/drafts.ts';
import { erase } from './text/erase.ts';
import { exportText } from './text/export.ts';
import { filters } from './text/filters.ts';
import { frameText } from './text/frame.ts';
import { fixes } from './text/fixes.ts';
import { guide } from './text/guide.ts';
import { history } from './text/history.ts';
import { inspectorText } from './text/inspector.ts';
import { log } from './text/log.ts';
import { overview } from './text/overview.ts';
import { packageText } from './text/packages.ts';
import { patch } from './text/patch.ts';
import { patient } from './text/patient.ts';
import { peopleText } from './text/people.ts';
import { practice } from './text/practice.ts';
import { quality } from './text/quality.ts';
import { readingText } from './text/reading.ts';
import { record } from './text/record.ts';
import { reviewText } from './text/review.ts';
import { searchText } from './text/search.ts';
import { serverExports } from './text/server-exports.ts';
import { settings } from './text/settings.ts';
import { timeline } from './text/timeline.ts';
import { trustText } from './text/trust.ts';
import { types } from './text/types.ts';

/** Texts of the interface, one file per feature. They state the event and the possible action. */
export const text = {
  types,
  ...frameText,
  overview,
  ...searchText,
  export: exportText,
  serverExports,
  filters,
  fixes,
  practice,
  guide,
  quality,
  changes,
  checks,
  bulk,
  ...readingText,
  timeline,
  patient,
  ...peopleText,
  record,
  ...reviewText,
  conflict,
  drafts,
  erase,
  patch,
  ...inspectorText,
  log,
  activity,
  audit,
  access,
  settings,
  ...trustText,
  history,
  data,
  batches,
  ...connectionText,
  ...supportingResourceText,
  ...packageText,
} as const;
