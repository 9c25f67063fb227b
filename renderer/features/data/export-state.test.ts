import { expect, test } from 'vitest';
import { exportQuery, exportReducer, initialExport } from './export-state.ts';

test.each([
  ['', '', ''],
  ['CarePlan', ' status=active ', 'type=CarePlan&status=active'],
  ['', '?subject=17&status=active', 'subject=17&status=active'],
  ['', '/fhir-r4/v1/Composition?title=Note', 'type=Composition&title=Note'],
] as const)('%s with %s asks for %s', (type, criteria, query) => {
  expect(exportQuery({ type, criteria })).toBe(query);
});

test('an answer that comes after the end changes nothing', () => {
  const running = exportReducer(initialExport, { type: 'started' });
  const stopped = exportReducer(running, { type: 'ended', phase: { name: 'stopped' } });
  expect(exportReducer(stopped, { type: 'progressed', records: 9, bytes: 9 })).toBe(stopped);
  expect(exportReducer(running, { type: 'changed', form: { type: 'CarePlan' } })).toBe(running);
});
