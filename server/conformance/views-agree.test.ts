/** Compares the worklist with the findings of each record, computed by the functions of the page's Issues panel. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { profileIssuesOf } from '../../core/app/profile-issues.ts';
import { storeIssuesOf } from '../../core/app/store-issues.ts';
import { parseForValidation, validateParsed } from '../../core/fhir/text-validation.ts';
import { needsStore } from '../../core/fhir/relations.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { onSharedStore, type Json } from '../testing/test-server.ts';
import { types } from './testing/records.ts';
import { describeRequirement, realRecords } from './testing/shared.ts';

const today = Date.UTC(2026, 10, 22, 12);

/** True in the long tests: they check all records instead of a tenth, and all findings of a rule instead of one. */
const isLong = process.env.LONG_TESTS !== undefined;
const stride = isLong ? 1 : 10;

const ndjson = { 'Content-Type': 'application/x-ndjson' };
const fhir = '/fhir-r4/v1';

/** Returns overlapping plans with the same identifier and a dangling reference, and a document with its replacement. */
function createRelatedRecords(): object[] {
  const subject = { reference: 'Patient/views-agree' };
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject,
    period: { start: '2026-01-01' },
    category: [{ coding: [{ system: 'urn:kinds', code: 'views-agree' }] }],
    identifier: [{ system: 'urn:views-agree', value: '1' }],
  };
  const document = {
    resourceType: 'Composition',
    status: 'final',
    type: { text: 'Letter' },
    subject,
    date: '2026-01-01',
    author: [{ display: 'Ward 3' }],
    title: 'Letter',
    section: [{ title: 'One', text: { status: 'generated', div: narrative } }],
  };
  const replaces = [{ code: 'replaces', targetReference: { reference: 'Composition/views-agree-1' } }];
  return [
    { ...plan, id: 'views-agree-1', basedOn: [{ reference: 'CarePlan/views-agree-none' }] },
    { ...plan, id: 'views-agree-2', text: { status: 'generated', div: narrative }, description: 'Old' },
    { ...document, id: 'views-agree-1' },
    { ...document, id: 'views-agree-2', relatesTo: replaces },
  ];
}

const narrative = '<div xmlns="http://www.w3.org/1999/xhtml">Told</div>';

const check = {
  title: 'Has a note',
  type: 'CarePlan',
  holds: 'note.exists()',
  category: 'completeness',
  severity: 'warning',
  active: true,
  version: 0,
};

/** Returns the findings that an opened record shows, as `rule pointer`. */
async function listShownFindings(folder: KeptFolder, type: string, id: string): Promise<ReadonlySet<string>> {
  if (!isResourceType(type)) throw new Error(`${type} is no type of records`);
  const { text, json } = await folder.send('GET', `${fhir}/${type}/${id}`);
  const record = { type, record: text };
  const checkFindings = (await folder.send('POST', '/app/checks/findings', JSON.stringify(record))).json;
  const profileFindings = (await folder.send('POST', '/app/profiles/findings', JSON.stringify(record))).json;
  const storeFindings = (await folder.send('GET', `/app/quality/records/${type}/${id}`)).json;
  const { issues, total } = validateParsed(
    parseForValidation(text),
    type,
    new Date(today).toISOString().slice(0, 10),
    checkFindings,
  );
  expect(issues.length, `${type}/${id} has more issues than are listed`).toBe(total);
  const version = Number(json.meta.versionId);
  const allIssues = [
    ...issues,
    ...profileIssuesOf(type, text, profileFindings).issues,
    ...storeIssuesOf({ type, text, base: text, version }, storeFindings),
  ];
  return new Set(allIssues.map(({ rule, pointer }) => `${rule} ${pointer}`));
}

/** Asserts that records show each rule of the worklist: one record a rule, or all in the long tests. */
async function expectAllShown(folder: KeptFolder): Promise<readonly string[]> {
  await folder.scanRelations();
  const { groups } = (await folder.send('GET', '/app/quality')).json;
  const shownByRecord = new Map<string, Promise<ReadonlySet<string>>>();
  const missing: string[] = [];
  for (const { rule } of groups) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const count = isLong ? 1000 : 1;
      const query = `rule=${encodeURIComponent(rule)}&count=${count}${after && `&after=${after}`}`;
      const page: Json = (await folder.send('GET', `/app/quality/findings?${query}`)).json;
      for (const { type, id, pointer } of page.findings as Json[]) {
        const name = `${type}/${id}`;
        const shownFindings = shownByRecord.get(name) ?? listShownFindings(folder, type, id);
        shownByRecord.set(name, shownFindings);
        if (!(await shownFindings).has(`${rule} ${pointer}`)) missing.push(`${rule} ${name} ${pointer}`);
      }
      after = isLong ? page.next : undefined;
    }
  }
  expect(missing).toEqual([]);
  return groups.map(({ rule }: Json) => rule);
}

// Only data folders have demo and training data.
describe.skipIf(onSharedStore)('records of the demo clinic', () => {
  let folder: KeptFolder;
  beforeAll(async () => {
    folder = await KeptFolder.make(today);
    await folder.start();
  });
  afterAll(() => folder.remove());

  test('show each rule that the worklist counts, with findings of each kind', async () => {
    expect((await folder.send('POST', '/app/demo')).status).toBeLessThan(300);
    const lines = createRelatedRecords().map((record) => JSON.stringify(record));
    await folder.send('POST', '/app/import?level=off&keepIds=true', lines.join('\n'), ndjson);
    const patch = '[{"op":"replace","path":"/description","value":"New"}]';
    expect((await folder.send('PATCH', `${fhir}/CarePlan/views-agree-2`, patch)).status).toBe(200);
    expect((await folder.send('PUT', '/app/checks/note', JSON.stringify(check))).status).toBe(200);
    await expect
      .poll(async () => {
        const [{ progress }] = (await folder.send('GET', '/app/checks')).json;
        return progress !== undefined && progress.done === progress.total;
      })
      .toBe(true);
    const rules = await expectAllShown(folder);
    expect(rules.filter(needsStore).sort()).toEqual([
      'narrative-stale',
      'store/dangling-reference',
      'store/duplicate-identifier',
      'store/overlapping-plans',
      'store/replaced-but-current',
    ]);
    expect(rules).toContain('my/note');
  });
});

const { suiteTitle, isMissing } = describeRequirement(realRecords, 'real records');

describe.skipIf(isMissing || onSharedStore)(suiteTitle, () => {
  let folder: KeptFolder;
  beforeAll(async () => {
    folder = await KeptFolder.make(today);
    await folder.start();
  });
  afterAll(() => folder.remove());

  test('show each rule that the worklist counts', async () => {
    const files = types.flatMap((type) => {
      const folderOfType = resolve(realRecords, type);
      if (!existsSync(folderOfType)) return [];
      return readdirSync(folderOfType).map((file) => readFileSync(resolve(folderOfType, file), 'utf8'));
    });
    const lines = readFileSync(resolve(realRecords, 'synthea-careplans.ndjson'), 'utf8').trim().split('\n');
    const texts = [...files, ...lines].filter((_, index) => index % stride === 0);
    const records = texts.map((text) => JSON.stringify(JSON.parse(text)));
    await folder.send('POST', '/app/import?level=off', records.join('\n'), ndjson);
    expect((await expectAllShown(folder)).length).toBeGreaterThan(0);
  });
});
