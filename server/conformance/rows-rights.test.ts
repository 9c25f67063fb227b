/** Rows 90 and 91: an answer is a read, and an If-None-Exist a search. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carePlan, startTestServer, type Answer, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const canary = 'canary-of-the-record-5521';
const path = '/fhir-r4/v1/CarePlan';

let count = 0;
/** A record that nobody but the owner knows, found by its identifier. */
async function stored() {
  count += 1;
  const identifier = `urn:row|${count}`;
  const extra = `,"description":"${canary}","meta":{"tag":[{"code":"${canary}"}]},"identifier":[{"system":"urn:row","value":"${count}"}]`;
  const { json } = await server.send('POST', path, carePlan('Patient/canary', extra));
  return { id: json.id as string, search: `identifier=${encodeURIComponent(identifier)}`, json };
}

async function as(scopes: string[], ...request: Parameters<TestServer['send']>): Promise<Answer> {
  const { token } = await mint(server, scopes);
  return sendAs(server, `Bearer ${token}`, ...request);
}

const entriesOf = async ({ headers }: Answer) => {
  const id = headers.get('x-request-id') ?? '';
  const { json } = await server.send('GET', `/app/audit?text=${id}`);
  return json.entries
    .map(({ action, what, status }: any) => [action, decodeURIComponent(what), status])
    .reverse();
};

describe('row 90: If-None-Exist', () => {
  test.each(['c', 'cu', 'cr', 'write'])(
    'a token of %s may not search: 403, and nothing is stored',
    async (letters) => {
      const { search } = await stored();
      const before = (await server.send('GET', `${path}?_summary=count&status=active`)).json.total;
      const answer = await as([`system/CarePlan.${letters}`], 'POST', path, carePlan('Patient/x'), {
        'If-None-Exist': search,
      });
      expect(answer.status).toBe(403);
      expect(answer.json.issue[0].code).toBe('forbidden');
      expect(answer.headers.get('www-authenticate')).toContain('scope="system/CarePlan.read"');
      expect(answer.text).not.toContain(canary);
      expect((await server.send('GET', `${path}?_summary=count&status=active`)).json.total).toBe(before);
    },
  );

  test('without the header a token that creates alone creates', async () => {
    expect((await as(['system/CarePlan.c'], 'POST', path, carePlan('Patient/x'))).status).toBe(201);
  });

  test('the trail names the search, and the record that was found', async () => {
    const { id, search } = await stored();
    const found = await server.send('POST', path, carePlan('Patient/x'), { 'If-None-Exist': search });
    expect([found.status, found.json.id]).toEqual([200, id]);
    expect(await entriesOf(found)).toEqual([
      ['search', `${path}?${decodeURIComponent(search)}`, 200],
      ['read', `${path}/${id}`, 200],
    ]);
    const made = await server.send('POST', path, carePlan('Patient/x'), {
      'If-None-Exist': 'identifier=none',
    });
    expect(await entriesOf(made)).toEqual([
      ['create', `${path}/${made.json.id}`, 201],
      ['search', `${path}?identifier=none`, 201],
    ]);
    const many = await server.send('POST', path, carePlan('Patient/x'), { 'If-None-Exist': 'status=active' });
    expect(await entriesOf(many)).toEqual([
      ['search', `${path}?status=active`, 412],
      ['create', path, 412],
    ]);
  });
});

describe('row 91: a write by a token that may not read', () => {
  const prefers = [undefined, 'return=representation', 'return=OperationOutcome'];

  test.each(prefers)('Prefer: %s: POST and PUT answer what was sent, with id and meta', async (prefer) => {
    const headers: Record<string, string> = prefer === undefined ? {} : { Prefer: prefer };
    const sent = carePlan('Patient/x', ',"description":"As sent"');
    const made = await as(['system/CarePlan.c'], 'POST', path, sent, headers);
    expect(made.json).toMatchObject({ ...JSON.parse(sent), meta: { versionId: '1' } });
    expect(made.headers.get('preference-applied')).toBeNull();

    const { id } = await stored();
    const put = await as(['system/CarePlan.u'], 'PUT', `${path}/${id}`, sent, headers);
    expect([put.status, put.text.includes(canary)]).toEqual([200, false]);
    expect(put.json).toMatchObject({ ...JSON.parse(sent), id, meta: { versionId: '2' } });
    const again = await as(['system/CarePlan.u'], 'PUT', `${path}/${id}`, sent, headers);
    expect(again.json).toEqual(put.json);
  });

  test.each(prefers)('Prefer: %s: PATCH answers resourceType, id and meta alone, tagged', async (prefer) => {
    const headers: Record<string, string> = prefer === undefined ? {} : { Prefer: prefer };
    const { id, json } = await stored();
    const patches = ['[]', '[{"op":"replace","path":"/status","value":"active"}]'];
    for (const patch of [...patches, '[{"op":"replace","path":"/status","value":"on-hold"}]']) {
      const answer = await as(['system/CarePlan.u'], 'PATCH', `${path}/${id}`, patch, headers);
      expect([answer.status, answer.json]).toEqual([
        200,
        {
          resourceType: 'CarePlan',
          id,
          meta: {
            versionId: patches.includes(patch) ? '1' : '2',
            lastUpdated: patches.includes(patch) ? json.meta.lastUpdated : expect.any(String),
            tag: [expect.objectContaining({ code: 'SUBSETTED' })],
          },
        },
      ]);
    }
  });

  test('a conditional create that finds a record answers that it is there, and nothing that stands in it', async () => {
    const { id, search } = await stored();
    const sent = carePlan('Patient/x');
    const answer = await as(['system/CarePlan.cs'], 'POST', path, sent, { 'If-None-Exist': search });
    expect([answer.status, answer.text.includes(canary), Object.keys(answer.json)]).toEqual([
      200,
      false,
      ['resourceType', 'id', 'meta'],
    ]);
    expect(answer.json).toMatchObject({ id, meta: { tag: [{ code: 'SUBSETTED' }] } });
    expect((await entriesOf(answer)).at(-1)).toEqual(['read', `${path}/${id}`, 200]);
  });

  test('return=minimal answers nothing, as ever', async () => {
    const answer = await as(['system/CarePlan.c'], 'POST', path, carePlan('Patient/x'), {
      Prefer: 'return=minimal',
    });
    expect([answer.status, answer.text]).toEqual([201, '']);
    expect(answer.headers.get('preference-applied')).toBe('return=minimal');
  });

  test('who may read is answered with the record', async () => {
    const { id } = await stored();
    const answer = await as(['system/CarePlan.ru'], 'PATCH', `${path}/${id}`, '[]');
    expect(answer.json.description).toBe(canary);
  });
});
