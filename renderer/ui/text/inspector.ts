import { formatCount, formatPlural } from '../format.ts';
import { formatDuration } from './lasting.ts';

/** Text of the inspector beside the editor, and of the editor's own additions. */
export const inspectorText = {
  inspector: {
    name: 'Inspector',
    tabs: { summary: 'Summary', issues: 'Issues', history: 'History' },
    show: 'Show inspector',
    hide: 'Hide inspector',
    resize: 'Inspector width',
    judging: 'Checking the record',
    unread: (line: number) => `Fix the JSON error in line ${line} to update this view.`,
  },
  crumbs: {
    name: 'Element at the cursor',
    outline: 'Outline',
    wrap: 'Wrap long lines',
    follow: 'Follow reference',
    noReference: 'There is no reference at the cursor that can be opened.',
  },
  summary: {
    name: 'Summary of the record',
    goals: 'Goals',
    activities: 'Activities',
    sections: 'Sections',
    notes: 'Notes',
    description: 'Description',
    narrative: 'Narrative',
    missing: 'not stated',
    openEnd: 'no end date',
    days: formatDuration,
    overdue: (days: number) => `${formatDuration(days)} overdue`,
    ended: (days: number) => `ended ${formatDuration(days)} ago`,
    due: (date: string) => `due ${date}`,
    activity: (place: number) => `Activity ${place}`,
    section: (place: number) => `Section ${place}`,
    entries: (count: number) => formatPlural(count, { one: '{n} entry', other: '{n} entries' }),
    moreSections: (count: number) =>
      formatPlural(count, { one: '{n} more section', other: '{n} more sections' }),
    noText: 'no narrative',
    empty: (reason: string) => `empty: ${reason}`,
    reveal: 'Go to the element',
  },
  issues: {
    name: 'Issues of the record',
    filter: 'Filter issues',
    furtherOnLine: (count: number) => `(+${formatCount(count)} on this line)`,
    none: 'No issues',
    noneDetail: {
      /** Rules that compare records were checked as well. */
      read: 'This record passes all checks.',
      pending: 'This record passes all checks that look at one record.',
      absent: 'This record passes all checks that look at one record.',
      failed:
        'This record passes all checks that look at one record. Checks against other records couldn’t be loaded.',
    },
    storedVersion: (version: number) => `Found in the stored version ${version}.`,
    otherRecords: 'Other record:',
    openOther: (name: string) => `Open ${name}`,
    moreOthers: 'and others',
    noMatch: (words: string) => `No issues match “${words}”.`,
    severities: { error: 'Errors', warning: 'Warnings' },
    clipped: (shownCount: number, total: number) =>
      `Showing the first ${formatCount(shownCount)} of ${formatCount(total)} issues.`,
    syntax: 'Fix the JSON errors to check the record.',
  },
} as const;
