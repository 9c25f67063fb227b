/** Public suites through the running server: each input ends in an exact round trip or a clean 4xx. */
import { readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { asker, inParallel, type Asker, type Heard } from './testing/ask.ts';
import { faultsOfRefusal } from './testing/outcome.ts';
import { firstType } from '../../core/fhir/resource.ts';
import { at, store, text, type Type } from './testing/records.ts';
import { needing, suites } from './testing/shared.ts';

const { name, absent } = needing(suites, 'public suites');
const json = { 'Content-Type': 'application/json' };

/** One in so many naughty strings is tried; `npm run test:faults` tries all. */
const stride = process.env.LONG_TESTS === undefined ? 4 : 1;

describe.skipIf(absent)(name, () => {
  let server: TestServer;
  let below: Asker;
  beforeAll(async () => {
    server = await startTestServer({ failureLimit: Infinity });
    below = asker(server);
  });
  afterAll(async () => {
    below.close();
    await server.remove();
  });

  /** What is wrong with an answer that should be a clean 4xx. */
  const unclean = ({ status, headers, text }: Heard): string[] =>
    status < 400 || status > 499
      ? [`status ${status}`]
      : faultsOfRefusal({ status, header: (name) => String(headers[name]), text });

  test('each of the 318 bodies of JSONTestSuite is a clean 400, as POST, PUT and PATCH', async () => {
    const folder = resolve(suites, 'json-test-suite');
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    expect(files).toHaveLength(318);
    const record = await store(server, 'CarePlan');
    const faults: string[] = [];
    await inParallel(files, 8, async (file) => {
      const body = readFileSync(resolve(folder, file));
      for (const [method, path] of [
        ['POST', at('CarePlan')],
        ['POST', at('Composition')],
        ['PUT', record.path],
        ['PATCH', record.path],
      ] as const) {
        const heard = await below.ask({ method, path, headers: json, body });
        // An empty array is a patch without operations (row 39).
        const empty = method === 'PATCH' && /^[ \t\r\n]*\[[ \t\r\n]*\][ \t\r\n]*$/.test(body.toString());
        const wrong = empty ? [] : unclean(heard);
        if (heard.status !== (empty ? 200 : 400)) wrong.push(`status ${heard.status}`);
        faults.push(...wrong.map((fault) => `${method} ${file}: ${fault}`));
      }
    });
    expect(faults).toEqual([]);
    expect((await server.send('GET', record.path)).text).toBe(record.text);
  });

  describe('the naughty strings', () => {
    const all = absent ? [] : (JSON.parse(readFileSync(resolve(suites, 'blns.json'), 'utf8')) as string[]);
    const naughty = all.filter((_, index) => index % stride === 0);
    const faults: string[] = [];
    const clean = async (index: number, place: string, heard: Heard) => {
      for (const fault of unclean(heard)) faults.push(`${index} in ${place}: ${fault}`);
      return Promise.resolve();
    };
    /** A string that need not be taken: it is blank, or holds control characters other than tab, CR and LF. */
    const refusable = (value: string) => value.trim() === '' || /[^\P{Cc}\t\r\n]/u.test(value);

    test('are 515', () => {
      expect(all).toHaveLength(515);
    });

    const places: readonly (readonly [
      place: string,
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

    test.each(places)(
      'in %s of a %s come back exactly or are refused cleanly',
      async (place, type, write, read) => {
        faults.length = 0;
        let stored = 0;
        await inParallel(naughty, 8, async (value, index) => {
          const heard = await below.ask({
            method: 'POST',
            path: at(type),
            headers: json,
            body: text(type, write(value)),
          });
          if (heard.status !== 201) {
            if (!refusable(value)) faults.push(`${index} in ${place} was refused`);
            await clean(index, place, heard);
            return;
          }
          stored += 1;
          const { id } = JSON.parse(heard.text);
          const again = await below.ask({ method: 'GET', path: at(type, id) });
          if (again.text !== heard.text || read(JSON.parse(again.text)) !== value)
            faults.push(`${index} in ${place} changed`);
        });
        expect(faults).toEqual([]);
        expect(stored).toBeGreaterThanOrEqual(naughty.filter((value) => !refusable(value)).length);
      },
    );

    test('patched into a title come back exactly or are refused cleanly', async () => {
      faults.length = 0;
      const record = await store(server, 'Composition');
      for (const [index, value] of naughty.entries()) {
        const body = JSON.stringify([{ op: 'replace', path: '/title', value }]);
        const heard = await below.ask({ method: 'PATCH', path: record.path, headers: json, body });
        if (heard.status !== 200) await clean(index, 'a patch', heard);
        else if (JSON.parse(heard.text).title !== value) faults.push(`${index} changed`);
      }
      expect(faults).toEqual([]);
    });

    test('as the path of a patch, as an id and as a version are refused cleanly', async () => {
      faults.length = 0;
      const record = await store(server, 'CarePlan');
      await inParallel(naughty, 8, async (value, index) => {
        const body = JSON.stringify([{ op: 'replace', path: value, value: 1 }]);
        await clean(
          index,
          'a path',
          await below.ask({ method: 'PATCH', path: record.path, headers: json, body }),
        );
        const escaped = encodeURIComponent(value).replaceAll('.', '%2E');
        if (value === '') return;
        for (const path of [at('CarePlan', escaped), `${record.path}/_history/${escaped}`]) {
          const heard = await below.ask({ method: 'GET', path });
          // "1" is the version that there is.
          if (heard.status !== 200 || value !== '1') await clean(index, path, heard);
        }
      });
      expect(faults).toEqual([]);
    });

    test('as search values find what holds them, or are refused cleanly', async () => {
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
          const path = `${at('Composition')}?${parameter}=${escaped}${/^_[^il]/.test(parameter) ? '' : '&_count=5'}&status=none`;
          const heard = await below.ask({ method: 'GET', path });
          if (heard.status !== 200) await clean(index, parameter, heard);
          else if (JSON.parse(heard.text).type !== 'searchset') faults.push(`${index}: no searchset`);
        }
      });
      expect(faults).toEqual([]);
    });

    test('as an identifier are found by it', async () => {
      const sample = naughty.filter(
        (value) => !refusable(value) && !/[,|\\$]/.test(value) && value === value.trim(),
      );
      faults.length = 0;
      await inParallel([...new Set(sample)], 8, async (value, index) => {
        const { id } = await store(server, 'CarePlan', { identifier: [{ system: 'urn:naughty', value }] });
        const query = `subject=sample&identifier=${encodeURIComponent(`urn:naughty|${value}`)}`;
        const { json: bundle } = await server.send('GET', `${at('CarePlan')}?${query}`);
        const found = bundle.entry.map(({ resource }: Json) => resource.id);
        if (!found.includes(id)) faults.push(`${index}: ${JSON.stringify(value)} was not found`);
      });
      expect(faults).toEqual([]);
    });

    test('in headers are answered cleanly', async () => {
      faults.length = 0;
      const record = await store(server, 'CarePlan');
      const safe = naughty.map((value) =>
        Buffer.from(value)
          .toString('latin1')
          .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''),
      );
      await inParallel(safe, 8, async (value, index) => {
        for (const header of [
          'If-None-Match',
          'If-Modified-Since',
          'Prefer',
          'Accept',
          'X-Request-Id',
          'Authorization',
          'Accept-Language',
        ]) {
          const heard = await below.ask({ method: 'GET', path: record.path, headers: { [header]: value } });
          if (heard.status !== 200 && heard.status !== 304) await clean(index, header, heard);
        }
        for (const header of ['If-Match', 'Content-Type', 'Content-Encoding', 'Prefer']) {
          const headers = { ...json, [header]: value };
          const heard = await below.ask({
            method: 'PUT',
            path: record.path,
            headers,
            body: text('CarePlan'),
          });
          if (heard.status !== 200) await clean(index, header, heard);
        }
      });
      expect(faults).toEqual([]);
    });
  });

  describe('replace-only cases of json-patch-tests', () => {
    const cases: Json[] = absent
      ? []
      : ['jp-tests.json', 'jp-spec.json']
          .flatMap((file): Json[] => JSON.parse(readFileSync(resolve(suites, file), 'utf8')))
          .filter(
            ({ patch }) =>
              Array.isArray(patch) && patch.length > 0 && patch.every(({ op }: Json) => op === 'replace'),
          );

    test.each(cases.map((one) => [JSON.stringify(one.comment ?? one.patch), one]))(
      '%s',
      async (_, { doc, patch, expected, error }) => {
        // An empty string cannot stand in a record; the case is about the value that replaces it.
        const x = JSON.parse(JSON.stringify(doc).replaceAll('""', '"-"').replaceAll('null', '"-"'));
        const record = await store(server, firstType, { x });
        const operations = patch.map((one: Json) => ({ ...one, path: `/x${one.path}` }));
        const answer = await server.send('PATCH', record.path, JSON.stringify(operations));
        // Null is no value of FHIR's JSON (row 7), and the path of the whole document is refused (row 44).
        const refused = error !== undefined || JSON.stringify(expected).includes('null');
        expect(refused ? [400, 422] : [200]).toContain(answer.status);
        const { json: after } = await server.send('GET', record.path);
        expect(after.x).toEqual(answer.status === 200 ? expected : x);
      },
    );

    test('are 16', () => {
      expect(cases).toHaveLength(16);
    });
  });
});
