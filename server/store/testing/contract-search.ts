import { beforeEach, describe, expect, test } from 'vitest';
import { facetOf } from '../../../core/fhir/facet.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { toCriteria, idsOf, worldOf, type Engine } from './contract-store.ts';

const long = 'long '.repeat(900).trim();

/** Test records by id. Each search below matches some of them. */
const records: Readonly<Record<string, object>> = {
  plain: { status: 'final', title: 'Discharge letter', date: '2021-05-04' },
  month: { status: 'amended', title: 'Letter of Ähren', date: '2021-05' },
  coded: {
    title: 'Percent 100%_sure',
    date: '2022',
    type: { coding: [{ system: 'http://s', code: 'A-1' }] },
    category: [{ coding: [{ code: 'x' }, { system: 'http://t', code: 'X' }], text: 'Surgery' }],
  },
  referring: {
    title: 'Other',
    date: '2023-01-01T10:00:00Z',
    subject: { reference: 'Patient/q' },
    author: [{ reference: 'Practitioner/a' }],
    encounter: { reference: 'Encounter/e' },
  },
  elsewhere: { title: 'Elsewhere', date: '2024', subject: { reference: 'http://other/fhir/Patient/q' } },
  bare: { title: '', date: undefined, subject: undefined, status: undefined },
  lengthy: {
    title: long,
    date: '2020',
    identifier: { system: 'http://i', value: long },
    subject: { reference: `Patient/${'p'.repeat(64)}` },
  },
};

const searches: readonly (readonly [expected: string, ...pairs: Pair[]])[] = [
  ['plain', ['title', 'discharge']],
  ['', ['title', 'letter of the']],
  ['month', ['title', 'letter of ahren']],
  ['month plain', ['title:contains', 'LETTER']],
  ['coded', ['title:contains', '100%_']],
  ['', ['title:contains', '100%a']],
  ['', ['title:contains', '1__%']],
  ['plain', ['title:exact', 'Discharge letter']],
  ['', ['title:exact', 'discharge letter']],
  ['lengthy', ['title', long.slice(0, 1500)]],
  ['lengthy', ['title:contains', long.slice(700, 1900)]],
  ['', ['title', `${long.slice(0, 250)}x`]],
  ['coded', ['type', 'http://s|a-1']],
  ['coded', ['type', 'A-1']],
  ['', ['type', '|A-1']],
  ['coded', ['type', 'http://s|']],
  ['coded', ['category', '|x']],
  ['coded', ['category', 'http://t|x']],
  ['coded', ['category:text', 'surg']],
  ['lengthy', ['identifier', `http://i|${long}`]],
  ['', ['identifier', `http://i|${long}x`]],
  ['month', ['status', 'amended']],
  ['bare coded elsewhere lengthy month plain referring', ['status:not', 'superseded']],
  ['month plain', ['status', 'final,amended'], ['title:contains', 'letter']],
  ['elsewhere referring', ['subject', 'q']],
  ['elsewhere referring', ['subject', 'Patient/q']],
  ['elsewhere', ['subject', 'http://other/fhir/Patient/q']],
  ['', ['subject', 'Group/q']],
  ['referring', ['subject', 'q'], ['author', 'Practitioner/a']],
  ['referring', ['encounter', 'e']],
  ['bare', ['subject:missing', 'true']],
  ['bare', ['date:missing', 'true']],
  ['coded elsewhere lengthy month plain', ['encounter:missing', 'true'], ['date:missing', 'false']],
  ['month plain', ['date', '2021-05']],
  ['plain', ['date', '2021-05-04']],
  ['month plain', ['date', 'ge2021-05-04'], ['date', 'lt2022']],
  ['coded elsewhere referring', ['date', 'gt2021-12-31']],
  ['lengthy month plain', ['date', 'lt2022']],
  ['lengthy month', ['date', 'eb2021-06'], ['date', 'ne2021-05-04']],
  ['elsewhere referring', ['date', 'sa2022']],
  ['coded plain', ['_id', 'plain,coded,none']],
  ['plain', ['_lastUpdated', 'lt2026-01-01T00:00:02Z']],
  ['coded month', ['_lastUpdated', 'ge2026-01-01T00:00:02Z'], ['_lastUpdated', 'le2026-01-01T00:00:03Z']],
];

/** Tests searches of every kind, their totals, facets and counts. */
export function search(engine: Engine): void {
  const world = worldOf(engine);
  beforeEach(async () => {
    const versions = Object.entries(records).map(([id, members]) => world.next(id, 1, '', { members }));
    await Promise.all(versions.map((version) => world.store.insert(version)));
  });

  test.each(searches.map(([expected, ...pairs]) => [formatPairs(pairs), expected, pairs] as const))(
    '%s finds “%s”',
    async (_name, expected, pairs) => {
      const criteria = toCriteria(...pairs);
      const page = await world.store.search(criteria, 100);
      expect(idsOf(page).sort().join(' ')).toBe(expected);
      const count = expected === '' ? 0 : expected.split(' ').length;
      expect([page.total, await world.store.total(criteria)]).toEqual([count, count]);
    },
  );

  test('reflects each write in searches', async () => {
    const countMatches = async (...pairs: Pair[]) => world.store.total(toCriteria(...pairs));
    const category = (...codes: string[]) => ({
      members: { category: codes.map((code) => ({ coding: [{ code }] })) },
    });
    await world.store.insert(world.next('one', 1, 'Begins', category('a', 'b', 'b')));
    const counts = () => Promise.all(['a', 'b', 'c', 'd'].map((code) => countMatches(['category', code])));
    expect(await counts()).toEqual([1, 1, 0, 0]);
    await world.change('one', 'Goes on', category('b', 'c'));
    expect(await counts()).toEqual([0, 1, 1, 0]);
    expect(await countMatches(['title', 'begins'])).toBe(0);
    await world.change('one', 'Goes on', category('d', 'b', 'c'));
    expect(await counts()).toEqual([0, 1, 1, 1]);
    expect([
      await countMatches(['title', 'goes']),
      await countMatches(['subject', 'p'], ['title', 'goes']),
    ]).toEqual([1, 1]);
    await world.change('one', 'Goes on', { members: { subject: undefined } });
    expect(await counts()).toEqual([0, 0, 0, 0]);
    expect(await countMatches(['subject', 'p'], ['title', 'goes'])).toBe(0);
  });

  test('rejects a search whose client has disconnected', async () => {
    const signal = AbortSignal.abort();
    const criteria = toCriteria(['title:contains', 'letter']);
    const result = world.store.search(criteria, 10, signal).catch((error: unknown) => error);
    // A small store may respond at once.
    expect(await result).toEqual(
      expect.toSatisfy(
        (answer: { kind?: string; total?: number }) => answer.kind === 'unanswered' || answer.total === 2,
      ),
    );
  });

  describe('facets', () => {
    const values = async (name: string, ...pairs: Pair[]) => {
      const facet = facetOf('Composition', name);
      if (!facet) throw new Error(`There is no facet ${name}.`);
      const facetPage = await world.store.facet(toCriteria(...pairs), facet, 10);
      expect(facetPage.total).toBe(facetPage.values.length);
      return facetPage.values.map(({ value, count }) => [JSON.stringify(value), count] as const);
    };

    test('count the matches per value, most frequent first', async () => {
      const statuses = await values('status');
      expect(statuses).toEqual([
        [expect.stringContaining('"final"'), 5],
        [expect.stringContaining('"amended"'), 1],
      ]);
      expect(await values('status', ['title:contains', 'letter'])).toHaveLength(2);
      expect(await values('status', ['subject', 'q'])).toEqual([[expect.stringContaining('"final"'), 2]]);
    });

    test('group days by month, latest first', async () => {
      const months = await values('date', ['title:contains', 'letter']);
      expect(months).toEqual([['{"kind":"date","month":"2021-05"}', 2]]);
      const facet = facetOf('Composition', 'date');
      const firstValue = facet && (await world.store.facet(toCriteria(), facet, 1));
      expect(firstValue?.values[0]?.value).toEqual({ kind: 'date', month: '2024-12' });
      expect(firstValue?.total).toBeGreaterThan(12);
    });
  });

  test('lists the subjects of the latest records with their record counts', async () => {
    const newest = await world.store.listLatestSubjects(10);
    expect(newest.map(({ id, records: recordCount }) => [id.slice(0, 2), recordCount])).toEqual([
      ['pp', 1],
      ['q', 2],
      ['p', 3],
    ]);
    expect(await world.store.listLatestSubjects(1)).toHaveLength(1);
  });

  test('counts the existing ones of given records', async () => {
    expect(await world.store.countExisting('Composition', ['plain', 'none', 'coded'])).toBe(2);
    expect(await world.store.countExisting('CarePlan', ['plain'])).toBe(0);
    expect(await world.store.countExisting('Composition', [])).toBe(0);
  });
}

function formatPairs(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${name}=${value.slice(0, 30)}`).join('&');
}
