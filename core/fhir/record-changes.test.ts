import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { nameChange, recordChanges } from './record-changes.ts';

const root = (value: object) => scan(JSON.stringify(value)).root;
const nameChanges = (before: object, after: object) =>
  recordChanges(root(before), root(after)).map(nameChange);

const section = (title: string, status = 'generated') => ({
  title,
  text: { status, div: `<div>${title}</div>` },
});
const [plan, allergies, history] = [section('Plan'), section('Allergies'), section('History')];

test('names one removed section and none of the sections after it', () => {
  expect(nameChanges({ section: [plan, allergies, history] }, { section: [plan, history] })).toEqual([
    { kind: 'removed', pointer: '/section/1', title: 'Allergies' },
  ]);
});

test('names one removed contained resource by its type', () => {
  const contained = [
    { resourceType: 'Questionnaire', id: 'q' },
    { resourceType: 'RequestGroup', id: 'r', status: 'active' },
  ];
  expect(nameChanges({ contained }, { contained: contained.slice(1) })).toEqual([
    { kind: 'removed', pointer: '/contained/0', title: 'Questionnaire q' },
  ]);
});

test('names an inserted and a moved item by both pointers', () => {
  expect(nameChanges({ section: [plan, allergies] }, { section: [plan, history, allergies] })).toEqual([
    { kind: 'added', pointer: '/section/1', title: 'History' },
  ]);
  expect(
    nameChanges({ section: [plan, allergies, history] }, { section: [history, plan, allergies] }),
  ).toEqual([{ kind: 'moved', pointer: '/section/0', from: '/section/2', title: 'History' }]);
});

test('names the changed element inside an item that others moved, with its previous pointer', () => {
  expect(
    nameChanges({ section: [plan, allergies] }, { section: [section('Allergies', 'extensions')] }),
  ).toEqual([
    { kind: 'removed', pointer: '/section/0', title: 'Plan' },
    { kind: 'changed', pointer: '/section/0/text/status', from: '/section/1/text/status' },
  ]);
});

test('ignores server metadata', () => {
  const record = (versionId: string, title: string) => ({
    meta: { versionId, lastUpdated: versionId },
    title,
  });
  expect(nameChanges(record('1', 'A'), record('2', 'B'))).toEqual([{ kind: 'changed', pointer: '/title' }]);
});

test('names a prohibition as such', () => {
  const activity = (description: string, extraMembers = {}) => ({
    detail: { description, status: 'scheduled', ...extraMembers },
  });
  const walk = activity('Walk');
  expect(
    nameChanges({ activity: [activity('Ibuprofen', { doNotPerform: true }), walk] }, { activity: [walk] }),
  ).toEqual([{ kind: 'removed', pointer: '/activity/0', title: 'Do NOT: Ibuprofen' }]);
});
