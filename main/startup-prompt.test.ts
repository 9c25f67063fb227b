import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { launch, ORIGIN, flushPromises } from './testing/launch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MESSAGE = 'The records are not there.';
const BACKUP = 'records-2026-11-01T10-00-00-000Z-timed.db';

/**
 * Launches with missing records. The user presses the buttons of the labels one after another.
 */
async function launchMissing(...labels: string[]) {
  const app = await launch();
  const labelIterator = labels.values();
  app.fake.dialog.showMessageBox.mockImplementation((_window, options) => {
    const buttons = 'buttons' in options ? (options.buttons as string[]) : [];
    const label = labelIterator.next().value ?? 'Close';
    expect(buttons).toContain(label);
    return Promise.resolve({ response: buttons.indexOf(label) });
  });
  app.fake.dialog.showOpenDialog.mockResolvedValue({ canceled: false, filePaths: ['/other'] });
  const child = () => app.fake.getLatest(app.fake.children);
  child().emit('message', { type: 'failed', message: MESSAGE, backups: [BACKUP] });
  await flushPromises();
  return { ...app, child, order: () => child().postMessage.mock.calls[0]?.[0] };
}

it('offers the backups, an empty clinic and another folder if the records are missing', async () => {
  const app = await launchMissing('Close');
  expect(app.fake.getLatest(app.fake.dialog.showMessageBox.mock.calls)[1]).toMatchObject({
    message: MESSAGE,
    buttons: [`Restore ${BACKUP}`, 'Start with no records', 'Open another folder…', 'Close'],
    defaultId: 3,
    cancelId: 3,
  });
  expect(decodeURIComponent(app.fake.getLatest(app.fake.windows).loadURL.mock.calls[0]?.[0] ?? '')).toContain(
    MESSAGE,
  );
  expect(app.fake.children).toHaveLength(1);
});

it('restarts from the selected backup, and opens the page', async () => {
  const app = await launchMissing(`Restore ${BACKUP}`);
  expect(app.order()).toMatchObject({ type: 'start', choice: { kind: 'restore', name: BACKUP } });
  app.child().emit('message', { type: 'ready', origin: ORIGIN });
  await flushPromises();
  expect(app.fake.getLatest(app.fake.windows).loadURL).toHaveBeenLastCalledWith(`${ORIGIN}/`);
});

it('starts with an empty clinic', async () => {
  const app = await launchMissing('Start with no records');
  expect(app.order()).toMatchObject({ choice: { kind: 'empty' } });
});

it('starts in another folder, without a choice about the previous one', async () => {
  const app = await launchMissing('Open another folder…');
  expect(app.order()).toMatchObject({ dataDir: '/other' });
  expect(app.order()).not.toHaveProperty('choice');
});

it('asks again if a backup is not intact', async () => {
  const app = await launchMissing(`Restore ${BACKUP}`, 'Start with no records');
  app.child().emit('message', { type: 'failed', message: 'It is damaged.', backups: [BACKUP] });
  await flushPromises();
  expect(app.order()).toMatchObject({ choice: { kind: 'empty' } });
});
