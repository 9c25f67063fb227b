import { beforeEach, describe, expect, test } from 'vitest';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import type { FindingKey, SaidOfFindings } from '../../../core/app/findings.ts';
import { fold } from '../../../core/fhir/search-values.ts';
import type { IssueQuery } from '../issue-query.ts';
import { issue, worldOf, type Engine } from './contract-store.ts';

const brokenIssues = [issue('schema-code', '/status'), issue('schema-code', '/intent'), issue('ext-1', '/a')];
const textOf = (part: string, rules: string[] = []) => ({ part, title: fold(part), rules });
const actor = { who: 'test', requestId: 'r-1' };
const today = '2026-01-01';

/** Tests the worklist: issues, counts, states of findings, and daily counts. */
export function findings(engine: Engine): void {
  const world = worldOf(engine);
  const typeOf = (number: number) => (number % 2 ? ('CarePlan' as const) : ('Composition' as const));

  beforeEach(async () => {
    const versions = Array.from({ length: 40 }, (_, number) => {
      const type = typeOf(number);
      const members = { subject: { reference: `Patient/P${number % 5}` } };
      const options = { type, members, issues: brokenIssues.slice(0, number % 4) };
      return world.next(`r-${number}`, 1, `Ärzte ${number}`, options);
    });
    await Promise.all(versions.map((version) => world.store.insert(version)));
  });

  async function listAllPages(query: IssueQuery, size: number): Promise<string[]> {
    const rows: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await world.store.issues(query, after, size);
      rows.push(...page.map(({ id, rule, pointer }) => `${id} ${rule} ${pointer}`));
      if (page.length < size) return rows;
      after = page.at(-1)?.place;
    }
  }

  test('counts records and findings per rule and type', async () => {
    const { counts, flagged: flaggedCounts, open, states } = await world.store.issueCounts({});
    expect(flaggedCounts).toEqual({ CarePlan: 20, Composition: 10 });
    expect(open).toEqual(flaggedCounts);
    expect(states).toEqual({ open: 60, assigned: 0, waived: 0 });
    const findCount = (rule: string, type: string) =>
      counts.find((count) => count.rule === rule && count.type === type) ?? {};
    expect(counts).toHaveLength(3);
    expect(findCount('ext-1', 'CarePlan')).toMatchObject({ severity: 'warning', records: 10, findings: 10 });
    expect(findCount('schema-code', 'CarePlan')).toMatchObject({
      severity: 'error',
      records: 20,
      findings: 30,
    });
    expect(findCount('schema-code', 'Composition')).toMatchObject({ records: 10, findings: 20 });
  });

  test.each<IssueQuery>([
    {},
    { rule: 'schema-code' },
    { type: 'CarePlan' },
    { severity: 'warning' },
    { category: 'conformance' },
    { text: textOf('p3') },
    { text: textOf('no such part', ['ext-1']) },
    { state: 'open', day: today },
    { group: { grouping: 'patient', key: 'P3' } },
    { group: { grouping: 'month', key: '2026-01' } },
    { group: { grouping: 'author', key: 'test' } },
    { group: { grouping: 'record', key: 'CarePlan/r-3' } },
  ])('returns each finding once over all pages of %j, as many as are counted', async (query) => {
    const allRows = await listAllPages(query, 1000);
    expect(allRows.length).toBeGreaterThan(0);
    expect(new Set(allRows).size).toBe(allRows.length);
    expect(await listAllPages(query, 7)).toEqual(allRows);
    const { counts } = await world.store.issueCounts(query);
    expect(counts.reduce((sum, count) => sum + count.findings, 0)).toBe(allRows.length);
  });

  test.each([
    ['title, without regard to case', 'ärzte 17', ['r-17']],
    ['id', 'r-39', ['r-39']],
    ['subject', 'p4', ['r-9', 'r-14', 'r-19', 'r-29', 'r-34', 'r-39']],
    ['pointer', '/inte', ['r-2', 'r-3', 'r-6', 'r-7']],
    ['characters that a pattern would take for others', '_', []],
  ])('finds text by %s', async (_name, part, ids) => {
    const foundIds = new Set(
      (await listAllPages({ text: textOf(part) }, 500)).map((row) => row.split(' ')[0]),
    );
    for (const id of ids) expect(foundIds).toContain(id);
    if (part !== '/inte') expect(foundIds.size).toBe(ids.length);
  });

  test('returns an issue with the text of its record and its ordinal at the element', async () => {
    const repeatedIssues = [
      'schema-required',
      'schema-required',
      'r4-invariant',
      'r4-invariant',
      'ext-1',
    ].map((rule) => issue(rule, '/a'));
    await world.store.insert(world.next('twice', 1, 'Twice', { issues: repeatedIssues }));
    const issues = await world.store.issues(
      { group: { grouping: 'record', key: 'Composition/twice' } },
      undefined,
      9,
    );
    expect(issues.map(({ rule, ordinal }) => [rule, ordinal])).toEqual([
      ['schema-required', 0],
      ['schema-required', 1],
      ['r4-invariant', 0],
      ['r4-invariant', 1],
      ['ext-1', 0],
    ]);
    const record = await world.store.read('Composition', 'twice');
    expect(issues[0]).toMatchObject({
      id: 'twice',
      version: 1,
      severity: 'error',
      type: 'Composition',
      lastUpdated: record?.lastUpdated,
      text: record && 'text' in record && record.text,
    });
  });

  test('counts errors and warnings of given records', async () => {
    const counts = await world.store.severities('CarePlan', ['r-3', 'r-1', 'none', 'r-2']);
    expect([...counts].sort((count, right) => count.id.localeCompare(right.id))).toEqual([
      { id: 'r-1', errors: 1, warnings: 0 },
      { id: 'r-3', errors: 2, warnings: 1 },
    ]);
    expect(await world.store.severities('Composition', ['r-0'])).toEqual([]);
  });

  test('updates the counts after a write', async () => {
    await world.change('r-3', 'Mended', { type: 'CarePlan' });
    expect((await listAllPages({ group: { grouping: 'record', key: 'CarePlan/r-3' } }, 9)).length).toBe(0);
    expect((await world.store.findings.groups({}, 'record', 100)).map(({ key }) => key)).not.toContain(
      'CarePlan/r-3',
    );
  });

  test('returns the largest groups first', async () => {
    const byRecord = await world.store.findings.groups({}, 'record', 3);
    expect(byRecord.map(({ findings: count }) => count)).toEqual([3, 3, 3]);
    const byRule = await world.store.findings.groups({}, 'rule', 9);
    expect(byRule).toEqual([
      { key: 'schema-code', records: 30, findings: 50 },
      { key: 'ext-1', records: 10, findings: 10 },
    ]);
    const byMonth = await world.store.findings.groups({}, 'month', 9);
    expect(byMonth).toEqual([{ key: '2026-01', records: 30, findings: 60, all: 40 }]);
    const ofPlans = await world.store.findings.groups({ type: 'CarePlan', rule: 'ext-1' }, 'patient', 9);
    expect(ofPlans.map(({ key, all: recordCount }) => [key, recordCount])).toEqual(
      ['P0', 'P1', 'P2', 'P3', 'P4'].map((key) => [key, 4]),
    );
  });

  describe('a state of findings', () => {
    const key = (rule: string, pointer: string): FindingKey => ({
      type: 'CarePlan',
      id: 'r-3',
      rule,
      pointer,
    });
    const setState = (newState: SaidOfFindings, ...keys: FindingKey[]) =>
      world.store.findings.say(keys, { newState, actor, now: Date.UTC(2026, 0, 1) });
    const stateOf = async (pointer: string) =>
      (await world.store.issues({}, undefined, 1000)).find(
        (finding) => finding.id === 'r-3' && finding.pointer === pointer,
      )?.state;
    const states = async (day: string) => (await world.store.issueCounts({ day })).states;

    test('is stored, filters the worklist, and expires after its last day', async () => {
      const waiver = { set: 'waived', reason: 'It is known.', until: '2026-01-31' } as const;
      expect(await setState(waiver, key('ext-1', '/a'), key('ext-1', '/none'))).toEqual({
        changed: 1,
        gone: 1,
      });
      expect(
        await setState({ set: 'assigned', assignee: 'Ada' }, key('schema-code', '/status')),
      ).toMatchObject({
        changed: 1,
      });
      expect(await stateOf('/status')).toMatchObject({ state: 'assigned', assignee: 'Ada', by: 'test' });
      expect(await states(today)).toEqual({ open: 59, assigned: 1, waived: 1 });
      expect(await states('2026-02-01')).toEqual({ open: 60, assigned: 1, waived: 0 });
      expect(await listAllPages({ state: 'waived', day: today }, 9)).toEqual(['r-3 ext-1 /a']);
      expect(await listAllPages({ state: 'assigned', day: today }, 9)).toEqual(['r-3 schema-code /status']);
      expect(await listAllPages({ assignee: 'Ada' }, 9)).toEqual(['r-3 schema-code /status']);
      expect(await listAllPages({ state: 'open', day: today }, 1000)).toHaveLength(59);
      await setState({ set: 'open' }, key('ext-1', '/a'));
      expect(await states(today)).toEqual({ open: 60, assigned: 1, waived: 0 });
    });

    test('is audited by record and removed with its finding', async () => {
      await setState(
        { set: 'note', note: 'See the chart.' },
        key('schema-code', '/status'),
        key('ext-1', '/a'),
      );
      const { entries } = await world.store.audit.page({ action: 'finding' }, undefined, 9);
      expect(entries).toMatchObject([
        { who: 'test', what: expect.stringContaining('set=note&findings=2'), requestId: 'r-1' },
      ]);
      expect(JSON.stringify(entries)).not.toContain('chart');
      await world.change('r-3', 'Mended', { type: 'CarePlan', issues: brokenIssues.slice(0, 2) });
      expect(await stateOf('/status')).toMatchObject({ note: 'See the chart.' });
      await world.change('r-3', 'Broken', { type: 'CarePlan', issues: brokenIssues });
      expect(await stateOf('/a')).toBeUndefined();
    });

    test('lists the names of findings page by page', async () => {
      const firstPage = await world.store.findings.keys({ rule: 'ext-1' }, undefined, 6);
      const remainingPage = await world.store.findings.keys({ rule: 'ext-1' }, firstPage.next, 6);
      expect([firstPage.keys.length, remainingPage.keys.length, remainingPage.next]).toEqual([
        6,
        4,
        undefined,
      ]);
      expect(new Set([...firstPage.keys, ...remainingPage.keys].map(({ id }) => id)).size).toBe(10);
    });

    test('is counted by category and type, with the waived findings', async () => {
      await setState({ set: 'waived', reason: 'So.' }, key('ext-1', '/a'));
      const categoryCounts = await world.store.findings.wholes(today);
      expect(categoryCounts).toContainEqual({
        check: 'conformance',
        type: 'CarePlan',
        violated: 20,
        findings: 39,
      });
      expect(categoryCounts).toContainEqual({ check: 'waived', type: 'CarePlan', violated: 1, findings: 1 });
    });
  });

  test('keeps the last written counts of a day', async () => {
    const day = dayNumber(Date.UTC(2026, 0, 1));
    const count = { type: 'CarePlan', applied: 20, violated: 1, skipped: 0, findings: 2 } as const;
    await world.store.findings.write(day, [{ ...count, check: 'old' }]);
    await world.store.findings.write(day + 1, [{ ...count, check: 'all' }]);
    await world.store.findings.write(day, [{ ...count, check: 'all' }]);
    expect(await world.store.findings.read(day, day + 1)).toEqual([
      { day, check: 'all', ...count },
      { day: day + 1, check: 'all', ...count },
    ]);
    expect(await world.store.findings.read(day + 2, day + 9)).toEqual([]);
  });

  test('compares two days by new, resolved and persisting findings', async () => {
    const firstDay = dayNumber(Date.UTC(2026, 0, 1));
    const createLaterVersion = (version: number, issues: typeof brokenIssues) => ({
      ...world.next('r-3', version, 'Later', { type: 'CarePlan', issues }),
      lastUpdated: '2026-01-05T00:00:00.000Z',
    });
    await world.store.replace(
      createLaterVersion(2, [issue('schema-code', '/status'), issue('other', '/b')]),
      1,
    );
    const changes = await world.store.findings.compare(firstDay, firstDay + 4, '2026-01-05');
    const findChange = (rule: string) =>
      changes.find((change) => change.rule === rule && change.type === 'CarePlan');
    expect(findChange('other')).toMatchObject({ new: 1, resolved: 0, persisting: 0 });
    expect(findChange('ext-1')).toMatchObject({ new: 0, resolved: 1, persisting: 9 });
    expect(findChange('schema-code')).toMatchObject({ new: 0, resolved: 1, persisting: 29 });
  });
}
