/**
 * Random searches over all parameters, modifiers and prefixes, with changes between them, beside a naive search. By hand:
 * SEARCH_MIX_QUERIES=20000 for more of them, SEARCH_MIX_SEED for others, SEARCH_MIX_RECORDS=FOLDER for the records of a
 * folder, JSON and NDJSON, in place of the generated ones. A run that is repeated with the seed fails at the same query.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { sampleOf } from '../../core/types/testing/samples.ts';
import { generateClinic } from '../demo/generate.ts';
import { Random } from '../demo/random.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import type { Question } from './testing/naive-questions.ts';
import { NaiveStore } from './testing/naive-store.ts';
import { formOf, formsOf, QueryMix, type Shape } from './testing/query-mix.ts';

const {
  SEARCH_MIX_QUERIES: queries = process.env.LONG_TESTS === undefined ? '150' : '1000',
  SEARCH_MIX_SEED: seed = '16',
  SEARCH_MIX_RECORDS: folder,
} = process.env;

const fhir = '/fhir-r4/v1';

/** Mismatches after which a run ends. */
const enough = 10;

function generated(): string[] {
  const samples = resourceTypes.flatMap((type) => sampleOf(type).searched.map((one) => JSON.stringify(one)));
  return [...samples, ...[...generateClinic({ patients: 12 })].map(({ text }) => text)];
}

function recordsOf(from: string): string[] {
  const read = (path: string) => readFileSync(path, 'utf8');
  const whole = globSync(join(from, '**/*.json'))
    .sort()
    .map((path) => JSON.stringify(JSON.parse(read(path))));
  return [...whole, ...globSync(join(from, '**/*.ndjson')).flatMap((path) => read(path).trim().split('\n'))];
}

class Mix {
  private readonly server: TestServer;
  private readonly random = new Random(Number(seed), 0, 0x16);
  private readonly stores = new Map<ResourceType, NaiveStore>();
  private readonly mix: QueryMix;
  /** What was asked last of a type. */
  private readonly former = new Map<ResourceType, (readonly Question[])[]>();
  readonly wrong: string[] = [];
  readonly asked = new Set<string>();

  constructor(server: TestServer) {
    this.server = server;
    this.mix = new QueryMix(this.random, server.origin + fhir);
  }

  async load(texts: readonly string[]): Promise<void> {
    const lines = { 'Content-Type': 'application/x-ndjson' };
    const named = texts.map((text) => JSON.stringify({ ...JSON.parse(text), id: this.random.uuid() }));
    const path = '/app/import?level=off&keepIds=true';
    const { text } = await this.server.send('POST', path, named.join('\n'), lines);
    expect(text).toContain('"refused":0');
    for (const type of resourceTypes) {
      const store = new NaiveStore(type);
      const exported = await this.server.send('GET', `/app/export?type=${type}`);
      for (const line of exported.text.trim().split('\n')) store.put(JSON.parse(line));
      this.stores.set(type, store);
    }
  }

  /** Asks so many searches, each form of each parameter in turn, and notes what is wrong. */
  async run(count: number): Promise<void> {
    const forms = resourceTypes.flatMap((type) => formsOf(type).map((form) => ({ type, form })));
    for (let number = 0; number < count && this.wrong.length < enough; number += 1) {
      if (this.random.chance(25)) await this.change();
      const { type, form } = forms[number % forms.length] ?? {};
      const store = type && this.stores.get(type);
      if (!store || !form) throw new Error('There is nothing to ask.');
      const former = this.former.get(type) ?? [];
      // What was asked before is asked again after changes, of sets of matches that are kept and mended.
      const repeated = this.random.chance(30) ? former[this.random.between(0, former.length - 1)] : undefined;
      const questions = repeated ?? this.mix.questions(store, type, form);
      this.former.set(type, [questions, ...former].slice(0, 12));
      for (const one of questions) this.note(type, one);
      const shape = this.mix.shape(type);
      const fault = await this.faultOf(store, questions, shape);
      if (fault === undefined) continue;
      const query = questions.map(({ name, value }) => `${name}=${value}`).join('&');
      this.wrong.push(`seed ${seed}, query ${number}: ${type}?${query} ${JSON.stringify(shape)}: ${fault}`);
    }
  }

  private note(type: string, question: Question): void {
    const { name, modifier } = formOf(question);
    this.asked.add(`${type}.${name}:${modifier}`);
  }

  /** Stores a record under a new id, or another version of one. */
  private async change(): Promise<void> {
    const { random, mix } = this;
    const type = random.pick(resourceTypes);
    const store = this.stores.get(type);
    if (!store) return;
    const [record, other] = [random.pick(store.records), random.pick(store.records)];
    const made = mix.crossed(store.records);
    const path = `${fhir}/${type}`;
    const { status, json } = await random.pick([
      () => this.server.send('POST', path, JSON.stringify(made)),
      () => this.server.send('PUT', `${path}/${record.id}`, JSON.stringify({ ...made, id: record.id })),
      () => this.server.send('PATCH', `${path}/${record.id}`, JSON.stringify(mix.patch(record, other))),
    ])();
    if (status === 200 || status === 201) store.put(json);
    // A patch needs its element; all else is stored at level off.
    else expect([status, json.issue[0].code]).toEqual([422, 'processing']);
  }

  /** What is wrong with the answer, in a few words; undefined where it is what the naive search finds. */
  private async faultOf(store: NaiveStore, questions: readonly Question[], shape: Shape) {
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
    const first = shape.post
      ? await this.server.send('POST', `${path}/_search`, query, form)
      : await this.server.send('GET', `${path}?${query}`);
    if (first.status !== 200) return `${first.status} ${first.json.issue[0].details.text}`;
    const totalOf = total === 'none' && summary !== 'count' ? undefined : expected.size;
    if (first.json.total !== totalOf) return `total ${first.json.total}, not ${totalOf ?? 'absent'}`;
    if (summary === 'count') return (first.json.entry ?? []).length > 0 ? 'entries in a count' : undefined;
    const { met, size } = await this.pagesFrom(first.json, shape.changing && count !== undefined);
    if (count !== undefined && size > count) return `a page of ${size} of ${count}`;
    if (new Set(met).size < met.length) return 'a record twice';
    // What changed between two pages may be met where it is a match before or after, and is where it is both.
    const now = store.matches(questions);
    const missing = [...expected].filter((id) => now.has(id) && !met.includes(id));
    const more = met.filter((id) => !expected.has(id) && !now.has(id));
    if (missing.length > 0 || more.length > 0)
      return `missing ${missing.slice(0, 3).join()} (${missing.length}), more ${more.slice(0, 3).join()} (${more.length})`;
    return shape.changing ? undefined : store.disorder(met, sort);
  }

  /** The ids of a page and of all behind it, and how many the largest page has. */
  private async pagesFrom(first: Json, changing: boolean): Promise<{ met: string[]; size: number }> {
    const met: string[] = [];
    let size = 0;
    for (let page: Json = first; page !== undefined;) {
      const ids: string[] = page.entry.map(({ resource }: Json) => resource.id);
      met.push(...ids);
      size = Math.max(size, ids.length);
      const next = page.link.find(({ relation }: Json) => relation === 'next')?.url;
      if (next && changing) await this.change();
      page = next && (await this.server.send('GET', next.slice(this.server.origin.length))).json;
    }
    return { met, size };
  }
}

const half = Math.ceil(Number(queries) / 2);

describe.each([
  ['on the spot', {}],
  ['by threads beside', { fewest: 0 }],
])('%s', (_, readers) => {
  test.skipIf(folder !== undefined && !existsSync(folder))(
    `${half} random searches find what a naive search finds`,
    async () => {
      const ticks = new Random(Number(seed), 1, 0x16);
      let now = Date.parse('2026-03-01T00:00:00Z');
      // Stamps come from the seed too; some share a second, and hours lie between others.
      const clock = () => (now += ticks.chance(90) ? ticks.between(1, 3000) : ticks.between(1, 9_000_000));
      const server = await startTestServer({ validation: 'off' }, undefined, { clock, readers });
      try {
        const mix = new Mix(server);
        await mix.load(folder === undefined ? generated() : recordsOf(folder));
        await mix.run(half);
        expect(mix.wrong).toEqual([]);
        const forms = resourceTypes.flatMap((type) =>
          formsOf(type).map(({ name, modifier }) => `${type}.${name}:${modifier}`),
        );
        if (half >= 20 * forms.length) expect(forms.filter((one) => !mix.asked.has(one))).toEqual([]);
      } finally {
        await server.remove();
      }
    },
    // So long that a busy machine never meets it.
    600_000 + half * 1000,
  );
});
