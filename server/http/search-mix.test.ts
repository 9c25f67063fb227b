/**
 * Compares random searches with a naive search, with changes in between.
 *
 * Environment: SEARCH_MIX_QUERIES=20000 for more queries, SEARCH_MIX_SEED for others,
 * SEARCH_MIX_RECORDS=FOLDER for JSON and NDJSON records instead of generated ones. The same seed fails at
 * the same query.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { sampleOf } from '../../core/types/testing/samples.ts';
import { generateClinic } from '../demo/generate.ts';
import { Random } from '../demo/random.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import type { SearchCase } from './testing/naive-questions.ts';
import { NaiveStore } from './testing/naive-store.ts';
import { formOf, formsOf, QueryMix, type Shape } from './testing/query-mix.ts';

const {
  SEARCH_MIX_QUERIES: queries = process.env.LONG_TESTS === undefined ? '150' : '1000',
  SEARCH_MIX_SEED: seed = '16',
  SEARCH_MIX_RECORDS: folder,
} = process.env;

const fhir = '/fhir-r4/v1';

/** Mismatches that end a run. */
const maxMismatches = 10;

function generateRecords(): string[] {
  const samples = resourceTypes.flatMap((type) =>
    sampleOf(type).searched.map((record) => JSON.stringify(record)),
  );
  return [...samples, ...[...generateClinic({ patients: 12 })].map(({ text }) => text)];
}

function readRecords(from: string): string[] {
  const readText = (path: string) => readFileSync(path, 'utf8');
  const jsonRecords = globSync(join(from, '**/*.json'))
    .sort()
    .map((path) => JSON.stringify(JSON.parse(readText(path))));
  return [
    ...jsonRecords,
    ...globSync(join(from, '**/*.ndjson')).flatMap((path) => readText(path).trim().split('\n')),
  ];
}

class Mix {
  private readonly server: TestServer;
  private readonly random = new Random(Number(seed), 0, 0x16);
  private readonly stores = new Map<ResourceType, NaiveStore>();
  private readonly mix: QueryMix;
  /** Latest queries per type. */
  private readonly former = new Map<ResourceType, (readonly SearchCase[])[]>();
  readonly wrong: string[] = [];
  readonly usedForms = new Set<string>();

  constructor(server: TestServer) {
    this.server = server;
    this.mix = new QueryMix(this.random, server.origin + fhir);
  }

  async load(texts: readonly string[]): Promise<void> {
    const lines = { 'Content-Type': 'application/x-ndjson' };
    const textsWithIds = texts.map((text) => JSON.stringify({ ...JSON.parse(text), id: this.random.uuid() }));
    const path = '/app/import?level=off&keepIds=true';
    const { text } = await this.server.send('POST', path, textsWithIds.join('\n'), lines);
    expect(text).toContain('"refused":0');
    for (const type of resourceTypes) {
      const store = new NaiveStore(type);
      const exportResponse = await this.server.send('GET', `/app/export?type=${type}`);
      for (const line of exportResponse.text.trim().split('\n')) store.put(JSON.parse(line));
      this.stores.set(type, store);
    }
  }

  /** Runs searches over each form of each parameter in turn and records mismatches. */
  async run(count: number): Promise<void> {
    const forms = resourceTypes.flatMap((type) => formsOf(type).map((form) => ({ type, form })));
    for (let number = 0; number < count && this.wrong.length < maxMismatches; number += 1) {
      if (this.random.chance(25)) await this.change();
      const { type, form } = forms[number % forms.length] ?? {};
      const store = type && this.stores.get(type);
      if (!store || !form) throw new Error('There is nothing to ask.');
      const former = this.former.get(type) ?? [];
      // Repeats earlier queries after changes, because their cached matches are updated.
      const repeated = this.random.chance(30)
        ? former[this.random.integerBetween(0, former.length - 1)]
        : undefined;
      const questions = repeated ?? this.mix.questions(store, type, form);
      this.former.set(type, [questions, ...former].slice(0, 12));
      for (const question of questions) this.note(type, question);
      const shape = this.mix.shape(type);
      const fault = await this.faultOf(store, questions, shape);
      if (fault === undefined) continue;
      const query = questions.map(({ name, value }) => `${name}=${value}`).join('&');
      this.wrong.push(`seed ${seed}, query ${number}: ${type}?${query} ${JSON.stringify(shape)}: ${fault}`);
    }
  }

  private note(type: string, question: SearchCase): void {
    const { name, modifier } = formOf(question);
    this.usedForms.add(`${type}.${name}:${modifier}`);
  }

  /** Stores a new record or another version of one. */
  private async change(): Promise<void> {
    const { random, mix } = this;
    const type = random.pick(resourceTypes);
    const store = this.stores.get(type);
    if (!store) return;
    const [record, otherRecord] = [random.pick(store.records), random.pick(store.records)];
    const mixedRecord = mix.mixRecord(store.records);
    const path = `${fhir}/${type}`;
    const { status, json } = await random.pick([
      () => this.server.send('POST', path, JSON.stringify(mixedRecord)),
      () =>
        this.server.send('PUT', `${path}/${record.id}`, JSON.stringify({ ...mixedRecord, id: record.id })),
      () => this.server.send('PATCH', `${path}/${record.id}`, JSON.stringify(mix.patch(record, otherRecord))),
    ])();
    if (status === 200 || status === 201) store.put(json);
    // A patch needs its element. Everything else is stored at level off.
    else expect([status, json.issue[0].code]).toEqual([422, 'processing']);
  }

  /** Describes a wrong response. Undefined if it equals the naive search. */
  private async faultOf(store: NaiveStore, questions: readonly SearchCase[], shape: Shape) {
    const expected = store.matches(questions);
    const { total, sort, summary, pages } = shape;
    const count = pages === undefined ? undefined : Math.max(1, Math.ceil(expected.size / pages));
    const query = new URLSearchParams([
      ...questions.map(({ name, value }): [string, string] => [name, value]),
      ...Object.entries({
        ...(sort !== undefined && { _sort: sort }),
        ...(total !== undefined && { _total: total }),
        ...(count !== undefined && { _count: String(count) }),
        ...(summary === undefined ? { _elements: 'id' } : { _summary: summary }),
      }),
    ]).toString();
    const path = `${fhir}/${store.type}`;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const firstPage = shape.post
      ? await this.server.send('POST', `${path}/_search`, query, form)
      : await this.server.send('GET', `${path}?${query}`);
    if (firstPage.status !== 200) return `${firstPage.status} ${firstPage.json.issue[0].details.text}`;
    const totalOf = total === 'none' && summary !== 'count' ? undefined : expected.size;
    if (firstPage.json.total !== totalOf) return `total ${firstPage.json.total}, not ${totalOf ?? 'absent'}`;
    if (summary === 'count')
      return (firstPage.json.entry ?? []).length > 0 ? 'entries in a count' : undefined;
    const { met, size } = await this.pagesFrom(firstPage.json, shape.changing && count !== undefined);
    if (count !== undefined && size > count) return `a page of ${size} of ${count}`;
    if (new Set(met).size < met.length) return 'a record twice';
    // A record that changes between two pages may appear if it matches before or after, and must appear if
    // it matches both times.
    const now = store.matches(questions);
    const missing = [...expected].filter((id) => now.has(id) && !met.includes(id));
    const unexpected = met.filter((id) => !expected.has(id) && !now.has(id));
    if (missing.length > 0 || unexpected.length > 0)
      return `missing ${missing.slice(0, 3).join()} (${missing.length}), more ${unexpected.slice(0, 3).join()} (${unexpected.length})`;
    return shape.changing ? undefined : store.disorder(met, sort);
  }

  /** Returns the ids of a page and all following pages, and the size of the largest page. */
  private async pagesFrom(firstPage: Json, changing: boolean): Promise<{ met: string[]; size: number }> {
    const seenIds: string[] = [];
    let size = 0;
    for (let page: Json = firstPage; page !== undefined;) {
      const ids: string[] = page.entry.map(({ resource }: Json) => resource.id);
      seenIds.push(...ids);
      size = Math.max(size, ids.length);
      const next = page.link.find(({ relation }: Json) => relation === 'next')?.url;
      if (next && changing) await this.change();
      page = next && (await this.server.send('GET', next.slice(this.server.origin.length))).json;
    }
    return { met: seenIds, size };
  }
}

const queriesPerRun = Math.ceil(Number(queries) / 2);

describe.each([
  ['on the spot', {}],
  ['by threads beside', { minRecords: 0 }],
])('%s', (_, readers) => {
  test.skipIf(folder !== undefined && !existsSync(folder))(
    `finds the results of a naive search in ${queriesPerRun} random searches`,
    async () => {
      const ticks = new Random(Number(seed), 1, 0x16);
      let now = Date.parse('2026-03-01T00:00:00Z');
      // Timestamps depend on the seed. Some share a second, others are hours apart.
      const clock = () =>
        (now += ticks.chance(90) ? ticks.integerBetween(1, 3000) : ticks.integerBetween(1, 9_000_000));
      const server = await startTestServer({ validation: 'off' }, undefined, { clock, readers });
      try {
        const mix = new Mix(server);
        await mix.load(folder === undefined ? generateRecords() : readRecords(folder));
        await mix.run(queriesPerRun);
        expect(mix.wrong).toEqual([]);
        const forms = resourceTypes.flatMap((type) =>
          formsOf(type).map(({ name, modifier }) => `${type}.${name}:${modifier}`),
        );
        if (queriesPerRun >= 20 * forms.length)
          expect(forms.filter((form) => !mix.usedForms.has(form))).toEqual([]);
      } finally {
        await server.remove();
      }
    },
    // Long enough for a busy machine.
    600_000 + queriesPerRun * 1000,
  );
});
