import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadMonaco } from '../../platform/monaco-loader.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { modelPathOf, record, RecordHost, storePlan } from './testing/record-host.tsx';

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

test('where an edge was put to rest it stands when a record is opened again', async () => {
  const ids = [await storePlan('Alpha')];
  const edge = page.getByRole('separator', { name: text.inspector.resize });
  const width = () => Number(edge.element().getAttribute('aria-valuenow'));
  const shown = await show(<RecordHost ids={ids} />);
  await expect.element(edge).toBeVisible();
  const before = width();
  (edge.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  const kept = async () => (await send('GET', '/app/preferences')).text();
  await expect.poll(kept).toContain(`"inspectorWidth":${before + 16}`);
  await shown.unmount();
  await show(<RecordHost ids={ids} />);
  await expect.poll(width).toBe(before + 16);
});

test('where an element is to be seen in the JSON it comes beside the reading view, and stays what was chosen elsewhere', async () => {
  const ids = [await storePlan('Alpha'), await storePlan('Beta')];
  await show(<RecordHost ids={ids} reading={() => <p>As read</p>} />);
  await page.getByRole('tab', { name: text.recordViews.read, exact: true }).click();
  await expect.element(record.editor).not.toBeInTheDocument();
  revealPointer(modelPathOf(ids[0] ?? ''), '/title');
  await expect.element(record.editor).toBeVisible();
  await record.tab(ids[1] ?? '').click();
  await expect.element(page.getByText('As read')).toBeVisible();
  await expect.element(record.editor).not.toBeInTheDocument();
});
