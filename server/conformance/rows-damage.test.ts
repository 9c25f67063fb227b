/** Row 89: a stored text that fails its checksum costs that record alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeptFolder } from '../testing/kept-folder.ts';
import { onSharedStore, type Json } from '../testing/test-server.ts';
import { expectRefusal } from './testing/outcome.ts';
import { at, sample, types, type Type } from './testing/records.ts';

const subject = { reference: 'Patient/damage' };

let folder: KeptFolder;
/** Of each type: [0] damaged in its one version, [1] damaged in the first of three, [2] in the last of three. */
const ids = {} as Record<Type, string[]>;

beforeAll(async () => {
  folder = await KeptFolder.make(Date.now());
  await folder.start();
  for (const type of types) {
    ids[type] = [];
    for (let one = 0; one < 8; one += 1) {
      const { json } = await folder.send('POST', at(type), JSON.stringify(sample(type, { subject })));
      ids[type].push(json.id);
    }
    for (const id of ids[type].slice(1, 3)) {
      for (const language of ['nb', 'nn']) {
        await folder.send('PUT', at(type, id), JSON.stringify(sample(type, { subject, language })));
      }
    }
  }
  await folder.stop();
  for (const type of types) {
    const [only, first, last] = ids[type];
    await damage(only, 1);
    await damage(first, 1);
    await damage(last, 3);
    // Rows that no version gave: what is mended must not be taken to stand on them.
    await folder.tamper(`UPDATE token SET code = 'x' WHERE record IN
      (SELECT pk FROM record WHERE id IN ('${only}', '${last}'))`);
  }
  await folder.start();
}, 60_000);
afterAll(() => folder.remove());

/** Changes the first letter of a text. */
async function damage(id: string | undefined, version: number): Promise<void> {
  await folder.tamper(
    `UPDATE version SET body = 'X' || substr(body, 2) WHERE id = '${id}' AND version = ${version}`,
  );
}

const get = (path: string) => folder.send('GET', path);
const isOutcome = ({ resource }: Json) => resource.resourceType === 'OperationOutcome';

const refusal = { status: 500, code: 'exception', diagnostics: ', version ' };

describe.each(types)('%s', (type) => {
  test('row 89: a read and a vread of it are 500 exception, of its whole versions and of others 200', async () => {
    const [only = '', first = '', last = '', other = ''] = ids[type];
    for (const path of [at(type, only), at(type, last), `${at(type, first)}/_history/1`]) {
      expectRefusal(await get(path), refusal);
    }
    for (const path of [at(type, other), at(type, first), `${at(type, last)}/_history/2`]) {
      expect((await get(path)).status).toBe(200);
    }
  });

  test.each(['', '&_sort=_id', '&_elements=status', '&_summary=true', '&_pretty=true'])(
    'row 89: a search (%s) answers an outcome in its place, counted in total',
    async (parameters) => {
      const { status, json } = await get(`${at(type)}?subject=${subject.reference}${parameters}`);
      expect([status, json.total, json.entry?.length]).toEqual([200, 8, 8]);
      const outcomes = json.entry.filter(isOutcome);
      expect(outcomes.map(({ search }: Json) => search)).toEqual([{ mode: 'outcome' }, { mode: 'outcome' }]);
      const named = outcomes.map(({ resource }: Json) => resource.issue[0].diagnostics).sort();
      expect(named).toEqual(
        [`${type}/${ids[type][0]}, version 1`, `${type}/${ids[type][2]}, version 3`].sort(),
      );
      expect(outcomes.every((entry: Json) => entry.fullUrl === undefined)).toBe(true);
    },
  );

  test('row 89: paging goes on over it, forwards and back', async () => {
    const first = `${at(type)}?subject=${subject.reference}&_count=1`;
    const linkOf = ({ json }: Json, relation: string) =>
      json.link.find((link: Json) => link.relation === relation)?.url.replace(/^https?:\/\/[^/]+/, '');
    const walked: Json[] = [await get(first)];
    for (let next = linkOf(walked[0], 'next'); next; next = linkOf(walked.at(-1), 'next'))
      walked.push(await get(next));
    expect(walked.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const back: Json[] = [walked.at(-1)];
    for (let previous = linkOf(back[0], 'previous'); previous; previous = linkOf(back.at(-1), 'previous'))
      back.push(await get(previous));
    // The sentence names the newest backup, which may be made between two pages.
    const shown = ({ json }: Json) => json.entry[0].resource.issue?.[0].diagnostics ?? json.entry[0].resource;
    expect(back.map(shown)).toEqual(walked.map(shown).reverse());
  });

  test('row 89: histories answer an outcome in its place', async () => {
    const [, first = '', last = ''] = ids[type];
    for (const [id, place] of [
      [first, 2],
      [last, 0],
    ] as const) {
      const { status, json } = await get(`${at(type, id)}/_history`);
      expect([status, json.total, json.entry.map(isOutcome).indexOf(true)]).toEqual([200, 3, place]);
      expect(json.entry.filter(isOutcome)).toHaveLength(1);
      expect(json.entry[place]).toMatchObject({ request: {}, response: { etag: `W/"${3 - place}"` } });
      const told = await get(`/app/history/${type}/${id}`);
      expect(told.json.versions.map(({ damaged = false }: Json) => damaged).indexOf(true)).toBe(place);
    }
    const all = await get(`${at(type)}/_history`);
    expect([all.status, all.json.entry.filter(isOutcome).length]).toEqual([200, 3]);
    expect(all.json.entry).toHaveLength(all.json.total);
  });

  test('row 89: an export leaves it out, and names it in a last line', async () => {
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

  test('row 89: what needs the text is refused with what to do', async () => {
    const [only = ''] = ids[type];
    const patch = '[{"op":"replace","path":"/language","value":"se"}]';
    const { details } = expectRefusal(await folder.send('PATCH', at(type, only), patch), refusal);
    expect(details.text).toMatch(/is damaged.* an update \(PUT\) with the whole record repairs it\.$/);
    const unless = { 'If-None-Exist': `_id=${only}` };
    expectRefusal(await folder.send('POST', at(type), JSON.stringify(sample(type)), unless), refusal);
  });

  test('row 89: an import goes on behind it, and overwrites nothing', async () => {
    const [only = ''] = ids[type];
    const lines = [{ id: only }, {}].map((extra) => JSON.stringify(sample(type, extra))).join('\n');
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

  test('row 89: an update with the whole record mends it, whatever described it before', async () => {
    const [only = '', , last = ''] = ids[type];
    for (const [id, version] of [
      [only, 1],
      [last, 3],
    ] as const) {
      const body = JSON.stringify(sample(type, { subject: { reference: 'Patient/mended' }, id }));
      expectRefusal(await folder.send('PUT', at(type, id), body, { 'If-Match': `W/"${version + 1}"` }), {
        status: 412,
        code: 'conflict',
      });
      const put = await folder.send('PUT', at(type, id), body, { 'If-Match': `W/"${version}"` });
      expect([put.status, put.headers.get('etag')]).toEqual([200, `W/"${version + 1}"`]);
      expect((await get(at(type, id))).text).toBe(put.text);
    }
    expect((await get(`${at(type)}?subject=Patient/mended`)).json.total).toBe(2);
    expect((await get(`${at(type)}?subject=${subject.reference}`)).json.total).toBe(6);
    await folder.stop();
    const damaged = await folder.damage();
    await folder.start();
    expect((await folder.send('POST', '/app/damage/scrub')).status).toBe(202);
    await folder.scrubbed();
    const listed = (await get('/app/damage')).json.records.filter((one: Json) => one.type === type);
    expect(listed.map(({ version, current }: Json) => [version, current]).sort()).toEqual([
      [1, false],
      [1, false],
      [3, false],
    ]);
    if (onSharedStore) return;
    expect(
      damaged.filter((line) => line.includes(`${type}/`)).map((line) => line.replace(/\S+,/, 'it,')),
    ).toEqual(Array(3).fill(expect.stringMatching(/^it, version \d has a damaged text/)));
  });
});
