import { expect, test } from 'vitest';
import { authorshipIn } from './authorship.ts';
import { countSent } from './bulk.ts';
import { check } from './check.ts';
import { StateChange } from './findings.ts';
import { filterPairs, readFilter } from './quality.ts';
import { formatImportSettings, readImportSettings, type ImportSettings } from './transfer.ts';

const pairsOf = (query: string) => [...new URLSearchParams(query)];

test.each([
  [
    'category=plausibility&severity=error&type=CarePlan&state=open',
    'category=plausibility&severity=error&type=CarePlan&state=open',
  ],
  ['rule=%20empty%20&text=%20', 'rule=empty'],
  ['assignee=Robin', 'assignee=Robin'],
  ['category=none', undefined],
  ['severity=fatal', undefined],
  ['type=Patient', undefined],
  ['state=gone', undefined],
  ['other=x', undefined],
])('parses the worklist filter %s as %s', (query, expectedQuery) => {
  const filter = readFilter(pairsOf(query));
  const formattedQuery = filter && new URLSearchParams(filterPairs(filter));
  expect(formattedQuery && pairsOf(String(formattedQuery)).sort()).toEqual(
    expectedQuery === undefined ? expectedQuery : pairsOf(expectedQuery).sort(),
  );
});

test.each<[query: string, settings: ImportSettings | undefined]>([
  ['', { keepIds: false, dryRun: false }],
  ['keepIds=true&dryRun=true&level=strict', { keepIds: true, dryRun: true, level: 'strict' }],
  ['keepIds=false', { keepIds: false, dryRun: false }],
  ['keepIds=yes', undefined],
  [
    'batch=0d1e2f3a-0000-4000-8000-00000000000a',
    { keepIds: false, dryRun: false, batch: '0d1e2f3a-0000-4000-8000-00000000000a' },
  ],
  ['level=none', undefined],
  ['batch=1', undefined],
  ['other=true', undefined],
])('parses the import settings %j as %j', (query, settings) => {
  expect(readImportSettings(pairsOf(query))).toEqual(settings);
  if (settings) expect(readImportSettings(pairsOf(formatImportSettings(settings)))).toEqual(settings);
});

test('adds person and reason to an authorship if they are present', () => {
  expect(authorshipIn({ author: 'owner', person: null, reason: undefined })).toEqual({ author: 'owner' });
  expect(authorshipIn({ author: 'owner', person: 'Robin', reason: 'Wrong' })).toEqual({
    author: 'owner',
    person: 'Robin',
    reason: 'Wrong',
  });
});

test('counts written and failed targets as sent, of all that are ready', () => {
  expect(countSent({ done: 5, changed: 4, gone: 3, failed: 2, ready: 1 })).toEqual({ sent: 14, of: 15 });
  expect(countSent({})).toEqual({ sent: 0, of: 0 });
});

const findings = [{ type: 'CarePlan', id: '1', rule: 'empty', pointer: '' }];
test.each([
  [{ set: 'assigned', assignee: 'Robin' }, true],
  [{ set: 'assigned' }, false],
  [{ set: 'open', assignee: 'Robin' }, false],
])('accepts a change of findings to %j: %s', (change, isValid) => {
  expect('value' in check(StateChange, { ...change, findings })).toBe(isValid);
});
