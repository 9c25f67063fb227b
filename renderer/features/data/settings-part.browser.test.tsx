import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { settingsFiles, SettingsFiles, type SettingsFile } from '../../../core/app/settings-files.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { SettingsPart } from './settings-part.tsx';

const messages = text.data.settings;

beforeEach(startServer);

const search = { name: 'Active', type: 'CarePlan', pairs: [['status', 'active']] };
const files = settingsFiles([
  { kind: 'searches', value: { name: 'Active', connection: 'Local', type: 'CarePlan', pairs: [] } },
  { kind: 'settings', value: { theme: 'dark' } },
]);

/** Answers the folder dialog with an empty folder of the page. */
async function answerWithFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('settings', { create: true });
  const previousPicker = window.showDirectoryPicker;
  window.showDirectoryPicker = () => Promise.resolve(folder);
  onTestFinished(async () => {
    if (previousPicker) window.showDirectoryPicker = previousPicker;
    else delete window.showDirectoryPicker;
    await root.removeEntry('settings', { recursive: true });
  });
  return folder;
}

async function readText(folder: FileSystemDirectoryHandle, name: string): Promise<string> {
  return (await (await folder.getFileHandle(name)).getFile()).text();
}

async function listNames(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const name of folder.keys()) names.push(name);
  return names.sort();
}

async function writeText(folder: FileSystemDirectoryHandle, name: string, content: string): Promise<void> {
  const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await file.write(content);
  await file.close();
}

const exportNow = () => page.getByRole('button', { name: messages.export }).click();
const expectExported = (count: number) =>
  expect.element(page.getByText(messages.exported(count, 'settings'))).toBeVisible();

test('writes settings into a folder, removes files of a previous export and keeps others', async () => {
  const folder = await answerWithFolder();
  await send('POST', '/app/searches', JSON.stringify(search));
  await show(<SettingsPart />);
  await exportNow();
  await expectExported(3);
  expect(await listNames(folder)).toEqual(['chartkeeper.json', 'searches', 'settings.json']);
  const searches = await folder.getDirectoryHandle('searches');
  expect(JSON.parse(await readText(searches, 'Active.json'))).toEqual({ ...search, connection: 'Local' });
  await writeText(folder, 'README.md', 'Ours');
  const [savedSearch] = (await (await send('GET', '/app/searches')).json()) as { id: number }[];
  await send('DELETE', `/app/searches/${savedSearch?.id}`);
  await exportNow();
  await expectExported(2);
  expect(await listNames(searches)).toEqual([]);
  expect(await listNames(folder)).toContain('README.md');
});

test('writes the same files into one file if the browser has no folder dialog', async () => {
  const picker = window.showDirectoryPicker;
  delete window.showDirectoryPicker;
  const createObjectURL = URL.createObjectURL.bind(URL);
  const savedFile = new Promise<Blob>((resolve) => {
    URL.createObjectURL = (content: Blob) => {
      resolve(content);
      return '#';
    };
  });
  onTestFinished(() => {
    URL.createObjectURL = createObjectURL;
    if (picker) window.showDirectoryPicker = picker;
  });
  await show(<SettingsPart />);
  await exportNow();
  const answer: unknown = await (await send('GET', '/app/settings/files')).json();
  expect(parseAs(SettingsFiles, await (await savedFile).text())).toEqual(answer);
});

function createSettingsFile(settingsFileList: readonly SettingsFile[]): File {
  return new File([JSON.stringify({ files: settingsFileList })], 'chartkeeper-settings.json', {
    type: 'application/json',
  });
}

async function choose(file: File): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[accept=".json"]');
  if (!input) throw new Error('There is no input for a file');
  await userEvent.upload(input, file);
}

test('previews an import without changes and applies it on request', async () => {
  await show(<SettingsPart />);
  await choose(createSettingsFile([...files, { path: 'columns.json', text: '{"password": "canary-page"}' }]));
  const outcome = page.getByRole('region', { name: messages.outcome });
  await expect
    .element(outcome.getByRole('row').filter({ hasText: 'searches/Active.json' }))
    .toMatchTextContent(messages.results.new);
  await expect
    .element(outcome.getByRole('row').filter({ hasText: 'settings.json' }))
    .toMatchTextContent('Changes theme.');
  const rejectedRow = outcome.getByRole('row').filter({ hasText: 'columns.json' });
  await expect.element(rejectedRow).toMatchTextContent('password looks like a secret');
  expect(document.body.textContent).not.toContain('canary');
  await expect.element(page.getByText(messages.would(2))).toBeVisible();
  expect(await (await send('GET', '/app/searches')).json()).toEqual([]);

  await page.getByRole('button', { name: messages.takeOver }).click();
  await expect.element(page.getByText(messages.taken(2))).toBeVisible();
  expect(await (await send('GET', '/app/searches')).json()).toMatchObject([{ name: 'Active' }]);
  expect(await (await send('GET', '/app/preferences')).json()).toMatchObject({ theme: 'dark' });
  await expect.element(page.getByRole('button', { name: messages.takeOver })).not.toBeInTheDocument();
});

test('rejects a file without settings', async () => {
  await show(<SettingsPart />);
  await choose(new File(['{"mine": true}'], 'other.json'));
  await expect.element(page.getByText(/chartkeeper\.json not found/)).toBeVisible();
});
