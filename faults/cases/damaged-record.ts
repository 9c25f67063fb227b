import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { pathOf } from '../../core/api/contract.ts';
import { Backup } from '../../core/app/backups.ts';
import { DamageList } from '../../core/app/damage.ts';
import { parseAs } from '../../core/json/shape.ts';
import { damageBodies } from '../../server/testing/damage.ts';
import { runCommand } from '../commands.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { send, startServer, type Answer, type FaultServer } from '../server.ts';
import { waitUntil } from '../wait.ts';

const patients = 3;
const records = { full: 600, short: 60 } as const;
const damagedCounts = { full: 30, short: 6 } as const;

/**
 * Texts of some records are damaged. Every other record must be returned, and the damaged ones can be
 * repaired.
 */
export const damagedRecord: FaultCase = {
  name: 'damaged-record',
  claim:
    'A stored text that fails its checksum affects only its record. Searches, paging, histories and exports return all other records and name it in its place. The daily verification reports it. An update, a backup or chartkeeper repair repairs it.',
  parallel: true,
  run,
};

interface Sample {
  readonly server: FaultServer;
  /** Ids of the damaged records. */
  readonly damagedIds: ReadonlySet<string>;
  /** Acknowledged texts by id. */
  readonly texts: ReadonlyMap<string, string>;
  readonly backup: string;
}

const type = 'CarePlan';
const base = pathOf(type);

async function run({ runLength, folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const data = join(folder, 'data');
  const { texts, backup } = await fill(data, records[runLength]);
  const flips = damageBodies(join(data, 'records.db'), { count: damagedCounts[runLength], seed });
  const damagedIds = new Set(flips.map(({ id }) => id));
  tally.add('records', texts.size);
  tally.add('of these damaged', damagedIds.size);
  const sample: Sample = { server: await startServer(data), damagedIds, texts, backup };
  await scrub(sample);
  for (const [label, countRecords] of looks) tally.add(label, await countRecords(sample));
  const [updatedId, repairedId, ...remainingIds] = [...damagedIds];
  await update(sample, updatedId ?? '');
  await repairFromBackup(sample, repairedId ?? '');
  tally.add('mended by an update or from a backup', 2);
  await sample.server.stop();
  tally.add('mended by repair', await repair(data, remainingIds.length));
  await expectVerified(data);
  return { result: 'passed', figures: tally.figures };
}

/** Creates a store of plans, each with a note of 500 letters, and a backup. No server uses it afterwards. */
async function fill(data: string, count: number): Promise<Pick<Sample, 'texts' | 'backup'>> {
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const texts = new Map<string, string>();
  const note = [{ text: 'n'.repeat(500) }];
  for (let index = 0; index < count; index += 1) {
    const subject = { reference: `Patient/${index % patients}` };
    const plan = { resourceType: type, status: 'active', intent: 'plan', subject, note };
    const { text } = expectStatus(await send(server, 'POST', base, JSON.stringify(plan)), 201, 'a create');
    texts.set(parse(v.object({ id: v.string() }), text).id, text);
  }
  const backupResponse = expectStatus(await send(server, 'POST', '/app/backups', '{}'), 201, 'a backup');
  await server.stop();
  return { texts, backup: parse(Backup, backupResponse.text).name };
}

/**
 * Requests to the damaged store, each with its label in the report. They return the number of records
 * received.
 */
const looks: readonly (readonly [what: string, look: (sample: Sample) => Promise<number>])[] = [
  ['answered by reads', countReads],
  ['answered by searches of each patient', countSearchHits],
  ['answered by paging over all', countPagedRecords],
  ['answered by the history of the type', (sample) => countBundle(sample, `${base}/_history`)],
  ['exported', countExported],
];

async function countReads({ server, damagedIds, texts }: Sample): Promise<number> {
  for (const [id, text] of texts) {
    const paths = [`${base}/${id}`, `${base}/${id}/_history/1`];
    for (const path of paths) {
      const response = expectStatus(
        await send(server, 'GET', path),
        damagedIds.has(id) ? 500 : 200,
        'a read',
      );
      if (!damagedIds.has(id) && response.text !== text)
        throw new FaultError(`${id} is answered with another text`);
    }
    if (!damagedIds.has(id)) continue;
    await countBundle(
      { server, damagedIds: new Set([id]), texts: new Map([[id, text]]) },
      `${base}/${id}/_history`,
    );
    const patch = '[{"op":"replace","path":"/status","value":"revoked"}]';
    const patchResponse = expectStatus(await send(server, 'PATCH', `${base}/${id}`, patch), 500, 'a patch');
    if (!patchResponse.text.includes('(PUT)')) throw new FaultError('A patch is refused without a way out');
  }
  return texts.size - damagedIds.size;
}

async function countSearchHits({ server, damagedIds, texts }: Sample): Promise<number> {
  let total = 0;
  for (let patient = 0; patient < patients; patient += 1) {
    const path = `${base}?subject=Patient/${patient}`;
    const recordsOfPatient = new Map([...texts].filter(([, text]) => text.includes(`"Patient/${patient}"`)));
    const damagedOfPatient = new Set([...damagedIds].filter((id) => recordsOfPatient.has(id)));
    total += await countBundle({ server, damagedIds: damagedOfPatient, texts: recordsOfPatient }, path);
  }
  return total;
}

async function countPagedRecords({ server, damagedIds, texts }: Sample): Promise<number> {
  const subjects = Array.from({ length: patients }, (_, patient) => `Patient/${patient}`).join(',');
  const pages: Page[] = [];
  for (let path: string | undefined = `${base}?subject=${subjects}&_count=50`; path !== undefined;) {
    const page: Page = parse(Page, expectStatus(await send(server, 'GET', path), 200, 'a page').text);
    pages.push(page);
    path = page.link.find(({ relation }) => relation === 'next')?.url.replace(/^https?:\/\/[^/]+/, '');
  }
  return expectEntries(
    pages.flatMap(({ entry }) => entry),
    { damagedIds, texts },
  );
}

const Resource = v.object({
  resourceType: v.string(),
  id: v.exactOptional(v.string()),
  issue: v.exactOptional(v.array(v.object({ diagnostics: v.exactOptional(v.string()) }))),
});
type Resource = v.InferOutput<typeof Resource>;

const Page = v.object({
  total: v.number(),
  link: v.array(v.object({ relation: v.string(), url: v.string() })),
  entry: v.array(v.object({ resource: Resource })),
});
type Page = v.InferOutput<typeof Page>;

/** Requests a Bundle of all texts. Returns how many records it contains. */
async function countBundle(
  sample: Pick<Sample, 'server' | 'damagedIds' | 'texts'>,
  path: string,
): Promise<number> {
  const page = parse(Page, expectStatus(await send(sample.server, 'GET', path), 200, path).text);
  if (page.total !== sample.texts.size) throw new FaultError(`${path} counts ${page.total}`);
  return expectEntries(page.entry, sample);
}

/**
 * Asserts that each intact record occurs once, and that each damaged one is named once. Returns the number of
 * intact ones.
 */
function expectEntries(
  entries: Page['entry'],
  { damagedIds, texts }: Pick<Sample, 'damagedIds' | 'texts'>,
): number {
  const resources = entries.map(({ resource }) => resource);
  return expectRecords(
    resources,
    [...texts.keys()].filter((id) => !damagedIds.has(id)),
    [...damagedIds],
  );
}

function expectRecords(
  resources: readonly Resource[],
  intactIds: readonly string[],
  damagedIds: readonly string[],
): number {
  const returnedIds = resources.filter(({ resourceType }) => resourceType === type).map(({ id }) => id ?? '');
  const namedIds = resources
    .flatMap(({ issue = [] }) => issue)
    .flatMap(({ diagnostics }) => /^CarePlan\/(\S+), version 1$/.exec(diagnostics ?? '')?.[1] ?? []);
  expectSameIds(returnedIds, intactIds, 'answered');
  expectSameIds(
    namedIds,
    damagedIds.filter((id) => !returnedIds.includes(id)),
    'named',
  );
  return returnedIds.length;
}

function expectSameIds(actual: readonly string[], expected: readonly string[], verb: string): void {
  if (actual.toSorted().join() === expected.toSorted().join()) return;
  throw new FaultError(`${actual.length} records are ${verb}, where it should be ${expected.length}`);
}

async function countExported({ server, damagedIds, texts }: Sample): Promise<number> {
  const { text } = expectStatus(await send(server, 'GET', `/app/export?type=${type}`), 200, 'an export');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => parse(Resource, line));
  if (lines.at(-1)?.resourceType !== 'OperationOutcome')
    throw new FaultError('An export names nothing at its end');
  return expectRecords(
    lines,
    [...texts.keys()].filter((id) => !damagedIds.has(id)),
    [...damagedIds],
  );
}

/** Verifies all texts, then expects a list of exactly the damaged ones, each with its backup. */
async function scrub({ server, damagedIds, texts, backup }: Sample): Promise<void> {
  expectStatus(await send(server, 'POST', '/app/damage/scrub'), 202, 'a scrub');
  const list = async () => parse(DamageList, (await send(server, 'GET', '/app/damage')).text);
  await waitUntil('the end of the scrub', async () => (await list()).scrub.ended !== null);
  const { scrub: scrubResult, records: listedRecords } = await list();
  if (scrubResult.read !== texts.size || scrubResult.found !== damagedIds.size)
    throw new FaultError(`The scrub read ${scrubResult.read} texts and found ${scrubResult.found} damaged`);
  expectSameIds(
    listedRecords.map(({ id }) => id),
    [...damagedIds],
    'listed',
  );
  if (!listedRecords.every(({ backups, current }) => current && backups.some(({ name }) => name === backup)))
    throw new FaultError('A damaged record is listed without the backup that holds it');
}

async function update({ server, texts }: Sample, id: string): Promise<void> {
  const path = `${base}/${id}`;
  expectStatus(await send(server, 'PUT', path, texts.get(id), { 'If-Match': 'W/"1"' }), 200, 'an update');
  expectStatus(await send(server, 'GET', path), 200, 'a read of what was updated');
}

async function repairFromBackup({ server, backup }: Sample, id: string): Promise<void> {
  const body = JSON.stringify({ backup });
  expectStatus(await send(server, 'POST', `/app/damage/${type}/${id}/mend`, body), 200, 'a mend');
  expectStatus(await send(server, 'GET', `${base}/${id}`), 200, 'a read of what was mended');
}

/**
 * Asserts that nothing changes without --write, and that all records are repaired with it. Returns their
 * number.
 */
async function repair(data: string, expectedCount: number): Promise<number> {
  const dryRun = await runCommand(['repair', '--data', data]);
  const namedCount = dryRun.stdout.match(/would be repaired with version 1 from/g)?.length ?? 0;
  if (dryRun.code !== 1 || namedCount !== expectedCount)
    throw new FaultError(`repair named ${namedCount} of ${expectedCount}: ${dryRun.stdout}`);
  const { code, stdout, stderr } = await runCommand(['repair', '--data', data, '--write']);
  if (code !== 0) throw new FaultError(`repair ended with code ${code}: ${stdout}${stderr}`);
  const repairedCount = stdout.match(/: repaired with version 1 from/g)?.length ?? 0;
  if (repairedCount !== expectedCount)
    throw new FaultError(`repair mended ${repairedCount} of ${expectedCount}`);
  return repairedCount;
}

function parse<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
  const value = parseAs(schema, text);
  if (value === undefined) throw new FaultError(`An answer has another form: ${text.slice(0, 200)}`);
  return value;
}

function expectStatus(response: Answer, status: number, description: string): Answer {
  if (response.status === status) return response;
  throw new FaultError(`${description} was answered ${response.status}: ${response.text.slice(0, 300)}`);
}
