/** Every claim of /metadata, called: what the statement says decides what is asked, and a claim without a call fails. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { definitionOf, namesOf } from '../http/testing/naive-values.ts';
import type { ServerSettings } from '../settings.ts';
import { startTestServer, type Json } from '../testing/test-server.ts';
import { calls, type Call } from './testing/claim-calls.ts';
import { claimsWorld, type World } from './testing/claims-world.ts';
import { at } from './testing/records.ts';

interface Claim {
  /** Where it stands: `rest[0].resource[1].interaction[2]`. */
  readonly place: string;
  readonly value: Json;
  readonly call: Call | undefined;
  /** The type whose entry it stands in; the first where it stands in none. */
  readonly type: ResourceType;
}

/** What a statement claims: members that the table has a call for as they are, all others member by member. */
function claimsOf(value: Json, pattern = '', place = '', type = resourceTypes[0]): Claim[] {
  if (type === undefined) return [];
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => claimsOf(one, pattern, `${place}[${index}]`, type));
  }
  const call = calls[pattern];
  if (call !== undefined || typeof value !== 'object') return [{ place, value, call, type }];
  const own = pattern === 'rest.resource' ? value.type : type;
  return Object.keys(value).flatMap((name) => {
    const dot = pattern === '' ? '' : '.';
    return claimsOf(value[name], `${pattern}${dot}${name}`, `${place}${dot}${name}`, own);
  });
}

const origin = 'https://page.example';

describe.each<[string, Partial<ServerSettings>]>([
  ['as it starts', {}],
  ['with --require-subject and --allow-origin', { requireSubject: true, allowOrigins: [origin] }],
])('a server %s', (_, settings) => {
  let world: World;
  beforeAll(async () => {
    world = await claimsWorld(await startTestServer({ ...settings, failureLimit: 1000 }));
  });
  afterAll(() => world.server.remove());

  test('does what each claim of its statement says', async () => {
    const claims = claimsOf(world.statement);
    expect(claims.length).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const { place, value, call, type } of claims) {
      const called = call?.(value, world, type) ?? Promise.reject(new Error('there is no call for it'));
      await called.catch((fault: unknown) => {
        wrong.push(`${place} ${JSON.stringify(value).slice(0, 100)}: ${String(fault)}`);
      });
    }
    expect(wrong).toEqual([]);
  });

  test.each(resourceTypes)('refuses for %s what its statement does not claim', async (type) => {
    const { server } = world;
    const claimed = world.claimed(type);
    const searched: string[] = claimed.searchParam.map(({ name }: Json) => name);
    const about = world.about(type);
    for (const name of namesOf(type).filter((one) => !searched.includes(one))) {
      const { status } = await server.send('GET', `${at(type)}?${about}&${name}=x`);
      expect([name, status]).toEqual([name, 400]);
    }
    for (const name of searched.filter((one) => definitionOf(type, one).type === 'reference')) {
      for (const include of ['Include', 'RevInclude']) {
        const named = `${type}:${name}`;
        const others = resourceTypes.flatMap((one) => world.claimed(one)[`search${include}`] ?? []);
        if (others.some((one: string) => one.startsWith(named))) continue;
        const { status } = await server.send(
          'GET',
          `${at(type)}?${about}&_${include.toLowerCase()}=${named}`,
        );
        expect([include, named, status]).toEqual([include, named, 400]);
      }
    }
    const operations: string[] = claimed.operation.map(({ name }: Json) => name);
    for (const name of ['validate', 'document', 'everything', 'meta', 'apply']) {
      if (operations.includes(name)) continue;
      const { status } = await server.send('POST', `${at(type)}/$${name}`, '{}');
      expect([name, status]).toEqual([name, 404]);
    }
    expect(claimed.interaction.map(({ code }: Json) => code)).not.toContain('delete');
    expect((await server.send('DELETE', at(type, world.idOf(type)))).status).toBe(405);
  });

  test('refuses interactions with the whole system, as it claims none', async () => {
    expect(world.statement.rest[0].interaction).toBeUndefined();
    const { server } = world;
    expect((await server.send('POST', '/fhir-r4/v1', '{"resourceType":"Bundle"}')).status).toBe(405);
    expect((await server.send('GET', '/fhir-r4/v1/_history')).status).toBe(404);
  });
});
