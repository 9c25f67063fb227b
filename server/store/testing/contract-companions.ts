import { expect, test } from 'vitest';
import { readSupportingResource } from '../../../core/fhir/supporting-resource.ts';
import type { NewVersion } from '../store.ts';
import { worldOf, type Engine } from './contract-store.ts';

const batch = 'batch:1';
const actor = { who: 'a', person: 'Ada', requestId: 'r' };
const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-00000000000a';
const patient = '{"resourceType":"Patient","x":[1.10,1e3,-0.0],"name":[{"given":["\\u0041da"]}],"id":"p1"}';

/** Tests supporting resources: exact storage, resolution of references, removal, and their audit entries. */
export function supportingResources(engine: Engine): void {
  const world = worldOf(engine);
  const keepResource = (type: string, id: string, moreMembers = '', fullUrl?: string) =>
    keepText(type, `{"resourceType":"${type}","id":"${id}"${moreMembers}}`, fullUrl);
  const keepText = (type: string, text: string, fullUrl?: string, ofBatch = batch) =>
    world.store.supportingResources.store(readSupportingResource(type, text, fullUrl), ofBatch, actor);
  const previewText = (type: string, text: string, fullUrl?: string, ofBatch = batch) =>
    world.store.supportingResources.previewWrite(readSupportingResource(type, text, fullUrl), ofBatch);
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
    expect(await previewText('Patient', patient, urn)).toBe('kept');
    expect(await supportingResources.read({ type: 'Patient', id: 'p1' })).toBeUndefined();
    expect(await keepText('Patient', patient, urn)).toBe('kept');
    expect(await supportingResources.read({ type: 'Patient', id: 'p1' })).toEqual({
      type: 'Patient',
      id: 'p1',
      source: urn,
      text: patient,
      fullUrl: urn,
    });
    expect(await previewText('Patient', patient, urn)).toBe('unchanged');
    expect(await keepText('Patient', patient, urn)).toBe('unchanged');
    expect(await supportingResources.read({ type: 'Encounter', id: 'p1' })).toBeUndefined();
  });

  const baseA = 'https://a.example/fhir';
  const baseB = 'https://b.example/fhir';
  const atA = `${baseA}/Patient/p1`;
  const atB = `${baseB}/Patient/p1`;
  const otherPatient = patient.replace('1.10', '1.1');
  const readFrom = async (source: string) => {
    const resource = await world.store.supportingResources.read({ type: 'Patient', id: 'p1', source });
    return typeof resource === 'object' ? resource.text : resource;
  };

  test.each([
    ['the same address', atA, atA, 'replaced', [baseA, baseA]],
    ['another address', atA, atB, 'kept', [baseA, baseB]],
    ['a urn in place of an address', atA, urn, 'kept', [baseA, urn]],
    // A copied urn: each import keeps what it brought.
    ['the same urn', urn, urn, 'kept', [urn, batch]],
    ['no address', atA, undefined, 'kept', [baseA, batch]],
    ['an address where the former one had none', undefined, atA, 'kept', [batch, baseA]],
    ['no address twice', undefined, undefined, 'replaced', [batch, batch]],
  ] as const)(
    'treats other content under %s (%s, then %s) as %s',
    async (_description, firstUrl, secondUrl, writeResult, [firstSource, secondSource]) => {
      expect(await keepText('Patient', patient, firstUrl)).toBe('kept');
      const before = await entries();
      expect(await previewText('Patient', otherPatient, secondUrl)).toBe(writeResult);
      expect(await keepText('Patient', otherPatient, secondUrl)).toBe(writeResult);
      expect(await previewText('Patient', otherPatient, secondUrl)).toBe('unchanged');
      expect(await readFrom(firstSource)).toBe(writeResult === 'replaced' ? otherPatient : patient);
      expect(await readFrom(secondSource)).toBe(otherPatient);
      expect((await entries()).length - before.length).toBe(1);
      const resource = await world.store.supportingResources.read({ type: 'Patient', id: 'p1' });
      if (writeResult === 'kept') expect(resource).toBe('ambiguous');
      else expect(resource).toMatchObject({ text: otherPatient });
    },
  );

  test('keeps the resources of two batches without addresses apart', async () => {
    expect(await keepText('Patient', patient, undefined, 'batch:1')).toBe('kept');
    expect(await keepText('Patient', otherPatient, undefined, 'batch:2')).toBe('kept');
    expect([await readFrom('batch:1'), await readFrom('batch:2')]).toEqual([patient, otherPatient]);
  });

  const keepRecord = (id: string, origin: NewVersion['origin']) =>
    world.store.insert({ ...world.next(id, 1, 'Plan', { type: 'CarePlan' }), origin });

  test.each<[record: string, reference: string, text: string | undefined, isFromOtherImport?: true]>([
    ['of-a', 'Patient/p1', patient],
    ['of-b', 'Patient/p1/_history/2', otherPatient],
    ['of-b', atA, patient],
    ['of-a', `${atB}/_history/1`, otherPatient],
    ['of-batch-1', 'Patient/p2', patient],
    ['of-batch-2', 'Patient/p2', otherPatient],
    ['of-urn-1', urn.toUpperCase(), patient],
    ['of-urn-2', urn, otherPatient],
    ['of-a', 'Patient/p2', undefined],
    ['of-c', 'Patient/p1', undefined],
    ['local', 'Patient/p1', undefined],
    ['of-a', 'Group/g', '{"resourceType":"Group","id":"g"}', true],
    ['of-b', 'Group/g', '{"resourceType":"Group","id":"g"}'],
    ['local', 'Group/g', '{"resourceType":"Group","id":"g"}'],
  ])(
    'resolves a reference by the source of the record: %s, %s',
    async (record, reference, text, isFromOtherImport) => {
      await keepText('Patient', patient, atA, 'batch:1');
      await keepText('Patient', otherPatient, atB, 'batch:2');
      await keepText('Patient', patient.replace('p1', 'p2'), undefined, 'batch:1');
      await keepText('Patient', otherPatient.replace('p1', 'p2'), undefined, 'batch:2');
      await keepText('Patient', patient.replace('p1', 'p3'), urn, 'batch:1');
      await keepText('Patient', otherPatient.replace('p1', 'p3'), urn, 'batch:2');
      await keepText('Group', '{"resourceType":"Group","id":"g"}', `${baseB}/Group/g`, 'batch:2');
      await keepRecord('of-a', { source: baseA, batch: 'batch:1', fullUrl: `${baseA}/CarePlan/1` });
      await keepRecord('of-b', { source: baseB, batch: 'batch:2' });
      await keepRecord('of-c', { source: 'https://c.example/fhir', batch: 'batch:3' });
      for (const name of ['batch:1', 'batch:2']) {
        await keepRecord(`of-${name.replace(':', '-')}`, { source: name, batch: name });
        await keepRecord(`of-urn-${name.at(-1)}`, { source: `urn:uuid:${name.at(-1)}`, batch: name });
      }
      await keepRecord('local', undefined);
      const { supportingResources } = world.store;
      const context = { record: { type: 'CarePlan', id: record } };
      const resource = await supportingResources.resolve(reference, context);
      if (text === undefined) expect(resource).toBe('ambiguous');
      else
        expect(resource).toMatchObject({
          text: text.replace('"p1"', `"${typeof resource === 'object' ? resource.id : ''}"`),
        });
      expect(typeof resource === 'object' && resource.isFromOtherImport).toBe(
        text === undefined ? false : isFromOtherImport,
      );
    },
  );

  test('keeps the origin of a record until its erasure', async () => {
    const { supportingResources } = world.store;
    const origin = { source: baseA, batch: 'batch:1', fullUrl: `${baseA}/CarePlan/1` };
    await keepRecord('1', origin);
    expect(await supportingResources.readOrigin({ type: 'CarePlan', id: '1' })).toEqual(origin);
    expect(await supportingResources.readOrigin({ type: 'CarePlan', id: '2' })).toBeUndefined();
    await world.store.erase([{ type: 'CarePlan', id: '1', who: 'a', reason: 'Asked for.' }]);
    expect(await supportingResources.readOrigin({ type: 'CarePlan', id: '1' })).toBeUndefined();
  });

  test('keeps the document of a Composition until its erasure', async () => {
    const { documents } = world.store;
    const name = { type: 'Composition', id: '1' };
    await world.store.insert(world.next('1', 1, 'Document'));
    const entries = [
      { ...name, source: baseA, sum: '0123456789abcdef', version: 1, links: 2, fullUrl: urn },
      { missing: 'Patient/é\u0000' },
    ];
    const document = { ...name, head: '"id":"b","identifier":{"value":"\\u0000"}', entries };
    expect(await documents.read(name)).toBeUndefined();
    await documents.store({ ...document, head: '"type":"document"', entries: [] });
    await documents.store(document);
    expect(await documents.read(name)).toEqual(document);
    expect(await documents.read({ ...name, id: '2' })).toBeUndefined();
    await world.store.erase([{ ...name, who: 'a', reason: 'Asked for.' }]);
    expect(await documents.read(name)).toBeUndefined();
  });

  test.each<[record: string, reference: string, id: string | undefined]>([
    ['of-a', 'CarePlan/1', 'a-1'],
    ['of-a', 'CarePlan/1/_history/4', 'a-1'],
    ['of-b', 'CarePlan/1', 'b-1'],
    ['of-b', `${baseA}/CarePlan/1`, 'a-1'],
    ['of-batch-1', 'CarePlan/1', undefined],
    ['of-batch-1', urn.toUpperCase(), 'urn-1'],
    ['of-batch-2', urn, 'urn-2'],
    ['of-a', urn, 'ambiguous'],
    ['of-a', 'CarePlan/2', undefined],
    ['of-a', '#1', undefined],
    ['local', 'CarePlan/1', undefined],
  ])('finds the record of a reference by its address: %s, %s', async (record, reference, id) => {
    const urnOrigin = { source: urn, fullUrl: urn };
    await keepRecord('a-1', { source: baseA, batch: 'batch:1', fullUrl: `${baseA}/CarePlan/1` });
    await keepRecord('b-1', { source: baseB, batch: 'batch:2', fullUrl: `${baseB}/CarePlan/1` });
    await keepRecord('urn-1', { ...urnOrigin, batch: 'batch:1' });
    await keepRecord('urn-2', { ...urnOrigin, batch: 'batch:2' });
    await keepRecord('of-a', { source: baseA, batch: 'batch:3' });
    await keepRecord('of-b', { source: baseB, batch: 'batch:3' });
    for (const name of ['batch:1', 'batch:2'])
      await keepRecord(`of-${name.replace(':', '-')}`, { source: name, batch: name });
    await keepRecord('local', undefined);
    const context = { record: { type: 'CarePlan', id: record } };
    const found = await world.store.supportingResources.resolveRecord(reference, context);
    expect(typeof found === 'object' ? found.id : found).toBe(id);
  });

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
      expect(await supportingResources.store(resource, batch, actor)).toBe('kept');
      expect(await supportingResources.store(resource, batch, actor)).toBe('unchanged');
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
      const resource = await supportingResources.resolve(reference, { ownAddress: baseUrl });
      return typeof resource === 'object' ? `${resource.type}/${resource.id}` : resource;
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
    expect(await resolveName('urn:oid:7')).toBe('ambiguous');
    for (const unknownReference of ['https://elsewhere.example/Encounter/e1', 'Patient/e1', '#p1', 'p1', ''])
      expect([unknownReference, await resolveName(unknownReference)]).toEqual([unknownReference, undefined]);
  });

  test('gives a resource to its batch whose URN belongs to another one', async () => {
    await keepResource('Patient', 'a', '', urn);
    const otherResource = '{"resourceType":"Patient","id":"b"}';
    expect(await previewText('Patient', otherResource, urn)).toBe('kept');
    expect(await keepText('Patient', otherResource, urn, 'batch:2')).toBe('kept');
    const { supportingResources } = world.store;
    expect(await supportingResources.resolve(urn)).toBe('ambiguous');
    expect(await supportingResources.read({ type: 'Patient', id: 'a' })).toMatchObject({ source: urn });
    expect(await supportingResources.read({ type: 'Patient', id: 'b' })).toMatchObject({ source: 'batch:2' });
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
    await keepResource('Patient', 'B', '', `${baseA}/Patient/B`);
    const names = async (after: string | undefined, limit: number) => {
      const name = after === undefined ? undefined : { type: 'Patient', id: after, source: batch };
      const page = await supportingResources.listNames('Patient', name, limit);
      return page.map(({ type, id }) => `${type}/${id}`);
    };
    expect(await names(undefined, 3)).toEqual(['Patient/10', 'Patient/9', 'Patient/B']);
    expect(await names('B', 3)).toEqual(['Patient/B', 'Patient/a', 'Patient/b']);
    expect(await names('b', 3)).toEqual([]);
    // More than one commit removes.
    expect(await supportingResources.remove('Observation', actor)).toBe(501);
    expect((await entries()).filter(([action]) => action === 'delete')).toHaveLength(1);
    expect(await supportingResources.countByType()).toEqual([{ type: 'Patient', count: 6 }]);
    expect(await supportingResources.remove(undefined, actor)).toBe(6);
    expect(await supportingResources.remove(undefined, actor)).toBe(0);
    expect(await supportingResources.countByType()).toEqual([]);
  });

  test('audits each stored, replaced or removed resource, but no unchanged one', async () => {
    const { supportingResources } = world.store;
    await keepResource('Patient', 'p1');
    await keepResource('Patient', 'p1');
    await keepResource('Patient', 'p1', ',"active":true');
    const group = readSupportingResource('Group', '{"resourceType":"Group","id":"g"}');
    await supportingResources.store(group, batch, { who: 'b', requestId: '' });
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
