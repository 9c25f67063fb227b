import { expect, test } from 'vitest';
import { readSupportingResource } from '../../../core/fhir/supporting-resource.ts';
import { worldOf, type Engine } from './contract-store.ts';

const actor = { who: 'a', person: 'Ada', requestId: 'r' };
const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000a';
const patient = '{"resourceType":"Patient","x":[1.10,1e3,-0.0],"name":[{"given":["\\u0041da"]}],"id":"p1"}';

/** Tests supporting resources: exact storage, resolution of references, removal, and their audit entries. */
export function supportingResources(engine: Engine): void {
  const world = worldOf(engine);
  const keepResource = (type: string, id: string, moreMembers = '', fullUrl?: string) =>
    keepText(type, `{"resourceType":"${type}","id":"${id}"${moreMembers}}`, fullUrl);
  const keepText = (type: string, text: string, fullUrl?: string) =>
    world.store.supportingResources.store(readSupportingResource(type, text, fullUrl), actor);
  const entries = async () => {
    const page = await world.store.audit.page({ changes: true }, undefined, 1000);
    return page.entries.map(({ action, what: target, status, who: actorName, person }) => [
      action,
      target,
      status,
      actorName,
      person,
    ]);
  };

  test('stores a resource exactly and leaves an identical one unchanged', async () => {
    const { supportingResources } = world.store;
    expect(await supportingResources.previewWrite(readSupportingResource('Patient', patient, urn))).toBe(
      'kept',
    );
    expect(await supportingResources.read({ type: 'Patient', id: 'p1' })).toBeUndefined();
    expect(await keepText('Patient', patient, urn)).toBe('kept');
    expect(await supportingResources.read({ type: 'Patient', id: 'p1' })).toEqual({
      type: 'Patient',
      id: 'p1',
      text: patient,
      fullUrl: urn,
    });
    expect(await supportingResources.previewWrite(readSupportingResource('Patient', patient, urn))).toBe(
      'unchanged',
    );
    expect(await keepText('Patient', patient, urn)).toBe('unchanged');
    expect(await supportingResources.read({ type: 'Encounter', id: 'p1' })).toBeUndefined();
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
  ] as const)(
    'treats other content under %s (%s, then %s) as %s',
    async (_description, firstUrl, secondUrl, writeResult) => {
      const { supportingResources } = world.store;
      const changedText = patient.replace('1.10', '1.1');
      expect(await keepText('Patient', patient, firstUrl)).toBe('kept');
      const before = await entries();
      expect(
        await supportingResources.previewWrite(readSupportingResource('Patient', changedText, secondUrl)),
      ).toBe(writeResult);
      expect(await keepText('Patient', changedText, secondUrl)).toBe(writeResult);
      const isRefused = writeResult === 'refused';
      expect(await supportingResources.read({ type: 'Patient', id: 'p1' })).toEqual({
        type: 'Patient',
        id: 'p1',
        text: isRefused ? patient : changedText,
        ...(firstUrl !== undefined && { fullUrl: firstUrl }),
      });
      expect((await entries()).length - before.length).toBe(isRefused ? 0 : 1);
    },
  );

  test.each([
    ['another address', atA, atB, 'refused', atA],
    ['no address', atA, undefined, 'unchanged', atA],
    ['its first address', undefined, atA, 'replaced', atA],
  ] as const)(
    'treats the same content under %s (%s, then %s) as %s',
    async (_description, firstUrl, secondUrl, writeResult, expectedUrl) => {
      expect(await keepText('Patient', patient, firstUrl)).toBe('kept');
      expect(await keepText('Patient', patient, secondUrl)).toBe(writeResult);
      const resource = await world.store.supportingResources.resolve(expectedUrl);
      expect(resource).toEqual({ type: 'Patient', id: 'p1', text: patient, fullUrl: expectedUrl });
    },
  );

  test('finds URLs of any kind and length', async () => {
    const { supportingResources } = world.store;
    const long = `https://clinic.example/${'x'.repeat(9000)}`;
    for (const [index, fullUrl] of [
      `${long}/1`,
      `${long}/2`,
      'urn:oid:1\u0000',
      '\u00e4€😀/Patient/1',
    ].entries()) {
      const resource = readSupportingResource(
        'Patient',
        `{"resourceType":"Patient","id":"${index}"}`,
        fullUrl,
      );
      expect(await supportingResources.store(resource, actor)).toBe('kept');
      expect(await supportingResources.store(resource, actor)).toBe('unchanged');
      expect(await supportingResources.resolve(fullUrl)).toMatchObject({ id: String(index) });
    }
  });

  test('resolves a reference by URL, then by type and id, then by the id of its URN', async () => {
    const { supportingResources } = world.store;
    await keepResource('Patient', 'p1', '', urn);
    await keepResource('Encounter', 'e1', '', 'https://clinic.example/fhir/Encounter/e1');
    await keepResource('Location', 'l1');
    await keepResource('Device', '7');
    await keepResource('Group', '7');
    await keepResource('Organization', '0d1e2f3a-0000-4000-8000-00000000000b');
    const baseUrl = 'https://here.example/fhir-r4/v1';
    const resolveName = async (reference: string) => {
      const resource = await supportingResources.resolve(reference, baseUrl);
      return resource && `${resource.type}/${resource.id}`;
    };
    expect(await resolveName('Patient/p1')).toBe('Patient/p1');
    expect(await resolveName('Patient/p1/_history/3')).toBe('Patient/p1');
    expect(await resolveName(urn.toUpperCase())).toBe('Patient/p1');
    expect(await resolveName('https://clinic.example/fhir/Encounter/e1/_history/2')).toBe('Encounter/e1');
    expect(await resolveName(`${baseUrl}/Encounter/e1`)).toBe('Encounter/e1');
    expect(await resolveName('https://clinic.example/fhir/Location/l1')).toBe('Location/l1');
    expect(await resolveName('urn:uuid:0D1E2F3A-0000-4000-8000-00000000000B')).toBe(
      'Organization/0d1e2f3a-0000-4000-8000-00000000000b',
    );
    for (const unknownReference of [
      'https://elsewhere.example/Encounter/e1',
      'Patient/e1',
      '#p1',
      'p1',
      'urn:oid:7',
      '',
    ])
      expect([unknownReference, await resolveName(unknownReference)]).toEqual([unknownReference, undefined]);
  });

  test('rejects a resource whose URN belongs to another one', async () => {
    await keepResource('Patient', 'a', '', urn);
    const otherResource = readSupportingResource('Patient', '{"resourceType":"Patient","id":"b"}', urn);
    expect(await world.store.supportingResources.previewWrite(otherResource)).toBe('refused');
    expect(await world.store.supportingResources.store(otherResource, actor)).toBe('refused');
    expect(await world.store.supportingResources.resolve(urn)).toMatchObject({ id: 'a' });
    expect(await world.store.supportingResources.read({ type: 'Patient', id: 'b' })).toBeUndefined();
  });

  test('resolves a shared URL to the newer resource', async () => {
    await keepResource('Patient', 'a', '', atA);
    await keepResource('Patient', 'b', '', atA);
    expect(await world.store.supportingResources.resolve(atA)).toMatchObject({ id: 'b' });
    await keepResource('Patient', 'a', ',"active":true', atA);
    expect(await world.store.supportingResources.resolve(atA)).toMatchObject({ id: 'a' });
  });

  test('counts resources by type, lists them by id and removes them', async () => {
    const { supportingResources } = world.store;
    await Promise.all(Array.from({ length: 501 }, (_, index) => keepResource('Observation', `o-${index}`)));
    for (const id of ['b', 'a', 'B', '10', '9']) await keepResource('Patient', id);
    expect(await supportingResources.countByType()).toEqual([
      { type: 'Observation', count: 501 },
      { type: 'Patient', count: 5 },
    ]);
    const names = async (after: string, limit: number) =>
      (await supportingResources.listNames('Patient', after, limit)).map(({ type, id }) => `${type}/${id}`);
    expect(await names('', 3)).toEqual(['Patient/10', 'Patient/9', 'Patient/B']);
    expect(await names('B', 3)).toEqual(['Patient/a', 'Patient/b']);
    expect(await names('b', 3)).toEqual([]);
    // More than one commit removes.
    expect(await supportingResources.remove('Observation', actor)).toBe(501);
    expect((await entries()).filter(([action]) => action === 'delete')).toHaveLength(1);
    expect(await supportingResources.countByType()).toEqual([{ type: 'Patient', count: 5 }]);
    expect(await supportingResources.remove(undefined, actor)).toBe(5);
    expect(await supportingResources.remove(undefined, actor)).toBe(0);
    expect(await supportingResources.countByType()).toEqual([]);
  });

  test('audits each stored, replaced or removed resource, but no unchanged one', async () => {
    const { supportingResources } = world.store;
    await keepResource('Patient', 'p1');
    await keepResource('Patient', 'p1');
    await keepResource('Patient', 'p1', ',"active":true');
    await supportingResources.store(readSupportingResource('Group', '{"resourceType":"Group","id":"g"}'), {
      who: 'b',
      requestId: '',
    });
    await supportingResources.remove('Patient', actor);
    await supportingResources.remove(undefined, actor);
    expect(await entries()).toEqual([
      ['delete', '/app/companions', 200, 'a', 'Ada'],
      ['delete', '/app/companions/Patient', 200, 'a', 'Ada'],
      ['create', '/app/companions/Group/g', 0, 'b', undefined],
      ['update', '/app/companions/Patient/p1', 200, 'a', 'Ada'],
      ['create', '/app/companions/Patient/p1', 201, 'a', 'Ada'],
    ]);
    expect(await world.store.audit.verify()).not.toHaveProperty('broken');
  });

  test('audits each change of a resource that is written concurrently', async () => {
    const writeResults = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        keepResource('Patient', 'p', `,"birthDate":"19${10 + (index % 20)}"`),
      ),
    );
    expect(writeResults.filter((writeResult) => writeResult === 'kept')).toHaveLength(1);
    const changes = writeResults.filter((writeResult) => writeResult !== 'unchanged');
    expect(await entries()).toHaveLength(changes.length);
    expect(await world.store.supportingResources.countByType()).toEqual([{ type: 'Patient', count: 1 }]);
  });

  test('changes the fingerprint with each change, and only then', async () => {
    const { supportingResources } = world.store;
    let changes = 0;
    supportingResources.onChange(() => (changes += 1));
    const fingerprints = [await supportingResources.getFingerprint()];
    const recordFingerprint = async (work: Promise<unknown>) => {
      await work;
      fingerprints.push(await supportingResources.getFingerprint());
    };
    await recordFingerprint(keepResource('Patient', '1'));
    await recordFingerprint(keepResource('Patient', '2'));
    await recordFingerprint(keepResource('Patient', '2', ',"active":true'));
    await recordFingerprint(supportingResources.remove('Patient', actor));
    // The same count as before, with the same last resource.
    await recordFingerprint(
      Promise.all([keepResource('Patient', '1'), keepResource('Patient', '2', ',"active":true')]),
    );
    expect(new Set(fingerprints.slice(1)).size).toBe(fingerprints.length - 1);
    expect(changes).toBe(6);
    await keepResource('Patient', '2', ',"active":true');
    expect([await supportingResources.getFingerprint(), changes]).toEqual([fingerprints.at(-1), 6]);
  });
}
