import { expect, test } from 'vitest';
import { readCompanion } from '../../../core/fhir/companion.ts';
import { worldOf, type Engine } from './contract-store.ts';

const doer = { who: 'a', person: 'Ada', requestId: 'r' };
const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000a';
const patient = '{"resourceType":"Patient","x":[1.10,1e3,-0.0],"name":[{"given":["\\u0041da"]}],"id":"p1"}';

/** What came with records and is none: kept as it came, found by reference, removed; each with its entry. */
export function companions(engine: Engine): void {
  const world = worldOf(engine);
  const keep = (type: string, id: string, more = '', fullUrl?: string) =>
    keepText(type, `{"resourceType":"${type}","id":"${id}"${more}}`, fullUrl);
  const keepText = (type: string, text: string, fullUrl?: string) =>
    world.store.companions.keep(readCompanion(type, text, fullUrl), doer);
  const entries = async () => {
    const page = await world.store.audit.page({ changes: true }, undefined, 1000);
    return page.entries.map(({ action, what, status, who, person }) => [action, what, status, who, person]);
  };

  test('keeps one to the last digit, and leaves it as it is where the same comes again', async () => {
    const { companions: store } = world.store;
    expect(await store.fateOf(readCompanion('Patient', patient, urn))).toBe('kept');
    expect(await store.read({ type: 'Patient', id: 'p1' })).toBeUndefined();
    expect(await keepText('Patient', patient, urn)).toBe('kept');
    expect(await store.read({ type: 'Patient', id: 'p1' })).toEqual({
      ...{ type: 'Patient', id: 'p1', text: patient, fullUrl: urn },
    });
    expect(await store.fateOf(readCompanion('Patient', patient, urn))).toBe('unchanged');
    expect(await keepText('Patient', patient, urn)).toBe('unchanged');
    expect(await store.read({ type: 'Encounter', id: 'p1' })).toBeUndefined();
  });

  const atA = 'https://a.example/fhir/Patient/p1';
  const atB = 'https://b.example/fhir/Patient/p1';
  test.each([
    ['the same address', atA, atA, 'replaced'],
    ['another address', atA, atB, 'refused'],
    ['a urn in place of an address', atA, urn, 'refused'],
    ['the same urn', urn, urn, 'refused'],
    ['no address', atA, undefined, 'refused'],
    ['an address where the former one had none', undefined, atA, 'refused'],
    ['no address twice', undefined, undefined, 'replaced'],
  ] as const)('treats other content under %s (%s, then %s) as %s', async (_what, first, second, fate) => {
    const { companions: store } = world.store;
    const other = patient.replace('1.10', '1.1');
    expect(await keepText('Patient', patient, first)).toBe('kept');
    const before = await entries();
    expect(await store.fateOf(readCompanion('Patient', other, second))).toBe(fate);
    expect(await keepText('Patient', other, second)).toBe(fate);
    const isRefused = fate === 'refused';
    expect(await store.read({ type: 'Patient', id: 'p1' })).toEqual({
      ...{ type: 'Patient', id: 'p1', text: isRefused ? patient : other },
      ...(first !== undefined && { fullUrl: first }),
    });
    expect((await entries()).length - before.length).toBe(isRefused ? 0 : 1);
  });

  test.each([
    ['another address', atA, atB, 'refused', atA],
    ['no address', atA, undefined, 'unchanged', atA],
    ['its first address', undefined, atA, 'replaced', atA],
  ] as const)(
    'treats the same content under %s (%s, then %s) as %s',
    async (_what, first, second, fate, at) => {
      expect(await keepText('Patient', patient, first)).toBe('kept');
      expect(await keepText('Patient', patient, second)).toBe(fate);
      const found = await world.store.companions.resolve(at);
      expect(found).toEqual({ type: 'Patient', id: 'p1', text: patient, fullUrl: at });
    },
  );

  test('addresses of any kind and length are found, and are the same again', async () => {
    const { companions: store } = world.store;
    const long = `https://clinic.example/${'x'.repeat(9000)}`;
    for (const [at, fullUrl] of [
      `${long}/1`,
      `${long}/2`,
      'urn:oid:1\u0000',
      '\u00e4€😀/Patient/1',
    ].entries()) {
      const one = readCompanion('Patient', `{"resourceType":"Patient","id":"${at}"}`, fullUrl);
      expect(await store.keep(one, doer)).toBe('kept');
      expect(await store.keep(one, doer)).toBe('unchanged');
      expect(await store.resolve(fullUrl)).toMatchObject({ id: String(at) });
    }
  });

  test('a reference leads to what came under its address, else to its type and id, or its urn’s id', async () => {
    const { companions: store } = world.store;
    await keep('Patient', 'p1', '', urn);
    await keep('Encounter', 'e1', '', 'https://clinic.example/fhir/Encounter/e1');
    await keep('Location', 'l1');
    await keep('Device', '7');
    await keep('Group', '7');
    await keep('Organization', '0d1e2f3a-0000-4000-8000-00000000000b');
    const own = 'https://here.example/fhir-r4/v1';
    const meant = async (reference: string) => {
      const found = await store.resolve(reference, own);
      return found && `${found.type}/${found.id}`;
    };
    expect(await meant('Patient/p1')).toBe('Patient/p1');
    expect(await meant('Patient/p1/_history/3')).toBe('Patient/p1');
    expect(await meant(urn.toUpperCase())).toBe('Patient/p1');
    expect(await meant('https://clinic.example/fhir/Encounter/e1/_history/2')).toBe('Encounter/e1');
    expect(await meant(`${own}/Encounter/e1`)).toBe('Encounter/e1');
    expect(await meant('https://clinic.example/fhir/Location/l1')).toBe('Location/l1');
    expect(await meant('urn:uuid:0D1E2F3A-0000-4000-8000-00000000000B')).toBe(
      'Organization/0d1e2f3a-0000-4000-8000-00000000000b',
    );
    for (const none of ['https://elsewhere.example/Encounter/e1', 'Patient/e1', '#p1', 'p1', 'urn:oid:7', ''])
      expect([none, await meant(none)]).toEqual([none, undefined]);
  });

  test('refuses one whose urn another resource has, whatever its id', async () => {
    await keep('Patient', 'a', '', urn);
    const other = readCompanion('Patient', '{"resourceType":"Patient","id":"b"}', urn);
    expect(await world.store.companions.fateOf(other)).toBe('refused');
    expect(await world.store.companions.keep(other, doer)).toBe('refused');
    expect(await world.store.companions.resolve(urn)).toMatchObject({ id: 'a' });
    expect(await world.store.companions.read({ type: 'Patient', id: 'b' })).toBeUndefined();
  });

  test('of two that came under one address the newer is meant', async () => {
    await keep('Patient', 'a', '', atA);
    await keep('Patient', 'b', '', atA);
    expect(await world.store.companions.resolve(atA)).toMatchObject({ id: 'b' });
    await keep('Patient', 'a', ',"active":true', atA);
    expect(await world.store.companions.resolve(atA)).toMatchObject({ id: 'a' });
  });

  test('they are counted by type, named in the order of their ids, and removed', async () => {
    const { companions: store } = world.store;
    await Promise.all(Array.from({ length: 501 }, (_, at) => keep('Observation', `o-${at}`)));
    for (const id of ['b', 'a', 'B', '10', '9']) await keep('Patient', id);
    expect(await store.counts()).toEqual([
      { type: 'Observation', count: 501 },
      { type: 'Patient', count: 5 },
    ]);
    const names = async (after: string, limit: number) =>
      (await store.names('Patient', after, limit)).map(({ type, id }) => `${type}/${id}`);
    expect(await names('', 3)).toEqual(['Patient/10', 'Patient/9', 'Patient/B']);
    expect(await names('B', 3)).toEqual(['Patient/a', 'Patient/b']);
    expect(await names('b', 3)).toEqual([]);
    // More than one commit takes.
    expect(await store.remove('Observation', doer)).toBe(501);
    expect((await entries()).filter(([action]) => action === 'delete')).toHaveLength(1);
    expect(await store.counts()).toEqual([{ type: 'Patient', count: 5 }]);
    expect(await store.remove(undefined, doer)).toBe(5);
    expect(await store.remove(undefined, doer)).toBe(0);
    expect(await store.counts()).toEqual([]);
  });

  test('what is kept, replaced or removed has its entry, and what stays as it is has none', async () => {
    const { companions: store } = world.store;
    await keep('Patient', 'p1');
    await keep('Patient', 'p1');
    await keep('Patient', 'p1', ',"active":true');
    await store.keep(readCompanion('Group', '{"resourceType":"Group","id":"g"}'), {
      ...{ who: 'b', requestId: '' },
    });
    await store.remove('Patient', doer);
    await store.remove(undefined, doer);
    expect(await entries()).toEqual([
      ['delete', '/app/companions', 200, 'a', 'Ada'],
      ['delete', '/app/companions/Patient', 200, 'a', 'Ada'],
      ['create', '/app/companions/Group/g', 0, 'b', undefined],
      ['update', '/app/companions/Patient/p1', 200, 'a', 'Ada'],
      ['create', '/app/companions/Patient/p1', 201, 'a', 'Ada'],
    ]);
    expect(await world.store.audit.verify()).not.toHaveProperty('broken');
  });

  test('of one that is kept many times at once each change has its entry', async () => {
    const fates = await Promise.all(
      Array.from({ length: 40 }, (_, at) => keep('Patient', 'p', `,"birthDate":"19${10 + (at % 20)}"`)),
    );
    expect(fates.filter((fate) => fate === 'kept')).toHaveLength(1);
    const changes = fates.filter((fate) => fate !== 'unchanged');
    expect(await entries()).toHaveLength(changes.length);
    expect(await world.store.companions.counts()).toEqual([{ type: 'Patient', count: 1 }]);
  });

  test('the stamp is another whenever there are others, and the same where nothing was kept or removed', async () => {
    const { companions: store } = world.store;
    let changes = 0;
    store.onChange(() => (changes += 1));
    const stamps = [await store.stamp()];
    const noted = async (work: Promise<unknown>) => {
      await work;
      stamps.push(await store.stamp());
    };
    await noted(keep('Patient', '1'));
    await noted(keep('Patient', '2'));
    await noted(keep('Patient', '2', ',"active":true'));
    await noted(store.remove('Patient', doer));
    // As many as before, the last of them like the one before.
    await noted(Promise.all([keep('Patient', '1'), keep('Patient', '2', ',"active":true')]));
    expect(new Set(stamps.slice(1)).size).toBe(stamps.length - 1);
    expect(changes).toBe(6);
    await keep('Patient', '2', ',"active":true');
    expect([await store.stamp(), changes]).toEqual([stamps.at(-1), 6]);
  });
}
