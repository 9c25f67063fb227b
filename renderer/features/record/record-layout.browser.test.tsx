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

test('restores the panel size when a record is opened again', async () => {
  const ids = [await storePlan('Alpha')];
  const edge = page.getByRole('separator', { name: text.inspector.resize });
  const width = () => Number(edge.element().getAttribute('aria-valuenow'));
  const rendered = await show(<RecordHost ids={ids} />);
  await expect.element(edge).toBeVisible();
  const widthBefore = width();
  (edge.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  const readPreferences = async () => (await send('GET', '/app/preferences')).text();
  await expect.poll(readPreferences).toContain(`"inspectorWidth":${widthBefore + 16}`);
  await rendered.unmount();
  await show(<RecordHost ids={ids} />);
  await expect.poll(width).toBe(widthBefore + 16);
});

test('shows a revealed element in the JSON next to the reading view of that tab only', async () => {
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

test('shows the subject by the name that only its own resource states', async () => {
  const resources = [
    {
      resourceType: 'CarePlan',
      id: 'c1',
      status: 'active',
      intent: 'plan',
      subject: { reference: 'Patient/p1' },
    },
    { resourceType: 'Patient', id: 'p1', name: [{ given: ['Ada'], family: 'Example' }] },
  ];
  const imported = await send('POST', '/app/import', JSON.stringify(resources));
  const [, id = ''] = /"record":"CarePlan\/([^"]+)"/.exec(await imported.text()) ?? [];
  await show(<RecordHost ids={[id]} />);
  const subject = page.getByTitle(text.reading.patient('Patient/p1')).first();
  await expect.element(subject).toMatchTextContent('Ada Example');
});
