/**
 * Sends public test suites to the running server. Each input results in an exact round trip
 * or in a clean 4xx, which has an OperationOutcome.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { createRawClient, inParallel, type RawClient, type RawResponse } from './testing/ask.ts';
import { listRejectionFaults } from './testing/outcome.ts';
import { firstType } from '../../core/fhir/resource.ts';
import { toPath, store, text, type Type } from './testing/records.ts';
import { describeRequirement, suitesFolder } from './testing/shared.ts';

const { suiteTitle, isMissing } = describeRequirement(suitesFolder, 'public suites');
const json = { 'Content-Type': 'application/json' };

/** Every n-th naughty string is sent; `npm run test:faults` sends all. */
const stride = process.env.LONG_TESTS === undefined ? 4 : 1;

describe.skipIf(isMissing)(suiteTitle, () => {
  let server: TestServer;
  let rawClient: RawClient;
  beforeAll(async () => {
    server = await startTestServer({ failureLimit: Infinity });
    rawClient = createRawClient(server);
  });
  afterAll(async () => {
    rawClient.close();
    await server.remove();
  });

  /** Lists the faults of a response that should be a clean 4xx. */
  const listFaults = ({ status, headers, text }: RawResponse): string[] =>
    status < 400 || status > 499
      ? [`status ${status}`]
      : listRejectionFaults({ status, header: (name) => String(headers[name]), text });

  test('returns a clean 400 for the 318 bodies of JSONTestSuite as POST, PUT and PATCH', async () => {
    const folder = resolve(suitesFolder, 'json-test-suite');
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    expect(files).toHaveLength(318);
    const record = await store(server, 'CarePlan');
    const faults: string[] = [];
    await inParallel(files, 8, async (file) => {
      const body = readFileSync(resolve(folder, file));
      for (const [method, path] of [
        ['POST', toPath('CarePlan')],
        ['POST', toPath('Composition')],
        ['PUT', record.path],
        ['PATCH', record.path],
      ] as const) {
        const response = await rawClient.send({ method, path, headers: json, body });
        // An empty array is a patch without operations (row 39 of docs/api-rows.md).
        const isEmptyPatch =
          method === 'PATCH' && /^[ \t\r\n]*\[[ \t\r\n]*\][ \t\r\n]*$/.test(body.toString());
        const responseFaults = isEmptyPatch ? [] : listFaults(response);
        if (response.status !== (isEmptyPatch ? 200 : 400)) responseFaults.push(`status ${response.status}`);
        faults.push(...responseFaults.map((fault) => `${method} ${file}: ${fault}`));
      }
    });
    expect(faults).toEqual([]);
    expect((await server.send('GET', record.path)).text).toBe(record.text);
  });

  describe('the naughty strings', () => {
    const allStrings = isMissing
      ? []
      : (JSON.parse(readFileSync(resolve(suitesFolder, 'blns.json'), 'utf8')) as string[]);
    const naughty = allStrings.filter((_, index) => index % stride === 0);
    const faults: string[] = [];
    const collectFaults = async (index: number, location: string, response: RawResponse) => {
      for (const fault of listFaults(response)) faults.push(`${index} in ${location}: ${fault}`);
      return Promise.resolve();
    };
    /** Returns true if a string may be rejected: it is blank, or contains control characters except tab, CR and LF. */
    const mayBeRejected = (value: string) => value.trim() === '' || /[^\P{Cc}\t\r\n]/u.test(value);

    test('has 515 strings', () => {
      expect(allStrings).toHaveLength(515);
    });

    const locations: readonly (readonly [
      location: string,
      type: Type,
      write: (value: string) => Json,
      read: (record: Json) => Json,
    ])[] = [
      ['title', 'CarePlan', (title) => ({ title }), ({ title }) => title],
      ['title', 'Composition', (title) => ({ title }), ({ title }) => title],
      ['note', 'CarePlan', (value) => ({ note: [{ text: value }] }), ({ note }) => note[0].text],
      [
        'an extension',
        'Composition',
        (valueString) => ({ extension: [{ url: 'urn:a', valueString }] }),
        ({ extension }) => extension[0].valueString,
      ],
    ];

    test.each(locations)(
      'come back exactly from %s of a %s, or are rejected cleanly',
      async (location, type, writeValue, readValue) => {
        faults.length = 0;
        let storedCount = 0;
        await inParallel(naughty, 8, async (value, index) => {
          const creation = await rawClient.send({
            method: 'POST',
            path: toPath(type),
            headers: json,
            body: text(type, writeValue(value)),
          });
          if (creation.status !== 201) {
            if (!mayBeRejected(value)) faults.push(`${index} in ${location} was rejected`);
            await collectFaults(index, location, creation);
            return;
          }
          storedCount += 1;
          const { id } = JSON.parse(creation.text);
          const readResponse = await rawClient.send({ method: 'GET', path: toPath(type, id) });
          if (readResponse.text !== creation.text || readValue(JSON.parse(readResponse.text)) !== value)
            faults.push(`${index} in ${location} changed`);
        });
        expect(faults).toEqual([]);
        expect(storedCount).toBeGreaterThanOrEqual(naughty.filter((value) => !mayBeRejected(value)).length);
      },
    );

    test('come back exactly from a patched title, or are rejected cleanly', async () => {
      faults.length = 0;
      const record = await store(server, 'Composition');
      for (const [index, value] of naughty.entries()) {
        const body = JSON.stringify([{ op: 'replace', path: '/title', value }]);
        const response = await rawClient.send({ method: 'PATCH', path: record.path, headers: json, body });
        if (response.status !== 200) await collectFaults(index, 'a patch', response);
        else if (JSON.parse(response.text).title !== value) faults.push(`${index} changed`);
      }
      expect(faults).toEqual([]);
    });

    test('are rejected cleanly as the path of a patch, as an ID and as a version', async () => {
      faults.length = 0;
      const record = await store(server, 'CarePlan');
      await inParallel(naughty, 8, async (value, index) => {
        const body = JSON.stringify([{ op: 'replace', path: value, value: 1 }]);
        await collectFaults(
          index,
          'a path',
          await rawClient.send({ method: 'PATCH', path: record.path, headers: json, body }),
        );
        const escaped = encodeURIComponent(value).replaceAll('.', '%2E');
        if (value === '') return;
        for (const path of [toPath('CarePlan', escaped), `${record.path}/_history/${escaped}`]) {
          const response = await rawClient.send({ method: 'GET', path });
          // Version "1" exists.
          if (response.status !== 200 || value !== '1') await collectFaults(index, path, response);
        }
      });
      expect(faults).toEqual([]);
    });

    test('are accepted as search values, or are rejected cleanly', async () => {
      faults.length = 0;
      await inParallel(naughty, 8, async (value, index) => {
        const escaped = encodeURIComponent(value);
        for (const parameter of [
          'subject',
          'encounter',
          'identifier',
          'title',
          'title:exact',
          'status',
          'date',
          '_id',
          '_sort',
          '_count',
          '_cursor',
          'author',
          '_lastUpdated',
          '_elements',
        ]) {
          // Only searches that may have _count get one. No record has the status "none".
          const path = `${toPath('Composition')}?${parameter}=${escaped}${/^_[^il]/.test(parameter) ? '' : '&_count=5'}&status=none`;
          const response = await rawClient.send({ method: 'GET', path });
          if (response.status !== 200) await collectFaults(index, parameter, response);
          else if (JSON.parse(response.text).type !== 'searchset') faults.push(`${index}: no searchset`);
        }
      });
      expect(faults).toEqual([]);
    });

    test('find the record with the same identifier', async () => {
      const searchableStrings = naughty.filter(
        (value) => !mayBeRejected(value) && !/[,|\\$]/.test(value) && value === value.trim(),
      );
      faults.length = 0;
      await inParallel([...new Set(searchableStrings)], 8, async (value, index) => {
        const { id } = await store(server, 'CarePlan', { identifier: [{ system: 'urn:naughty', value }] });
        const query = `subject=sample&identifier=${encodeURIComponent(`urn:naughty|${value}`)}`;
        const { json: bundle } = await server.send('GET', `${toPath('CarePlan')}?${query}`);
        const foundIds = bundle.entry.map(({ resource }: Json) => resource.id);
        if (!foundIds.includes(id)) faults.push(`${index}: ${JSON.stringify(value)} was not found`);
      });
      expect(faults).toEqual([]);
    });

    test('get clean responses when sent as header values', async () => {
      faults.length = 0;
      const record = await store(server, 'CarePlan');
      const headerValues = naughty.map((value) =>
        Buffer.from(value)
          .toString('latin1')
          .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''),
      );
      await inParallel(headerValues, 8, async (value, index) => {
        for (const header of [
          'If-None-Match',
          'If-Modified-Since',
          'Prefer',
          'Accept',
          'X-Request-Id',
          'Authorization',
          'Accept-Language',
        ]) {
          const response = await rawClient.send({
            method: 'GET',
            path: record.path,
            headers: { [header]: value },
          });
          if (response.status !== 200 && response.status !== 304)
            await collectFaults(index, header, response);
        }
        for (const header of ['If-Match', 'Content-Type', 'Content-Encoding', 'Prefer']) {
          const headers = { ...json, [header]: value };
          const response = await rawClient.send({
            method: 'PUT',
            path: record.path,
            headers,
            body: text('CarePlan'),
          });
          if (response.status !== 200) await collectFaults(index, header, response);
        }
      });
      expect(faults).toEqual([]);
    });
  });

  describe('replace-only cases of json-patch-tests', () => {
    const cases: Json[] = isMissing
      ? []
      : ['jp-tests.json', 'jp-spec.json']
          .flatMap((file): Json[] => JSON.parse(readFileSync(resolve(suitesFolder, file), 'utf8')))
          .filter(
            ({ patch }) =>
              Array.isArray(patch) && patch.length > 0 && patch.every(({ op }: Json) => op === 'replace'),
          );

    test.each(cases.map((patchCase) => [JSON.stringify(patchCase.comment ?? patchCase.patch), patchCase]))(
      '%s',
      async (_, { doc, patch, expected, error }) => {
        // A record can't contain empty strings or null, so the document has "-" instead. It is stored as element `x`.
        const testDocument = JSON.parse(
          JSON.stringify(doc).replaceAll('""', '"-"').replaceAll('null', '"-"'),
        );
        const record = await store(server, firstType, { x: testDocument });
        const operations = patch.map((operation: Json) => ({ ...operation, path: `/x${operation.path}` }));
        const response = await server.send('PATCH', record.path, JSON.stringify(operations));
        // FHIR's JSON has no null (row 7 of docs/api-rows.md), and the path of the whole document is rejected (row 44).
        const isRejected = error !== undefined || JSON.stringify(expected).includes('null');
        expect(isRejected ? [400, 422] : [200]).toContain(response.status);
        const { json: after } = await server.send('GET', record.path);
        expect(after.x).toEqual(response.status === 200 ? expected : testDocument);
      },
    );

    test('has 16 cases', () => {
      expect(cases).toHaveLength(16);
    });
  });
});
