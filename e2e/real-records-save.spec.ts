/** Opens, edits, formats, reviews and saves every real record through the page, with all its values kept. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { copy, member, equal, type JsonNode } from '../core/json/node.ts';
import { scan } from '../core/json/scan.ts';
import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import type { TestServer } from './server.ts';
import type { Workbench } from './workbench.ts';

const folder = resolve(import.meta.dirname, '../../shared/data');
const types = ['CarePlan', 'Composition'] as const;
const parts = 40;

/** A new element for all records, typed on one line so that formatting must lay it out. */
const typedElement = '"implicitRules":"urn:example:saved",';

interface Source {
  readonly type: string;
  readonly name: string;
  readonly text: string;
}

function sources(): Source[] {
  return types.flatMap((type) =>
    readdirSync(resolve(folder, type))
      .sort()
      .map((name) => ({ type, name, text: readFileSync(resolve(folder, type, name), 'utf8') })),
  );
}

// Some of the records break rules that the service rejects at its default level.
test.use({ flags: ['--validation', 'off'] });

test('uses 267 real records @real-records', () => {
  test.skip(!existsSync(folder), 'not run: the records are not on this machine');
  expect(sources()).toHaveLength(267);
});

for (let part = 0; part < parts; part += 1) {
  test(
    `opens, formats and saves real records with every value equal, part ${part + 1} of ${parts}`,
    { tag: '@real-records' },
    async ({ workbench, page, server }) => {
      test.skip(!existsSync(folder), 'not run: the records are not on this machine');
      test.setTimeout(400_000);
      const problems: string[] = [];
      for (const source of sources().filter((_, index) => index % parts === part)) {
        const id = await create(server, source);
        await editAndSave(workbench, page, `${source.type}/${id}`);
        const savedText = await read(server, `${source.type}/${id}`);
        const [contentBefore, contentAfter] = [removeServerMeta(source.text), removeServerMeta(savedText)];
        if (member(contentAfter, 'implicitRules') === undefined)
          problems.push(`${source.name}: the edit is not saved`);
        remove(contentAfter, ['implicitRules']);
        if (!equal(contentBefore, contentAfter)) problems.push(`${source.name}: a value is not what it was`);
      }
      expect(problems).toEqual([]);
    },
  );
}

async function editAndSave(workbench: Workbench, page: Page, path: string): Promise<void> {
  const { keyboard } = page;
  await new Frame(page).openById(path);
  const text = workbench.editor.getByRole('textbox', { name: 'JSON of the record' });
  // At the minimum width its name is hidden.
  await expect(page.getByRole('main').getByText(path, { exact: true })).toBeAttached();
  await expect(workbench.editor.locator('.view-line').nth(1)).toBeVisible();
  await text.focus();
  await keyboard.press('Control+Home');
  await keyboard.press('ArrowRight');
  await keyboard.insertText(typedElement);
  await keyboard.press('Control+Shift+I');
  await expect(
    workbench.editor.locator('.view-line').filter({ hasText: /^\s+"implicitRules":\s"urn:example:saved",$/ }),
  ).toBeVisible();
  await keyboard.press('Control+S');
  const review = workbench.dialog('Review changes');
  // By key: a click waits for a sheet that is still laying out its diff.
  await review.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expect(workbench.status).toContainText('Saved version 2');
  await keyboard.press('Alt+W');
  await expect(text).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Search' })).toHaveAttribute('aria-selected', 'true');
}

async function create({ origin, token }: TestServer, { type, name, text }: Source): Promise<string> {
  const answer = await fetch(`${origin}/fhir-r4/v1/${type}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: text,
  });
  if (answer.status !== 201) throw new Error(`${name} was refused with ${answer.status}.`);
  const { id } = (await answer.json()) as { id: string };
  return id;
}

async function read({ origin, token }: TestServer, path: string): Promise<string> {
  const answer = await fetch(`${origin}/fhir-r4/v1/${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return answer.text();
}

/**
 * Returns a record without server metadata: id, meta.versionId, meta.lastUpdated, and a meta that becomes
 * empty.
 */
function removeServerMeta(text: string): JsonNode {
  const root = copy(scan(text).root);
  const meta = member(root, 'meta');
  if (meta) remove(meta, ['versionId', 'lastUpdated']);
  remove(root, meta?.kind === 'object' && meta.members.length === 0 ? ['id', 'meta'] : ['id']);
  return root;
}

function remove(node: JsonNode, names: readonly string[]): void {
  if (node.kind !== 'object') return;
  const remainingMembers = node.members.filter(({ key }) => !names.includes(key));
  node.members.splice(0, node.members.length, ...remainingMembers);
}
