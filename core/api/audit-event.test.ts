import { describe, expect, test } from 'vitest';
import { auditActions, type AuditEntry } from '../app/audit.ts';
import { auditEvent } from './audit-event.ts';
import { faultsOf } from './testing/r4-schema.ts';
import { base64 } from '../fhir/base64.ts';

const address = '/fhir-r4/v1/CarePlan';

function entry(action: AuditEntry['action'], extra: Partial<AuditEntry> = {}): AuditEntry {
  const target = `${address}/abc`;
  return {
    seq: 7,
    time: '2026-11-21T20:00:00.000Z',
    who: 'lab',
    action,
    what: target,
    status: 200,
    requestId: 'r-1',
    ...extra,
  };
}

const samples: readonly AuditEntry[] = [
  ...auditActions.map((action) => entry(action)),
  ...auditActions.map((action) =>
    entry(action, { what: 'records-2026.db', who: '', status: 0, requestId: '' }),
  ),
  entry('read', { what: `${address}/[redacted]`, status: 404 }),
  entry('read', { what: `${address}/abc/_history/3` }),
  entry('search', { what: `${address}?subject=Patient/ä&_count=5`, status: 503 }),
  entry('update', { before: 1, after: 2 }),
  entry('patch', { before: 2, after: 3, person: 'Robin Steward', reason: 'The date was wrong.' }),
];

test.each(samples.map((sample) => [`${sample.action} ${sample.what}`, sample] as const))(
  '%s is a valid AuditEvent',
  (_name, sample) => {
    const event = auditEvent(sample);
    expect(faultsOf(event)).toEqual([]);
    // The schema accepts any code and rejects empty values.
    expect(JSON.stringify(event)).not.toContain('""');
  },
);

test('names the person with the token as alternative id, and the reason as purpose', () => {
  const auditEntry = entry('patch', {
    before: 2,
    after: 3,
    person: 'Robin Steward',
    reason: 'The date was wrong.',
  });
  expect(auditEvent(auditEntry)).toMatchObject({
    agent: [{ name: 'Robin Steward', altId: auditEntry.who, requestor: true }],
    purposeOfEvent: [{ text: 'The date was wrong.' }],
  });
});

test('detects an invalid AuditEvent by the schema', () => {
  expect(faultsOf({ ...auditEvent(entry('read')), outcome: '3' })).not.toEqual([]);
});

test('reports author, target, both versions and request of a change', () => {
  expect(auditEvent(entry('patch', { before: 2, after: 3 }))).toEqual({
    resourceType: 'AuditEvent',
    id: '7',
    type: { system: 'http://terminology.hl7.org/CodeSystem/audit-event-type', code: 'rest' },
    subtype: [{ system: 'http://hl7.org/fhir/restful-interaction', code: 'patch' }],
    action: 'U',
    recorded: '2026-11-21T20:00:00.000Z',
    outcome: '0',
    agent: [{ name: 'lab', requestor: true }],
    source: { observer: { display: 'Chartkeeper' } },
    entity: [
      {
        what: { reference: 'CarePlan/abc/_history/3' },
        type: { system: 'http://terminology.hl7.org/CodeSystem/audit-entity-type', code: '2' },
        role: { system: 'http://terminology.hl7.org/CodeSystem/object-role', code: '4' },
        detail: [
          { type: 'version before', valueString: '2' },
          { type: 'version after', valueString: '3' },
          { type: 'HTTP status', valueString: '200' },
          { type: 'X-Request-Id', valueString: 'r-1' },
        ],
      },
    ],
  });
});

describe('stores a search as query', () => {
  test.each([`${address}?subject=Patient/a`, `${address}?title=ä€😀`, address])('%s', (searchAddress) => {
    const event = auditEvent(entry('search', { what: searchAddress })) as { entity: [{ query: string }] };
    expect(Buffer.from(event.entity[0].query, 'base64').toString()).toBe(searchAddress);
  });
});

test.each([
  [200, '0'],
  [304, '0'],
  [0, '0'],
  [401, '4'],
  [412, '4'],
  [500, '8'],
  [503, '8'],
])('maps status %i to outcome %s', (status, outcome) => {
  expect(auditEvent(entry('read', { status }))).toMatchObject({ outcome });
});

test.each(['', 'a', 'ab', 'abc', 'ä€😀 ?&='])('encodes %j as base64', (text) => {
  expect(base64(text)).toBe(Buffer.from(text).toString('base64'));
});
