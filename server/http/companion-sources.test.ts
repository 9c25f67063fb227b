/** Two sources may use one id for two people. No person replaces the other. */
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';

test('rejects another source’s patient of the same id', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const sendImport = async (text: string, query = '?keepIds=true') => {
    const type = { 'Content-Type': 'application/json' };
    const answer = await server.send('POST', `/app/import${query}`, text, type);
    const lines = answer.text.trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const documentOf = (source: string, name: string) =>
    JSON.stringify({
      resourceType: 'Bundle',
      type: 'document',
      entry: [
        {
          fullUrl: `http://${source}.example/fhir/Composition/${source}`,
          resource: {
            resourceType: 'Composition',
            id: source,
            status: 'final',
            type: { text: 'Note' },
            date: '2026-01-02',
            title: name,
            author: [{ display: 'A' }],
            subject: { reference: 'Patient/p1' },
          },
        },
        {
          fullUrl: `http://${source}.example/fhir/Patient/p1`,
          resource: { resourceType: 'Patient', id: 'p1', name: [{ text: name }] },
        },
      ],
    });
  await sendImport(documentOf('a', 'Alpha Fixture'));
  const rejectedLine = {
    place: 2,
    result: 'refused',
    reason:
      'Another resource has the ID or the URN of Patient/p1, from another source or with different content. Nothing was replaced.',
  };
  const query = '?keepIds=true&dryRun=true';
  expect((await sendImport(documentOf('b', 'Beta Fixture'), query))[1]).toMatchObject(rejectedLine);
  const report = await sendImport(documentOf('b', 'Beta Fixture'));
  expect(report.slice(0, 2)).toMatchObject([{ place: 1, result: 'stored' }, rejectedLine]);
  expect(report[2]).toMatchObject({ done: { stored: 1, refused: 1, kept: 0, replaced: 0 } });
  const document = await server.send('GET', '/fhir-r4/v1/Composition/a/$document');
  expect(document.text).toContain('"name":[{"text":"Alpha Fixture"}]');
  const address = encodeURIComponent('http://a.example/fhir/Patient/p1');
  expect((await server.send('GET', `/app/companions/resolve?reference=${address}`)).status).toBe(200);
});
