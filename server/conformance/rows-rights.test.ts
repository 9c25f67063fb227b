/** Rows 90 and 91 of docs/api-rows.md: a response requires the right to read, If-None-Exist the right to search. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carePlan, startTestServer, type Answer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const canary = 'canary-of-the-record-5521';
const path = '/fhir-r4/v1/CarePlan';

let count = 0;
/** Stores a record with a canary; a search for its identifier finds it. */
async function storeRecord() {
  count += 1;
  const identifier = `urn:row|${count}`;
  const extra = `,"description":"${canary}","meta":{"tag":[{"code":"${canary}"}]},"identifier":[{"system":"urn:row","value":"${count}"}]`;
  const { json } = await server.send('POST', path, carePlan('Patient/canary', extra));
  return { id: json.id as string, search: `identifier=${encodeURIComponent(identifier)}`, json };
}

async function sendWithScopes(scopes: string[], ...request: Parameters<TestServer['send']>): Promise<Answer> {
  const { token } = await createClientToken(server, scopes);
  return sendAs(server, `Bearer ${token}`, ...request);
}

const readAuditEntries = async ({ headers }: Answer) => {
  const id = headers.get('x-request-id') ?? '';
  const { json } = await server.send('GET', `/app/audit?text=${id}`);
  return json.entries
    .map(({ action, what: target, status }: any) => [action, decodeURIComponent(target), status])
    .reverse();
};

// Row 90 of docs/api-rows.md.
describe('If-None-Exist', () => {
  test.each(['c', 'cu', 'cr', 'write'])(
    'returns 403 and stores nothing if a token with %s cannot search',
    async (letters) => {
      const { search } = await storeRecord();
      const before = (await server.send('GET', `${path}?_summary=count&status=active`)).json.total;
      const answer = await sendWithScopes(
        [`system/CarePlan.${letters}`],
        'POST',
        path,
        carePlan('Patient/x'),
        {
          'If-None-Exist': search,
        },
      );
      expect(answer.status).toBe(403);
      expect(answer.json.issue[0].code).toBe('forbidden');
      expect(answer.headers.get('www-authenticate')).toContain('scope="system/CarePlan.read"');
      expect(answer.text).not.toContain(canary);
      expect((await server.send('GET', `${path}?_summary=count&status=active`)).json.total).toBe(before);
    },
  );

  test('accepts a create without the header from a token that can only create', async () => {
    expect((await sendWithScopes(['system/CarePlan.c'], 'POST', path, carePlan('Patient/x'))).status).toBe(
      201,
    );
  });

  test('records the search and the matching record in the audit log', async () => {
    const { id, search } = await storeRecord();
    const matchResponse = await server.send('POST', path, carePlan('Patient/x'), { 'If-None-Exist': search });
    expect([matchResponse.status, matchResponse.json.id]).toEqual([200, id]);
    expect(await readAuditEntries(matchResponse)).toEqual([
      ['search', `${path}?${decodeURIComponent(search)}`, 200],
      ['read', `${path}/${id}`, 200],
    ]);
    const createResponse = await server.send('POST', path, carePlan('Patient/x'), {
      'If-None-Exist': 'identifier=none',
    });
    expect(await readAuditEntries(createResponse)).toEqual([
      ['create', `${path}/${createResponse.json.id}`, 201],
      ['search', `${path}?identifier=none`, 201],
    ]);
    const manyMatches = await server.send('POST', path, carePlan('Patient/x'), {
      'If-None-Exist': 'status=active',
    });
    expect(await readAuditEntries(manyMatches)).toEqual([
      ['search', `${path}?status=active`, 412],
      ['create', path, 412],
    ]);
  });
});

// Row 91 of docs/api-rows.md.
describe('write by a token that cannot read', () => {
  const prefers = [undefined, 'return=representation', 'return=OperationOutcome'];

  test.each(prefers)(
    'returns the sent record with id and meta for POST and PUT with Prefer: %s',
    async (prefer) => {
      const headers: Record<string, string> = prefer === undefined ? {} : { Prefer: prefer };
      const body = carePlan('Patient/x', ',"description":"As sent"');
      const createResponse = await sendWithScopes(['system/CarePlan.c'], 'POST', path, body, headers);
      expect(createResponse.json).toMatchObject({ ...JSON.parse(body), meta: { versionId: '1' } });
      expect(createResponse.headers.get('preference-applied')).toBeNull();

      const { id } = await storeRecord();
      const updateResponse = await sendWithScopes(
        ['system/CarePlan.u'],
        'PUT',
        `${path}/${id}`,
        body,
        headers,
      );
      expect([updateResponse.status, updateResponse.text.includes(canary)]).toEqual([200, false]);
      expect(updateResponse.json).toMatchObject({ ...JSON.parse(body), id, meta: { versionId: '2' } });
      const repeatedUpdate = await sendWithScopes(
        ['system/CarePlan.u'],
        'PUT',
        `${path}/${id}`,
        body,
        headers,
      );
      expect(repeatedUpdate.json).toEqual(updateResponse.json);
    },
  );

  test.each(prefers)(
    'returns only resourceType, id and tagged meta for PATCH with Prefer: %s',
    async (prefer) => {
      const headers: Record<string, string> = prefer === undefined ? {} : { Prefer: prefer };
      const { id, json } = await storeRecord();
      const patches = ['[]', '[{"op":"replace","path":"/status","value":"active"}]'];
      for (const patch of [...patches, '[{"op":"replace","path":"/status","value":"on-hold"}]']) {
        const answer = await sendWithScopes(['system/CarePlan.u'], 'PATCH', `${path}/${id}`, patch, headers);
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
    },
  );

  test('returns only the id of the match of a conditional create', async () => {
    const { id, search } = await storeRecord();
    const body = carePlan('Patient/x');
    const answer = await sendWithScopes(['system/CarePlan.cs'], 'POST', path, body, {
      'If-None-Exist': search,
    });
    expect([answer.status, answer.text.includes(canary), Object.keys(answer.json)]).toEqual([
      200,
      false,
      ['resourceType', 'id', 'meta'],
    ]);
    expect(answer.json).toMatchObject({ id, meta: { tag: [{ code: 'SUBSETTED' }] } });
    expect((await readAuditEntries(answer)).at(-1)).toEqual(['read', `${path}/${id}`, 200]);
  });

  test('returns no body with return=minimal', async () => {
    const answer = await sendWithScopes(['system/CarePlan.c'], 'POST', path, carePlan('Patient/x'), {
      Prefer: 'return=minimal',
    });
    expect([answer.status, answer.text]).toEqual([201, '']);
    expect(answer.headers.get('preference-applied')).toBe('return=minimal');
  });

  test('returns the record to a token that can read', async () => {
    const { id } = await storeRecord();
    const answer = await sendWithScopes(['system/CarePlan.ru'], 'PATCH', `${path}/${id}`, '[]');
    expect(answer.json.description).toBe(canary);
  });
});
