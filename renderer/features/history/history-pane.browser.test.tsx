import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { patchAsOtherClient, storedPlan, storePlan } from '../record/testing/record-host.tsx';
import { HistoryPane } from './history-pane.tsx';
import { HistorySheet } from './history-sheet.tsx';

beforeEach(startServer);

const words = text.history;
const versions = page.getByRole('listbox', { name: words.versions });
const option = (version: number) =>
  versions.getByRole('option', { name: words.version(version), exact: false });
const comparison = page.getByRole('region', { name: text.review.diff });
const changes = page.getByRole('region', { name: text.review.changes });
const ignore = (): void => undefined;

/** Stores a plan with the titles One, Two and Three in its three versions. Returns the current one. */
async function storeVersions() {
  const id = await storePlan('One');
  for (const title of ['Two', 'Three']) await patchAsOtherClient(id, { title });
  const { meta } = JSON.parse(await storedPlan(id)) as { meta: { lastUpdated: string } };
  return { type: 'CarePlan', id, version: 3, versionId: '3', lastUpdated: meta.lastUpdated } as const;
}

/** Waits until exactly these two versions with these titles are compared. */
async function expectCompared(older: [number, string], newer: [number, string]): Promise<void> {
  await expect.element(comparison).toMatchTextContent(words.version(older[0]));
  await expect.element(comparison).toMatchTextContent(words.version(newer[0]));
  await expect.element(changes.getByRole('listitem')).toMatchTextContent(`"${older[1]}""${newer[1]}"`);
}

test('compares the two selected versions, the older one on the left', async () => {
  await show(
    <HistorySheet subject={await storeVersions()} name="Plan" onRestore={ignore} onClose={ignore} />,
  );
  await expect.element(option(3)).toBeVisible();
  await userEvent.keyboard(' {End} ');
  await expect.element(option(3)).toHaveAttribute('aria-selected', 'true');
  await expect.element(option(1)).toHaveAttribute('aria-selected', 'true');
  await expectCompared([1, 'One'], [3, 'Three']);
});

test('opens the comparison of the selected versions from the pane next to the record', async () => {
  const onCompare = vi.fn();
  await show(<HistoryPane subject={await storeVersions()} onCompare={onCompare} onRestore={ignore} />);
  await page.getByRole('button', { name: words.compare(2, 3) }).click();
  expect(onCompare).toHaveBeenLastCalledWith({ older: 2, newer: 3 });
  await versions.getByTitle(words.tick(3)).click();
  await versions.getByTitle(words.tick(1)).click();
  await page.getByRole('button', { name: words.compare(1, 3) }).click();
  expect(onCompare).toHaveBeenLastCalledWith({ older: 1, newer: 3, ticked: true });
});
