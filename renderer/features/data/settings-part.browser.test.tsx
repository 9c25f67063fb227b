import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { settingsFiles, SettingsFiles, type SettingsFile } from '../../../core/app/settings-files.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { SettingsPart } from './settings-part.tsx';

const words = text.data.settings;

beforeEach(startServer);

const search = { name: 'Active', type: 'CarePlan', pairs: [['status', 'active']] };
const files = settingsFiles([
  { kind: 'searches', value: { name: 'Active', connection: 'Local', type: 'CarePlan', pairs: [] } },
  { kind: 'settings', value: { theme: 'dark' } },
]);

/** The folder that the browser's question is answered with: one of the page's own, empty. */
async function answerWithFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('settings', { create: true });
  const former = window.showDirectoryPicker;
  window.showDirectoryPicker = () => Promise.resolve(folder);
  onTestFinished(async () => {
    if (former) window.showDirectoryPicker = former;
    else delete window.showDirectoryPicker;
    await root.removeEntry('settings', { recursive: true });
  });
  return folder;
}

async function textIn(folder: FileSystemDirectoryHandle, name: string): Promise<string> {
  return (await (await folder.getFileHandle(name)).getFile()).text();
}

async function namesIn(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const name of folder.keys()) names.push(name);
  return names.sort();
}

async function put(folder: FileSystemDirectoryHandle, name: string, content: string): Promise<void> {
  const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await file.write(content);
  await file.close();
}

const exportNow = () => page.getByRole('button', { name: words.export }).click();
const exported = (count: number) =>
  expect.element(page.getByText(words.exported(count, 'settings'))).toBeVisible();

test('settings are written into a folder; a file of a former export goes, another stays', async () => {
  const folder = await answerWithFolder();
  await send('POST', '/app/searches', JSON.stringify(search));
  await show(<SettingsPart />);
  await exportNow();
  await exported(3);
  expect(await namesIn(folder)).toEqual(['chartkeeper.json', 'searches', 'settings.json']);
  const searches = await folder.getDirectoryHandle('searches');
  expect(JSON.parse(await textIn(searches, 'Active.json'))).toEqual({ ...search, connection: 'Local' });
  await put(folder, 'README.md', 'Ours');
  const [saved] = (await (await send('GET', '/app/searches')).json()) as { id: number }[];
  await send('DELETE', `/app/searches/${saved?.id}`);
  await exportNow();
  await exported(2);
  expect(await namesIn(searches)).toEqual([]);
  expect(await namesIn(folder)).toContain('README.md');
});

test('where the browser has no such question, the same files come in one file', async () => {
  const picker = window.showDirectoryPicker;
  delete window.showDirectoryPicker;
  const createObjectURL = URL.createObjectURL.bind(URL);
  const saved = new Promise<Blob>((resolve) => {
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
  expect(parseAs(SettingsFiles, await (await saved).text())).toEqual(answer);
});

function chosen(held: readonly SettingsFile[]): File {
  return new File([JSON.stringify({ files: held })], 'chartkeeper-settings.json', {
    type: 'application/json',
  });
}

async function choose(file: File): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[accept=".json"]');
  if (!input) throw new Error('There is no input for a file');
  await userEvent.upload(input, file);
}

test('an import lists what it would do, changes nothing, and does it when asked', async () => {
  await show(<SettingsPart />);
  await choose(chosen([...files, { path: 'columns.json', text: '{"password": "canary-page"}' }]));
  const outcome = page.getByRole('region', { name: words.outcome });
  await expect
    .element(outcome.getByRole('row').filter({ hasText: 'searches/Active.json' }))
    .toMatchTextContent(words.results.new);
  await expect
    .element(outcome.getByRole('row').filter({ hasText: 'settings.json' }))
    .toMatchTextContent('Changes theme.');
  const refused = outcome.getByRole('row').filter({ hasText: 'columns.json' });
  await expect.element(refused).toMatchTextContent('password looks like a secret');
  expect(document.body.textContent).not.toContain('canary');
  await expect.element(page.getByText(words.would(2))).toBeVisible();
  expect(await (await send('GET', '/app/searches')).json()).toEqual([]);

  await page.getByRole('button', { name: words.takeOver }).click();
  await expect.element(page.getByText(words.taken(2))).toBeVisible();
  expect(await (await send('GET', '/app/searches')).json()).toMatchObject([{ name: 'Active' }]);
  expect(await (await send('GET', '/app/preferences')).json()).toMatchObject({ theme: 'dark' });
  await expect.element(page.getByRole('button', { name: words.takeOver })).not.toBeInTheDocument();
});

test('a file that holds no settings is refused with a sentence', async () => {
  await show(<SettingsPart />);
  await choose(new File(['{"mine": true}'], 'other.json'));
  await expect.element(page.getByText(/There is no chartkeeper\.json/)).toBeVisible();
});
