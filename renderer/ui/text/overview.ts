import type { ResourceType } from '../../../core/fhir/resource.ts';
import { formatList, formatPlural } from '../format.ts';
import { textsOf } from './types.ts';

export const overview = {
  name: 'Overview',
  failed: 'Couldn’t load the overview.',
  records: 'Records',
  showStatus: (type: ResourceType, status: string, count: number) =>
    formatPlural(count, textsOf(type).countByStatus, { status }),
  noStatus: 'no status',
  quality: {
    title: 'Quality',
    /** `{share}` is a percentage. */
    share: '{share} of records without issues',
    withoutIssues: 'Records without issues',
    trend: 'Share of records without issues, last 30 days',
    open: 'Open worklist',
    flagged: (count: number) =>
      formatPlural(count, { one: '{n} record with issues', other: '{n} records with issues' }),
    findings: (count: number) => formatPlural(count, { one: '{n} issue', other: '{n} issues' }),
    failed: 'Couldn’t load the quality figures.',
  },
  changed: {
    title: 'Changed today',
    counts: (records: number, versions: number, hasMore: boolean) =>
      formatList(
        [
          formatPlural(records, { one: '{n} record', other: '{n} records' }),
          formatPlural(
            versions,
            hasMore
              ? { one: '{n}+ version', other: '{n}+ versions' }
              : { one: '{n} version', other: '{n} versions' },
          ),
        ],
        'unit',
      ),
    none: 'No changes today.',
    several: (count: number) => formatPlural(count, { one: '{n} record', other: '{n} records' }),
    by: {
      create: (author: string) => `created by ${author}`,
      update: (author: string) => `updated by ${author}`,
      patch: (author: string) => `patched by ${author}`,
      import: (author: string) => `imported by ${author}`,
    },
  },
  unfinished: {
    title: 'Unfinished',
    none: 'No drafts, stopped bulk edits or refused imports.',
    failed: 'Couldn’t load unfinished work.',
    refused: (count: number) =>
      formatPlural(count, {
        one: '{n} record refused by an import',
        other: '{n} records refused by an import',
      }),
    draft: 'draft',
    run: (sentCount: number, total: number) =>
      formatPlural(total, { other: 'bulk edit, stopped after {sent} of {n}' }, { sent: sentCount }),
  },
  connections: {
    title: 'Connections',
    none: 'No other servers connected.',
    failed: 'Couldn’t load the connections.',
    states: {
      open: 'ready',
      ready: 'ready',
      'needs-secret': 'secret required',
      'needs-sign-in': 'sign-in required',
      'signing-in': 'signing in',
    },
  },
  patients: {
    title: 'Recently changed patients',
    columns: { patient: 'Patient', changed: 'Changed' },
    none: 'No records with a patient yet.',
  },
} as const;
