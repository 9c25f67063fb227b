import { expect, test } from 'vitest';
import { mostReason } from '../app/authorship.ts';
import { provenance, provenanceOf, reasonIn, type ProvenVersion } from './provenance.ts';
import { faultsOf } from './testing/r4-schema.ts';

const version: ProvenVersion = {
  ...{ type: 'CarePlan', id: 'a', version: 3, lastUpdated: '2026-11-21T20:00:00.000Z' },
  ...{ operation: 'patch', author: 'owner', person: 'Robin Steward', reason: 'The date was wrong.' },
};

test.each([
  ['of a person', version],
  ['of a token', { ...version, person: undefined, reason: undefined } as unknown as ProvenVersion],
  ['of nobody', { ...version, author: '', operation: 'import' } as const],
])('what is told is a valid Provenance: %s', (_of, told) => {
  const text = JSON.stringify(provenance(told));
  expect(faultsOf(JSON.parse(text))).toEqual([]);
  expect(text).not.toContain('""');
  expect(faultsOf({ ...(JSON.parse(text) as object), agent: 1 })).not.toEqual([]);
});

test('what was done is told by its code, and a reason where there is one', () => {
  expect(provenance(version)).toMatchObject({
    activity: { coding: [{ code: 'UPDATE' }] },
    reason: [{ text: 'The date was wrong.' }],
  });
  const told = provenance({ ...version, operation: 'import', reason: undefined } as unknown as ProvenVersion);
  expect(told).toMatchObject({ activity: { coding: [{ code: 'CREATE' }] } });
  expect(Object.keys(told)).not.toContain('reason');
});

test('the version is its target; who wrote it and through which token are its agents', () => {
  expect(provenance(version)).toMatchObject({
    target: [{ reference: 'CarePlan/a/_history/3' }],
    agent: [
      { type: { coding: [{ code: 'author' }] }, who: { display: 'Robin Steward' } },
      { type: { text: 'token or session' }, who: { display: 'owner' } },
    ],
  });
  const told = provenance({ ...version, person: undefined, operation: 'create' } as unknown as ProvenVersion);
  expect(told).toMatchObject({ activity: { coding: [{ code: 'CREATE' }] } });
  expect(told).toHaveProperty('agent', [expect.objectContaining({ who: { display: 'owner' } })]);
});

test.each(['a', 'Größe; "quoted" \\ back', '病歴', '🙂', 'x'.repeat(mostReason)])(
  'a reason goes through the header whole, in ASCII: %.20s',
  (reason) => {
    const header = provenanceOf(reason, new Date(0), 'Zoë');
    expect(header).toMatch(/^[\x20-\x7e]*$/);
    expect(reasonIn(header)).toBe(reason);
  },
);

test.each([
  ['no reason', {}, undefined],
  ['an empty one', { reason: [{ text: '  ' }] }, undefined],
  ['texts in their order', { reason: [{ text: 'one' }, { text: 'two' }] }, 'one; two'],
  [
    'what a code is called',
    { reason: [{ coding: [{ code: 'ETREAT', display: 'Emergency' }, { code: 'X' }] }] },
    'Emergency, X',
  ],
  ['a code that says nothing', { reason: [{ coding: [{}] }] }, undefined],
  ['lines as one', { reason: [{ text: 'one\n\ttwo' }] }, 'one two'],
])('the reason of a Provenance: %s', (_what, part, reason) => {
  expect(reasonIn(JSON.stringify({ resourceType: 'Provenance', ...part }))).toBe(reason);
});
