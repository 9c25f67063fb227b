import { gzipSync } from 'node:zlib';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { describe, expect, test } from 'vitest';
import { readEntries, type ImportLimits } from './read-files.ts';

async function collect<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const limits: ImportLimits = { resourceBytes: 100_000, unpackedBytes: 1_000_000, zipFiles: 10 };
const plan = (id: string) => `{"resourceType":"CarePlan","id":"${id}"}`;
const planXml = (id: string) => `<CarePlan xmlns="http://hl7.org/fhir"><id value="${id}"/></CarePlan>`;

/** Returns for each entry its file, its path, and the id of its resource or the code of its message. */
async function account(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer> | Blob>>,
  changedLimits = {},
) {
  const inputs = Object.entries(files).map(([path, content]) => ({ path, blob: new Blob([content]) }));
  const entries = await collect(readEntries(inputs, { ...limits, ...changedLimits }));
  return entries.map(({ file, path, text, problem, skipReason }) => [
    file,
    path,
    (problem ?? skipReason)?.messageCode ?? (JSON.parse(text ?? '') as { id: string }).id,
  ]);
}

async function zip(files: Readonly<Record<string, string>>, level = 6): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false, level });
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(text));
  return writer.close();
}

const bytesOf = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

test('reads JSON, NDJSON and XML by their content', async () => {
  expect(
    await account({
      'a.json': plan('a'),
      'b.ndjson': `${plan('b')}\n${plan('c')}`,
      'd.txt': planXml('d'),
      'e.bin': `\n${plan('e')}`,
      'f.pdf': '%PDF-1.7',
      'f.xml': '<ClinicalDocument xmlns="urn:hl7-org:v3"/>',
      'g.json': 'no JSON',
      'h.json': '',
      'i.xml': Uint8Array.from([0xff, 0xfe, ...Buffer.from(planXml('i'), 'utf16le')]),
    }),
  ).toEqual([
    ['a.json', '', 'a'],
    ['b.ndjson', 'line 1', 'b'],
    ['b.ndjson', 'line 2', 'c'],
    ['d.txt', '', 'd'],
    ['e.bin', '', 'e'],
    ['f.pdf', '', 'import.otherFile'],
    ['f.xml', '', 'import.otherXml'],
    ['g.json', '', 'json.valueExpected'],
    ['h.json', '', 'import.emptyFile'],
    ['i.xml', '', 'i'],
  ]);
});

test('reads a Bundle in XML entry by entry, and one problem where it breaks off', async () => {
  const bundle = `<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/><entry><fullUrl value="urn:a"/><resource>${planXml('a')}</resource></entry><entry><resource>${planXml('b')}</resource></entry></Bundle>`;
  expect(await account({ 'a.xml': bundle, 'b.xml': bundle.slice(0, -30) })).toEqual([
    ['a.xml', 'entry[0].resource', 'a'],
    ['a.xml', 'entry[1].resource', 'b'],
    ['b.xml', 'entry[0].resource', 'a'],
    ['b.xml', 'entry[1]', 'xml.malformed'],
  ]);
});

test('notices a file that changes before or while it is read', async () => {
  const content = `${plan('a')}\n${plan('b')}\n${plan('c')}\n`;
  let isChanged = true;
  const blob = new Blob([content]);
  const parts = { slice: blob.slice.bind(blob), stream: blob.stream.bind(blob) };
  const check = () => {
    if (isChanged) throw new DOMException('', 'NotReadableError');
  };
  Object.defineProperties(blob, {
    slice: { value: (start: number, end: number) => (check(), parts.slice(start, end)) },
    stream: { value: () => (check(), parts.stream()) },
  });
  const read = async (onRead = () => undefined as unknown) => {
    const entries = await collect(readEntries([{ path: 'a.ndjson', blob, onRead }], limits));
    return entries.map(({ path, problem }) => [path, problem?.messageCode]);
  };
  expect(await read()).toEqual([['', 'import.unreadableFile']]);
  isChanged = false;
  expect(await read(() => (isChanged = true))).toEqual([
    ['line 1', undefined],
    ['line 2', undefined],
    ['line 3', undefined],
    ['', 'import.changedFile'],
  ]);
});

test('says that a file contains no resources', async () => {
  expect(
    await account({
      'a.json': '{"resourceType":"Bundle","type":"searchset","total":0}',
      'b.zip': await zip({ '__MACOSX/a.json': plan('a') }),
    }),
  ).toEqual([
    ['a.json', '', 'import.noResources'],
    ['b.zip', '', 'import.noResources'],
  ]);
});

test('reads gzip of several members in any chunks, and reports damage', async () => {
  const members = bytesOf(gzipSync(`${plan('a')}\n`), gzipSync(plan('b')));
  const damaged = gzipSync(plan('c'));
  damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 1;
  expect(
    await account({
      'a.ndjson.gz': members,
      'c.json.gz': Uint8Array.from(damaged),
      'd.json.gz': Uint8Array.from(gzipSync(plan('d'))).slice(0, -3),
    }),
  ).toEqual([
    ['a.ndjson.gz', 'line 1', 'a'],
    ['a.ndjson.gz', 'line 2', 'b'],
    ['c.json.gz', '', 'import.damagedGzip'],
    ['d.json.gz', '', 'import.damagedGzip'],
  ]);
});

test('reads the files of a zip file, without those of macOS', async () => {
  const ward = await zip({
    'a/plan.json': plan('a'),
    '__MACOSX/a/._plan.json': 'x',
    'a/._plan.json': 'x',
    'b.xml': planXml('b'),
    'c.pdf': '%PDF',
    '../../d.ndjson': plan('d'),
  });
  expect(await account({ 'ward.zip': ward })).toEqual([
    ['ward.zip/a/plan.json', '', 'a'],
    ['ward.zip/b.xml', '', 'b'],
    ['ward.zip/c.pdf', '', 'import.otherFile'],
    ['ward.zip/../../d.ndjson', 'line 1', 'd'],
  ]);
});

test('names the limit that a packed file exceeds', async () => {
  const lines = `${plan('a')}\n`.repeat(1_000);
  expect(
    (await account({ 'a.ndjson.gz': Uint8Array.from(gzipSync(lines)) }, { unpackedBytes: 1_000 })).at(-1),
  ).toEqual(['a.ndjson.gz', '', 'import.tooLargeUnpacked']);
  const ward = await zip({
    'a.json': plan('a'),
    'b.json': plan('b'),
    'c.ndjson': lines,
    'd.json': plan('d'),
  });
  expect(await account({ 'ward.zip': ward }, { zipFiles: 2 })).toEqual([
    ['ward.zip/a.json', '', 'a'],
    ['ward.zip/b.json', '', 'b'],
    ['ward.zip', '', 'import.tooManyFiles'],
  ]);
  expect((await account({ 'ward.zip': ward }, { unpackedBytes: 1_000 })).slice(-2)).toEqual([
    ['ward.zip/c.ndjson', '', 'import.tooLargeUnpacked'],
    ['ward.zip/d.json', '', 'import.tooLargeUnpacked'],
  ]);
});

test('reports a file in a zip file whose checksum differs, and reads the next one', async () => {
  const ward = await zip({ 'a.json': plan('a'), 'b.json': plan('b') }, 0);
  const bytes = new Uint8Array(await ward.arrayBuffer());
  // Without compression the text stands in the file as it is.
  bytes[Buffer.from(bytes).indexOf('"a"') + 1] = 'x'.charCodeAt(0);
  expect(await account({ 'ward.zip': bytes })).toEqual([
    ['ward.zip/a.json', '', 'import.damagedZip'],
    ['ward.zip/b.json', '', 'b'],
  ]);
});

test('reports a zip file that is cut off', async () => {
  const ward = await zip({ 'a.json': plan('a') });
  expect(await account({ 'ward.zip': ward.slice(0, ward.size - 10) })).toEqual([
    ['ward.zip', '', 'import.damagedZip'],
  ]);
});

describe('a Bulk Data export', () => {
  const manifest = (output: readonly object[], error: readonly object[] = []) =>
    JSON.stringify({ transactionTime: '2026-11-28T00:00:00Z', request: 'a', output, error, deleted: [] });
  const url = (name: string) => `https://a.example/files/${name}?token=b`;
  const plans = `${plan('a')}\n${plan('b')}`;
  const outcome = (severity: string) =>
    `{"resourceType":"OperationOutcome","issue":[{"severity":"information","code":"a"},{"severity":"${severity}","diagnostics":"No access"}]}`;
  const deletion =
    '{"resourceType":"Bundle","type":"transaction","entry":[{"request":{"method":"DELETE","url":"CarePlan/c"}}]}';

  test('reads outputs, refuses reported errors and names deletions', async () => {
    expect(
      await account({
        'deleted.ndjson': deletion,
        'errors.ndjson': `${outcome('error')}\n${outcome('warning')}`,
        'manifest.json': manifest(
          [{ type: 'CarePlan', url: url('plans.ndjson.gz'), count: 2 }],
          [{ type: 'OperationOutcome', url: url('errors.ndjson') }],
        ),
        'plans.ndjson': plans,
      }),
    ).toEqual([
      ['deleted.ndjson', 'line 1 entry[0]', 'import.deletedAtSource'],
      ['errors.ndjson', 'line 1', 'import.sourceReport'],
      ['errors.ndjson', 'line 2', 'import.sourceReport'],
      ['manifest.json', '', 'import.manifest'],
      ['plans.ndjson', 'line 1', 'a'],
      ['plans.ndjson', 'line 2', 'b'],
    ]);
    const [error, warning] = await collect(
      readEntries(
        [{ path: 'e.ndjson', blob: new Blob([`${outcome('error')}\n${outcome('warning')}`]) }],
        limits,
      ),
    );
    expect(error?.problem?.text).toBe('The source reported: No access');
    expect(warning).toMatchObject({ skipReason: { text: 'The source reported: a' } });
  });

  test('names listed files that are missing or incomplete', async () => {
    const listed = [
      { type: 'CarePlan', url: url('plans.ndjson'), count: 3 },
      { type: 'Patient', url: url('patients.ndjson'), count: 1 },
    ];
    expect((await account({ 'm.json': manifest(listed), 'b/plans.ndjson.gz': plans })).slice(3)).toEqual([
      ['m.json', 'output[0]', 'import.otherCount'],
      ['m.json', 'output[1]', 'import.missingFile'],
    ]);
    // All files were renamed.
    expect(await account({ 'm.json': manifest(listed), 'CarePlan.ndjson': plans })).toHaveLength(3);
  });
});
