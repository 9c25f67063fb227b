import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { authorsIn } from './remote-history.ts';

const author = { coding: [{ code: 'author' }] };
const told = (parts: object) => ({
  resource: { resourceType: 'Provenance', recorded: '2026-01-02T10:00:00.000Z', ...parts },
  search: { mode: 'include' },
});
const authorOf = (...entry: readonly object[]) =>
  authorsIn(scan(JSON.stringify({ resourceType: 'Bundle', entry })).root, { type: 'CarePlan', id: 'a' });

const version = { versionId: '2', lastUpdated: '2026-01-02T11:00:00+01:00' };

test('a version is whose who is said to have written it, with why', () => {
  const find = authorOf(
    told({
      target: [{ reference: 'https://fhir.example.org/r4/CarePlan/a/_history/2' }],
      agent: [
        { who: { display: 'The gateway' } },
        { type: author, who: { reference: 'Practitioner/7', display: 'Dr. Imre Specimen' } },
      ],
      reason: [{ coding: [{ code: 'HOPERAT', display: 'operations' }] }, { text: 'as agreed' }],
    }),
  );
  expect(find(version)).toEqual({ author: 'Dr. Imre Specimen', reason: 'operations; as agreed' });
  expect(find({ ...version, versionId: '3' })).toBeUndefined();
});

test.each([
  [[{}, { text: 'as agreed' }], 'as agreed'],
  [[{ coding: [{ code: 'HOPERAT' }, { code: 'X', display: 'audit' }] }], 'HOPERAT, audit'],
  [[{ coding: [{ system: 'http://x' }] }], undefined],
])('of the reasons %j only those with words are told', (reason, words) => {
  const target = [{ reference: 'CarePlan/a/_history/2' }];
  const find = authorOf(told({ target, agent: [{ who: { display: 'X' } }], reason }));
  expect(find(version)).toEqual({ author: 'X', ...(words !== undefined && { reason: words }) });
});

test('one that names no version tells of what was written at its very instant, and of nothing else', () => {
  const find = authorOf(
    told({ target: [{ reference: 'CarePlan/a' }], agent: [{ who: { reference: 'Device/1' } }] }),
  );
  expect(find(version)).toEqual({ author: 'Device/1' });
  expect(find({ versionId: '3', lastUpdated: '2026-01-02T10:00:00.001Z' })).toBeUndefined();
});

test('what tells of another record, or names nobody, is nobody’s word', () => {
  const other = told({
    target: [{ reference: 'CarePlan/aa/_history/2' }],
    agent: [{ who: { display: 'X' } }],
  });
  const nameless = told({ target: [{ reference: 'CarePlan/a/_history/2' }], agent: [{ type: author }] });
  expect(authorOf(other, nameless)(version)).toBeUndefined();
});
