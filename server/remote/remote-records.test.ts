import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRemoteRecords, type RemoteRecord, type RemoteRecords } from './remote-records.ts';

let folder: string;
let records: RemoteRecords;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-remote-records-'));
  let now = 0;
  // The clock advances half a second at each call, so all counts are slow and cached.
  records = openRemoteRecords(join(folder, 'one.db'), () => (now += 500));
});
afterEach(() => {
  records.close();
  rmSync(folder, { recursive: true });
});

const plan = (id: string, ...pointers: string[]): RemoteRecord => ({
  type: 'CarePlan',
  id,
  version: '',
  lastUpdated: '2026-01-01T00:00:00Z',
  title: id,
  subject: '',
  status: '',
  findings: pointers.map((pointer) => ({
    rule: 'ref-1',
    severity: 'error',
    category: 'conformance',
    message: '',
    pointer,
    excerpt: '',
  })),
});
const page = {
  type: 'CarePlan',
  run: 1,
  records: [plan('a', '/x', '/y'), plan('b')],
  deleted: [],
  isLastPage: false,
} as const;
const countFlagged = () => records.counts({}).flagged.CarePlan;

test('caches slow counts from page to page until the last page or a saved record', () => {
  expect(records.keep({ read: 3 }, page)).toBe(2);
  expect(JSON.parse(records.job() ?? '')).toEqual({ read: 5 });
  expect(countFlagged()).toBe(1);
  records.keep({ read: 5 }, { ...page, records: [plan('c', '/x')] });
  expect(countFlagged()).toBe(1);
  records.keep({ read: 6 }, { ...page, records: [plan('d', '/x')], isLastPage: true });
  expect(countFlagged()).toBe(3);
  records.put(plan('a'), 1);
  expect(countFlagged()).toBe(2);
});

test('removes records that a complete run did not find', () => {
  records.keep({ read: 0 }, page);
  records.keep({ read: 0 }, { ...page, run: 2, records: [plan('b')], isLastPage: true });
  expect(records.records().CarePlan).toBe(1);
  expect(countFlagged()).toBe(0);
});
