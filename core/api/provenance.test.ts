import { expect, test } from 'vitest';
import { maxReasonLength } from '../app/authorship.ts';
import { provenance, provenanceOf, reasonIn, type ProvenVersion } from './provenance.ts';
import { faultsOf } from './testing/r4-schema.ts';

const version: ProvenVersion = {
  type: 'CarePlan',
  id: 'a',
  version: 3,
  lastUpdated: '2026-11-21T20:00:00.000Z',
  operation: 'patch',
  author: 'owner',
  person: 'Robin Steward',
  reason: 'The date was wrong.',
};

test.each([
  ['of a person', version],
  ['of a token', { ...version, person: undefined, reason: undefined } as unknown as ProvenVersion],
  ['of nobody', { ...version, author: '', operation: 'import' } as const],
])('writes a valid Provenance: %s', (_label, version) => {
  const text = JSON.stringify(provenance(version));
  expect(faultsOf(JSON.parse(text))).toEqual([]);
  expect(text).not.toContain('""');
  expect(faultsOf({ ...(JSON.parse(text) as object), agent: 1 })).not.toEqual([]);
});

test('writes the operation as a code, and the reason if there is one', () => {
  expect(provenance(version)).toMatchObject({
    activity: { coding: [{ code: 'UPDATE' }] },
    reason: [{ text: 'The date was wrong.' }],
  });
  const importProvenance = provenance({
    ...version,
    operation: 'import',
    reason: undefined,
  } as unknown as ProvenVersion);
  expect(importProvenance).toMatchObject({ activity: { coding: [{ code: 'CREATE' }] } });
  expect(Object.keys(importProvenance)).not.toContain('reason');
});

test('names the version as target, and author and token as agents', () => {
  expect(provenance(version)).toMatchObject({
    target: [{ reference: 'CarePlan/a/_history/3' }],
    agent: [
      { type: { coding: [{ code: 'author' }] }, who: { display: 'Robin Steward' } },
      { type: { text: 'token or session' }, who: { display: 'owner' } },
    ],
  });
  const tokenProvenance = provenance({
    ...version,
    person: undefined,
    operation: 'create',
  } as unknown as ProvenVersion);
  expect(tokenProvenance).toMatchObject({ activity: { coding: [{ code: 'CREATE' }] } });
  expect(tokenProvenance).toHaveProperty('agent', [expect.objectContaining({ who: { display: 'owner' } })]);
});

test.each(['a', 'Größe; "quoted" \\ back', '病歴', '🙂', 'x'.repeat(maxReasonLength)])(
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
    'the display of a code',
    { reason: [{ coding: [{ code: 'ETREAT', display: 'Emergency' }, { code: 'X' }] }] },
    'Emergency, X',
  ],
  ['an empty code', { reason: [{ coding: [{}] }] }, undefined],
  ['lines as one', { reason: [{ text: 'one\n\ttwo' }] }, 'one two'],
])('reads the reason of a Provenance: %s', (_label, part, reason) => {
  expect(reasonIn(JSON.stringify({ resourceType: 'Provenance', ...part }))).toBe(reason);
});
