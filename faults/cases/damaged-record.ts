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
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { send, startServer, type Answer, type FaultServer } from '../server.ts';
import { until } from '../wait.ts';

const patients = 3;
const records = { full: 600, short: 60 } as const;
const damaged = { full: 30, short: 6 } as const;

/** Texts of some records are damaged: every other record is answered, and each of those can be mended. */
export const damagedRecord: FaultCase = {
  name: 'damaged-record',
  claim:
    'A stored text that fails its checksum costs that record alone: searches, paging, histories and exports answer all others and name it in its place, it is told by the daily reading of all texts, and it is mended by an update, from a backup, or by chartkeeper repair.',
  beside: true,
  run,
};

interface Sample {
  readonly server: FaultServer;
  /** Ids of the damaged records. */
  readonly hurt: ReadonlySet<string>;
  /** Texts as they were acknowledged, by id. */
  readonly texts: ReadonlyMap<string, string>;
  readonly backup: string;
}

const type = 'CarePlan';
const base = pathOf(type);

async function run({ extent, folder, seed, tally }: FaultContext): Promise<Finding> {
  const data = join(folder, 'data');
  const { texts, backup } = await fill(data, records[extent]);
  const flips = damageBodies(join(data, 'records.db'), { count: damaged[extent], seed });
  const hurt = new Set(flips.map(({ id }) => id));
  tally.add('records', texts.size);
  tally.add('of these damaged', hurt.size);
  const sample: Sample = { server: await startServer(data), hurt, texts, backup };
  await scrub(sample);
  for (const [what, look] of looks) tally.add(what, await look(sample));
  const [updated, fromBackup, ...left] = [...hurt];
  await update(sample, updated ?? '');
  await mend(sample, fromBackup ?? '');
  tally.add('mended by an update or from a backup', 2);
  await sample.server.stop();
  tally.add('mended by repair', await repair(data, left.length));
  await expectVerified(data);
  return { result: 'passed', figures: tally.figures };
}

/** A store of plans with a note of 500 letters, and a backup of it; nobody holds it then. */
async function fill(data: string, count: number): Promise<Pick<Sample, 'texts' | 'backup'>> {
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const texts = new Map<string, string>();
  const note = [{ text: 'n'.repeat(500) }];
  for (let one = 0; one < count; one += 1) {
    const subject = { reference: `Patient/${one % patients}` };
    const plan = { resourceType: type, status: 'active', intent: 'plan', subject, note };
    const { text } = expectStatus(await send(server, 'POST', base, JSON.stringify(plan)), 201, 'a create');
    texts.set(parse(v.object({ id: v.string() }), text).id, text);
  }
  const made = expectStatus(await send(server, 'POST', '/app/backups', '{}'), 201, 'a backup');
  await server.stop();
  return { texts, backup: parse(Backup, made.text).name };
}

/** What is asked of the damaged store, by what the report calls the number of records answered. */
const looks: readonly (readonly [what: string, look: (sample: Sample) => Promise<number>])[] = [
  ['answered by reads', reads],
  ['answered by searches of each patient', searches],
  ['answered by paging over all', paging],
  ['answered by the history of the type', (sample) => bundle(sample, `${base}/_history`)],
  ['exported', exported],
];

async function reads({ server, hurt, texts }: Sample): Promise<number> {
  for (const [id, text] of texts) {
    const paths = [`${base}/${id}`, `${base}/${id}/_history/1`];
    for (const path of paths) {
      const answer = expectStatus(await send(server, 'GET', path), hurt.has(id) ? 500 : 200, 'a read');
      if (!hurt.has(id) && answer.text !== text) throw new FaultError(`${id} is answered with another text`);
    }
    if (!hurt.has(id)) continue;
    await bundle({ server, hurt: new Set([id]), texts: new Map([[id, text]]) }, `${base}/${id}/_history`);
    const patch = '[{"op":"replace","path":"/status","value":"revoked"}]';
    const refused = expectStatus(await send(server, 'PATCH', `${base}/${id}`, patch), 500, 'a patch');
    if (!refused.text.includes('(PUT)')) throw new FaultError('A patch is refused without a way out');
  }
  return texts.size - hurt.size;
}

async function searches({ server, hurt, texts }: Sample): Promise<number> {
  let found = 0;
  for (let patient = 0; patient < patients; patient += 1) {
    const path = `${base}?subject=Patient/${patient}`;
    const own = new Map([...texts].filter(([, text]) => text.includes(`"Patient/${patient}"`)));
    const ownHurt = new Set([...hurt].filter((id) => own.has(id)));
    found += await bundle({ server, hurt: ownHurt, texts: own }, path);
  }
  return found;
}

async function paging({ server, hurt, texts }: Sample): Promise<number> {
  const subjects = Array.from({ length: patients }, (_, patient) => `Patient/${patient}`).join(',');
  const pages: Page[] = [];
  for (let path: string | undefined = `${base}?subject=${subjects}&_count=50`; path !== undefined;) {
    const page: Page = parse(Page, expectStatus(await send(server, 'GET', path), 200, 'a page').text);
    pages.push(page);
    path = page.link.find(({ relation }) => relation === 'next')?.url.replace(/^https?:\/\/[^/]+/, '');
  }
  return expectEntries(
    pages.flatMap(({ entry }) => entry),
    { hurt, texts },
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

/** Asks for a Bundle of all texts; answers how many records it holds. */
async function bundle(sample: Pick<Sample, 'server' | 'hurt' | 'texts'>, path: string): Promise<number> {
  const page = parse(Page, expectStatus(await send(sample.server, 'GET', path), 200, path).text);
  if (page.total !== sample.texts.size) throw new FaultError(`${path} counts ${page.total}`);
  return expectEntries(page.entry, sample);
}

/** Each whole record once, each damaged one named once. */
function expectEntries(entries: Page['entry'], { hurt, texts }: Pick<Sample, 'hurt' | 'texts'>): number {
  const resources = entries.map(({ resource }) => resource);
  return expectNamed(
    resources,
    [...texts.keys()].filter((id) => !hurt.has(id)),
    [...hurt],
  );
}

function expectNamed(
  resources: readonly Resource[],
  whole: readonly string[],
  hurt: readonly string[],
): number {
  const answered = resources.filter(({ resourceType }) => resourceType === type).map(({ id }) => id ?? '');
  const named = resources
    .flatMap(({ issue = [] }) => issue)
    .flatMap(({ diagnostics }) => /^CarePlan\/(\S+), version 1$/.exec(diagnostics ?? '')?.[1] ?? []);
  expectSame(answered, whole, 'answered');
  expectSame(
    named,
    hurt.filter((id) => !answered.includes(id)),
    'named',
  );
  return answered.length;
}

function expectSame(found: readonly string[], wanted: readonly string[], what: string): void {
  if (found.toSorted().join() === wanted.toSorted().join()) return;
  throw new FaultError(`${found.length} records are ${what}, where it should be ${wanted.length}`);
}

async function exported({ server, hurt, texts }: Sample): Promise<number> {
  const { text } = expectStatus(await send(server, 'GET', `/app/export?type=${type}`), 200, 'an export');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => parse(Resource, line));
  if (lines.at(-1)?.resourceType !== 'OperationOutcome')
    throw new FaultError('An export names nothing at its end');
  return expectNamed(
    lines,
    [...texts.keys()].filter((id) => !hurt.has(id)),
    [...hurt],
  );
}

/** All texts are read; what is listed then is what is damaged, each with the backup that holds it. */
async function scrub({ server, hurt, texts, backup }: Sample): Promise<void> {
  expectStatus(await send(server, 'POST', '/app/damage/scrub'), 202, 'a scrub');
  const list = async () => parse(DamageList, (await send(server, 'GET', '/app/damage')).text);
  await until('the end of the scrub', async () => (await list()).scrub.ended !== null);
  const { scrub: told, records: listed } = await list();
  if (told.read !== texts.size || told.found !== hurt.size)
    throw new FaultError(`The scrub read ${told.read} texts and found ${told.found} damaged`);
  expectSame(
    listed.map(({ id }) => id),
    [...hurt],
    'listed',
  );
  if (!listed.every(({ backups, current }) => current && backups.some(({ name }) => name === backup)))
    throw new FaultError('A damaged record is listed without the backup that holds it');
}

async function update({ server, texts }: Sample, id: string): Promise<void> {
  const path = `${base}/${id}`;
  expectStatus(await send(server, 'PUT', path, texts.get(id), { 'If-Match': 'W/"1"' }), 200, 'an update');
  expectStatus(await send(server, 'GET', path), 200, 'a read of what was updated');
}

async function mend({ server, backup }: Sample, id: string): Promise<void> {
  const sent = JSON.stringify({ backup });
  expectStatus(await send(server, 'POST', `/app/damage/${type}/${id}/mend`, sent), 200, 'a mend');
  expectStatus(await send(server, 'GET', `${base}/${id}`), 200, 'a read of what was mended');
}

/** Without --write nothing is changed; with it, all is mended. Answers how many records. */
async function repair(data: string, left: number): Promise<number> {
  const dry = await runCommand(['repair', '--data', data]);
  const named = dry.stdout.match(/would be mended with version 1 from/g)?.length ?? 0;
  if (dry.code !== 1 || named !== left)
    throw new FaultError(`repair named ${named} of ${left}: ${dry.stdout}`);
  const { code, stdout, stderr } = await runCommand(['repair', '--data', data, '--write']);
  if (code !== 0) throw new FaultError(`repair ended with code ${code}: ${stdout}${stderr}`);
  const mended = stdout.match(/: mended with version 1 from/g)?.length ?? 0;
  if (mended !== left) throw new FaultError(`repair mended ${mended} of ${left}`);
  return mended;
}

function parse<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> {
  const found = parseAs(schema, text);
  if (found === undefined) throw new FaultError(`An answer has another form: ${text.slice(0, 200)}`);
  return found;
}

function expectStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status === status) return answer;
  throw new FaultError(`${what} was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
}
