/** Row 89 of docs/api-rows.md: a stored text with a wrong checksum affects only its own record. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeptFolder } from '../testing/kept-folder.ts';
import { onSharedStore, type Json } from '../testing/test-server.ts';
import { expectRejection } from './testing/outcome.ts';
import { toPath, sample, types, type Type } from './testing/records.ts';

const subject = { reference: 'Patient/damage' };

let folder: KeptFolder;
/** IDs by type: [0] damaged in its only version, [1] in the first of three versions, [2] in the last of three. */
const ids = {} as Record<Type, string[]>;

beforeAll(async () => {
  folder = await KeptFolder.make(Date.now());
  await folder.start();
  for (const type of types) {
    ids[type] = [];
    for (let index = 0; index < 8; index += 1) {
      const { json } = await folder.send('POST', toPath(type), JSON.stringify(sample(type, { subject })));
      ids[type].push(json.id);
    }
    for (const id of ids[type].slice(1, 3)) {
      for (const language of ['nb', 'nn']) {
        await folder.send('PUT', toPath(type, id), JSON.stringify(sample(type, { subject, language })));
      }
    }
  }
  await folder.stop();
  for (const type of types) {
    const [damagedOnlyId, damagedFirstId, damagedLastId] = ids[type];
    await damage(damagedOnlyId, 1);
    await damage(damagedFirstId, 1);
    await damage(damagedLastId, 3);
    // Rows that no version produced: a repair must not rely on them.
    await folder.tamper(`UPDATE token SET code = 'x' WHERE record IN
      (SELECT pk FROM record WHERE id IN ('${damagedOnlyId}', '${damagedLastId}'))`);
  }
  await folder.start();
}, 60_000);
afterAll(() => folder.remove());

/** Changes the first character of a text. */
async function damage(id: string | undefined, version: number): Promise<void> {
  await folder.tamper(
    `UPDATE version SET body = 'X' || substr(body, 2) WHERE id = '${id}' AND version = ${version}`,
  );
}

const get = (path: string) => folder.send('GET', path);
const isOutcome = ({ resource }: Json) => resource.resourceType === 'OperationOutcome';

const refusal = { status: 500, code: 'exception', diagnostics: ', version ' };

describe.each(types)('%s', (type) => {
  test('returns 500 exception only for reads of damaged versions', async () => {
    const [damagedOnlyId = '', damagedFirstId = '', damagedLastId = '', intactId = ''] = ids[type];
    for (const path of [
      toPath(type, damagedOnlyId),
      toPath(type, damagedLastId),
      `${toPath(type, damagedFirstId)}/_history/1`,
    ]) {
      expectRejection(await get(path), refusal);
    }
    for (const path of [
      toPath(type, intactId),
      toPath(type, damagedFirstId),
      `${toPath(type, damagedLastId)}/_history/2`,
    ]) {
      expect((await get(path)).status).toBe(200);
    }
  });

  test.each(['', '&_sort=_id', '&_elements=status', '&_summary=true', '&_pretty=true'])(
    'returns an outcome in place of a damaged record in a search (%s)',
    async (parameters) => {
      const { status, json } = await get(`${toPath(type)}?subject=${subject.reference}${parameters}`);
      expect([status, json.total, json.entry?.length]).toEqual([200, 8, 8]);
      const outcomes = json.entry.filter(isOutcome);
      expect(outcomes.map(({ search }: Json) => search)).toEqual([{ mode: 'outcome' }, { mode: 'outcome' }]);
      const diagnostics = outcomes.map(({ resource }: Json) => resource.issue[0].diagnostics).sort();
      expect(diagnostics).toEqual(
        [`${type}/${ids[type][0]}, version 1`, `${type}/${ids[type][2]}, version 3`].sort(),
      );
      expect(outcomes.every((entry: Json) => entry.fullUrl === undefined)).toBe(true);
    },
  );

  test('pages across damaged records, forwards and backwards', async () => {
    const firstPath = `${toPath(type)}?subject=${subject.reference}&_count=1`;
    const linkOf = ({ json }: Json, relation: string) =>
      json.link.find((link: Json) => link.relation === relation)?.url.replace(/^https?:\/\/[^/]+/, '');
    const pages: Json[] = [await get(firstPath)];
    for (let next = linkOf(pages[0], 'next'); next; next = linkOf(pages.at(-1), 'next'))
      pages.push(await get(next));
    expect(pages.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const pagesBack: Json[] = [pages.at(-1)];
    for (
      let previous = linkOf(pagesBack[0], 'previous');
      previous;
      previous = linkOf(pagesBack.at(-1), 'previous')
    )
      pagesBack.push(await get(previous));
    // The message names the latest backup, which can change between two pages.
    const entryContent = ({ json }: Json) =>
      json.entry[0].resource.issue?.[0].diagnostics ?? json.entry[0].resource;
    expect(pagesBack.map(entryContent)).toEqual(pages.map(entryContent).reverse());
  });

  test('returns an outcome in place of a damaged version in histories', async () => {
    const [, damagedFirstId = '', damagedLastId = ''] = ids[type];
    for (const [id, entryIndex] of [
      [damagedFirstId, 2],
      [damagedLastId, 0],
    ] as const) {
      const { status, json } = await get(`${toPath(type, id)}/_history`);
      expect([status, json.total, json.entry.map(isOutcome).indexOf(true)]).toEqual([200, 3, entryIndex]);
      expect(json.entry.filter(isOutcome)).toHaveLength(1);
      expect(json.entry[entryIndex]).toMatchObject({
        request: {},
        response: { etag: `W/"${3 - entryIndex}"` },
      });
      const appHistory = await get(`/app/history/${type}/${id}`);
      expect(appHistory.json.versions.map(({ damaged = false }: Json) => damaged).indexOf(true)).toBe(
        entryIndex,
      );
    }
    const typeHistory = await get(`${toPath(type)}/_history`);
    expect([typeHistory.status, typeHistory.json.entry.filter(isOutcome).length]).toEqual([200, 3]);
    expect(typeHistory.json.entry).toHaveLength(typeHistory.json.total);
  });

  test('leaves damaged records out of an export and names them in the last line', async () => {
    const { status, text } = await get(`/app/export?type=${type}`);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([status, lines.length]).toEqual([200, 7]);
    const { resourceType, issue } = lines.pop();
    expect([resourceType, issue.length]).toEqual(['OperationOutcome', 3]);
    expect(lines.every((line) => line.resourceType === type)).toBe(true);
  });

  test('rejects PATCH and If-None-Exist on a damaged record with the remedy', async () => {
    const [damagedOnlyId = ''] = ids[type];
    const patch = '[{"op":"replace","path":"/language","value":"se"}]';
    const { details } = expectRejection(
      await folder.send('PATCH', toPath(type, damagedOnlyId), patch),
      refusal,
    );
    expect(details.text).toMatch(/is damaged.* an update \(PUT\) with the whole record repairs it\.$/);
    const condition = { 'If-None-Exist': `_id=${damagedOnlyId}` };
    expectRejection(
      await folder.send('POST', toPath(type), JSON.stringify(sample(type)), condition),
      refusal,
    );
  });

  test('continues an import after a damaged record, and does not overwrite it', async () => {
    const [damagedOnlyId = ''] = ids[type];
    const lines = [{ id: damagedOnlyId }, {}].map((extra) => JSON.stringify(sample(type, extra))).join('\n');
    const { text } = await folder.send('POST', '/app/import?keepIds=true', lines, {
      'Content-Type': 'application/x-ndjson',
    });
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { result: 'refused', reason: expect.stringMatching(/is damaged/) },
      { result: 'stored' },
      { done: { stored: 1, refused: 1 } },
    ]);
  });

  test('repairs a damaged record by an update with the whole record', async () => {
    const [damagedOnlyId = '', , damagedLastId = ''] = ids[type];
    for (const [id, version] of [
      [damagedOnlyId, 1],
      [damagedLastId, 3],
    ] as const) {
      const body = JSON.stringify(sample(type, { subject: { reference: 'Patient/mended' }, id }));
      expectRejection(
        await folder.send('PUT', toPath(type, id), body, { 'If-Match': `W/"${version + 1}"` }),
        {
          status: 412,
          code: 'conflict',
        },
      );
      const update = await folder.send('PUT', toPath(type, id), body, { 'If-Match': `W/"${version}"` });
      expect([update.status, update.headers.get('etag')]).toEqual([200, `W/"${version + 1}"`]);
      expect((await get(toPath(type, id))).text).toBe(update.text);
    }
    expect((await get(`${toPath(type)}?subject=Patient/mended`)).json.total).toBe(2);
    expect((await get(`${toPath(type)}?subject=${subject.reference}`)).json.total).toBe(6);
    await folder.stop();
    const problems = await folder.verify();
    await folder.start();
    expect((await folder.send('POST', '/app/damage/scrub')).status).toBe(202);
    await folder.waitForScrub();
    const damageList = (await get('/app/damage')).json.records.filter((record: Json) => record.type === type);
    expect(damageList.map(({ version, current }: Json) => [version, current]).sort()).toEqual([
      [1, false],
      [1, false],
      [3, false],
    ]);
    if (onSharedStore) return;
    expect(
      problems.filter((line) => line.includes(`${type}/`)).map((line) => line.replace(/\S+,/, 'it,')),
    ).toEqual(Array(3).fill(expect.stringMatching(/^it, version \d has a damaged text/)));
  });
});
