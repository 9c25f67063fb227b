/** Versions and actions for the tests of a record's states. */
import { openRecord, recordReducer, type RecordAction } from '../record-state.ts';
import { toVersion } from '../../../platform/record-version.ts';

export const version = (number: number, title = 'Plan') =>
  toVersion({
    text: `{"resourceType":"CarePlan","id":"a","meta":{"versionId":"${number}"},"title":"${title}","n":1.00}`,
    version: number,
  });

export const run = (...actions: RecordAction[]) => actions.reduce(recordReducer, openRecord('CarePlan', 'a'));
export const loaded: RecordAction = { type: 'loaded', version: version(1) };
export const edit = (title: string): RecordAction => ({ type: 'edited', text: version(1, title).text });
export const stale = { sentences: ['Stale.'], status: 412, currentVersion: 2 };
export const bad = { sentences: ['Bad.'], status: 400 };
export const sentActions: RecordAction[] = [loaded, edit('Mine'), { type: 'review' }, { type: 'sent' }];
export const onto = {
  type: 'rebased',
  onto: version(2, 'Theirs'),
  text: version(2, 'Merged').text,
  rebase: { method: 'merged', version: 2, theirs: 1 },
} satisfies RecordAction;
