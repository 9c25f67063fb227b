import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { launch, ORIGIN, settle } from './testing/launch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MESSAGE = 'The records are not there.';
const BACKUP = 'records-2026-11-01T10-00-00-000Z-timed.db';

/** Launches beside records that are missing; the user presses the button of this name, and others in their order. */
async function launchMissing(...labels: string[]) {
  const app = await launch();
  const pressed = labels.values();
  app.fake.dialog.showMessageBox.mockImplementation((_window, options) => {
    const buttons = 'buttons' in options ? (options.buttons as string[]) : [];
    const label = pressed.next().value ?? 'Close';
    expect(buttons).toContain(label);
    return Promise.resolve({ response: buttons.indexOf(label) });
  });
  app.fake.dialog.showOpenDialog.mockResolvedValue({ canceled: false, filePaths: ['/other'] });
  const child = () => app.fake.newest(app.fake.children);
  child().emit('message', { type: 'failed', message: MESSAGE, backups: [BACKUP] });
  await settle();
  return { ...app, child, order: () => child().postMessage.mock.calls[0]?.[0] };
}

it('offers the backups, an empty clinic and another folder where the records are missing', async () => {
  const app = await launchMissing('Close');
  expect(app.fake.newest(app.fake.dialog.showMessageBox.mock.calls)[1]).toMatchObject({
    message: MESSAGE,
    buttons: [`Restore ${BACKUP}`, 'Begin an empty clinic', 'Open another folder…', 'Close'],
    defaultId: 3,
    cancelId: 3,
  });
  expect(decodeURIComponent(app.fake.newest(app.fake.windows).loadURL.mock.calls[0]?.[0] ?? '')).toContain(
    MESSAGE,
  );
  expect(app.fake.children).toHaveLength(1);
});

it('starts anew from the backup that was chosen, and opens the page', async () => {
  const app = await launchMissing(`Restore ${BACKUP}`);
  expect(app.order()).toMatchObject({ type: 'start', choice: { kind: 'restore', name: BACKUP } });
  app.child().emit('message', { type: 'ready', origin: ORIGIN });
  await settle();
  expect(app.fake.newest(app.fake.windows).loadURL).toHaveBeenLastCalledWith(`${ORIGIN}/`);
});

it('starts with an empty clinic', async () => {
  const app = await launchMissing('Begin an empty clinic');
  expect(app.order()).toMatchObject({ choice: { kind: 'empty' } });
});

it('starts in another folder, with no choice about the one before', async () => {
  const app = await launchMissing('Open another folder…');
  expect(app.order()).toMatchObject({ dataDir: '/other' });
  expect(app.order()).not.toHaveProperty('choice');
});

it('asks again where a backup turns out not to be good', async () => {
  const app = await launchMissing(`Restore ${BACKUP}`, 'Begin an empty clinic');
  app.child().emit('message', { type: 'failed', message: 'It is damaged.', backups: [BACKUP] });
  await settle();
  expect(app.order()).toMatchObject({ choice: { kind: 'empty' } });
});
