import { expect, test } from 'vitest';
import type { ActivityLog, NewRequest } from '../activity-log.ts';

/** Creates a request entry of the workbench. */
export const request = (path: string, overrides: Partial<NewRequest> = {}): NewRequest => ({
  time: '2026-01-01T00:00:00.000Z',
  kind: 'search',
  connection: 'Local',
  method: 'GET',
  path,
  status: 200,
  ms: 1.5,
  requestBytes: 0,
  answerBytes: 10,
  requestId: 'r',
  ...overrides,
});

export const wholePage = { count: 500 };

/** Tests an activity log: its limit, pages and filters. `makeLog` creates an empty log with a clock and a limit. */
export function activityLog(makeLog: (clock: () => number, limit?: number) => ActivityLog): void {
  test('keeps the latest entries and removes the oldest', async () => {
    const log = makeLog(Date.now, 3);
    for (const path of ['/1', '/2', '/3', '/4', '/5']) log.note(request(path));
    expect(await log.list({}, wholePage)).toMatchObject({
      total: 3,
      entries: [{ path: '/5' }, { path: '/4' }, { path: '/3' }],
    });
  });

  test('stores entries and jobs, without control characters', async () => {
    const log = makeLog(() => Date.parse('2026-01-03T00:00:00.000Z'));
    const record = { type: 'CarePlan', id: 'one', before: 1, after: 2 };
    const entry = request('/p?q=%00', { record, ms: 0.1 });
    log.note(entry);
    const counts = { done: 3 };
    const job = await log.add({ kind: 'bulk', note: 'Replaced\0 3', counts });
    expect(job).toMatchObject({ kind: 'bulk', note: 'Replaced\ufffd 3', counts, connection: 'Local' });
    const { entries } = await log.list({}, wholePage);
    expect(entries).toEqual([job, { seq: expect.any(Number), ...entry }]);
    expect(job.time).toBe('2026-01-03T00:00:00.000Z');
  });

  test('continues pages by position despite new entries', async () => {
    const log = makeLog(Date.now);
    for (const path of ['/1', '/2', '/3']) log.note(request(path));
    const firstPage = await log.list({}, { count: 2 });
    log.note(request('/4'));
    const secondPage = await log.list({}, { count: 2, before: Number(firstPage.next) });
    expect(secondPage).toMatchObject({ entries: [{ path: '/1' }], total: 4 });
    expect(secondPage.next).toBeUndefined();
    const newest = Number(firstPage.entries[0]?.seq);
    expect(await log.list({}, { count: 2, after: newest })).toMatchObject({ entries: [{ path: '/4' }] });
  });

  test('applies each filter', async () => {
    const log = makeLog(() => Date.parse('2026-01-03T00:00:00.000Z'));
    log.note(request('/a_b'));
    log.note(request('/axb', { status: 404, kind: 'read', requestId: 'needle' }));
    log.note(request('/c', { method: 'PUT', kind: 'write', time: '2026-01-02T00:00:00.000Z' }));
    await log.add({ kind: 'bulk', note: 'Replaced 3 of A_B in Ärzte', counts: { done: 3 } });
    const kinds = async (filter: Parameters<ActivityLog['list']>[0]) =>
      (await log.list(filter, wholePage)).entries.map(({ kind }) => kind);
    expect(await kinds({ text: 'A_b' })).toEqual(['bulk', 'search']);
    expect(await kinds({ text: 'Ärzte' })).toEqual(['bulk']);
    expect(await kinds({ text: 'needle' })).toEqual(['read']);
    expect(await kinds({ method: 'PUT' })).toEqual(['write']);
    expect(await kinds({ status: '4xx' })).toEqual(['read']);
    expect(await kinds({ kind: 'bulk' })).toEqual(['bulk']);
    expect(await kinds({ since: '2026-01-02T00:00:00.000Z' })).toEqual(['bulk', 'write']);
  });

  test('removes all entries on clear and continues the sequence numbers', async () => {
    const log = makeLog(Date.now);
    log.note(request('/fhir-r4/v1/CarePlan/very-particular-id'));
    const before = await log.list({}, wholePage);
    expect(await log.clear()).toBe(1);
    expect(await log.list({}, wholePage)).toEqual({ entries: [], total: 0 });
    log.note(request('/next'));
    const [next] = (await log.list({}, wholePage)).entries;
    expect(next?.seq).toBeGreaterThan(before.entries[0]?.seq ?? Infinity);
  });
}
