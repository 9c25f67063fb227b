import { expect, test } from 'vitest';
import { suggestPath } from './suggest-path.ts';

/** Returns labels of suggestions at `|`. */
function suggestAt(marked: string): string[] {
  const offset = marked.indexOf('|');
  return suggestPath(marked.replace('|', ''), offset, 'CarePlan').map(({ label }) => label);
}

test.each([
  ['tit|', ['title']],
  ['activity.det|', ['detail']],
  ['activity[0].detail.stat|', ['status', 'statusReason']],
  ['activity.where(detail.stat|', ['status', 'statusReason']],
  ["activity.where(detail.status = 'x').detail.descr|", ['description']],
  ['activity.all(det|', ['detail']],
  ['period.exists() and per|', ['period']],
  ['activity.detail.sched|', ['scheduled']],
  ['CarePlan.peri|', ['period']],
  ['activity.select(detail).descr|', ['description']],
  ['category.first().codin|', ['coding']],
  ['title.exi|', ['exists()']],
  ['(activity.detail).stat|', ['status', 'statusReason']],
  ['activity.where(detail.exists()).detail.descr|', ['description']],
  ['activity.where(exists()).det|', ['detail']],
  ['activity.detail.all(status.exists()).sta|', ['startsWith()']],
  ['$this.peri|', ['period']],
  ['activity.where($this.det|', ['detail']],
  ['`title` and per|', ['period']],
  ["'a' + tit|", ['title']],
  ["title.matches('a\\'b') and per|", ['period']],
  ['`sta|', []],
  ['nothing.sta|', ['startsWith()']],
  ["title = 'sta|", []],
  ['activity.detail.count().det|', []],
])('suggests at %s', (marked, labels) => {
  expect(suggestAt(marked)).toEqual(labels);
});

test('replaces the word at the cursor and leaves a function open for its argument', () => {
  const [suggestion] = suggestPath('title.exi', 9, 'CarePlan');
  expect(suggestion).toEqual({ label: 'exists()', detail: 'Boolean', insert: 'exists(', start: 6, end: 9 });
  expect(suggestPath('period', 3, 'CarePlan')[0]).toMatchObject({ start: 0, end: 6, insert: 'period' });
});
