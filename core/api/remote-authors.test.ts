import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { authorsIn } from './remote-history.ts';

const author = { coding: [{ code: 'author' }] };
const createProvenance = (parts: object) => ({
  resource: { resourceType: 'Provenance', recorded: '2026-01-02T10:00:00.000Z', ...parts },
  search: { mode: 'include' },
});
const authorOf = (...entry: readonly object[]) =>
  authorsIn(scan(JSON.stringify({ resourceType: 'Bundle', entry })).root, { type: 'CarePlan', id: 'a' });

const version = { versionId: '2', lastUpdated: '2026-01-02T11:00:00+01:00' };

test('returns author and reason that name the version', () => {
  const find = authorOf(
    createProvenance({
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
])('reads the reasons %j without empty ones', (reason, words) => {
  const target = [{ reference: 'CarePlan/a/_history/2' }];
  const find = authorOf(createProvenance({ target, agent: [{ who: { display: 'X' } }], reason }));
  expect(find(version)).toEqual({ author: 'X', ...(words !== undefined && { reason: words }) });
});

test('applies a Provenance without version only to the version of the same instant', () => {
  const find = authorOf(
    createProvenance({ target: [{ reference: 'CarePlan/a' }], agent: [{ who: { reference: 'Device/1' } }] }),
  );
  expect(find(version)).toEqual({ author: 'Device/1' });
  expect(find({ versionId: '3', lastUpdated: '2026-01-02T10:00:00.001Z' })).toBeUndefined();
});

test('ignores Provenances of other records and without a named agent', () => {
  const otherProvenance = createProvenance({
    target: [{ reference: 'CarePlan/aa/_history/2' }],
    agent: [{ who: { display: 'X' } }],
  });
  const nameless = createProvenance({
    target: [{ reference: 'CarePlan/a/_history/2' }],
    agent: [{ type: author }],
  });
  expect(authorOf(otherProvenance, nameless)(version)).toBeUndefined();
});
