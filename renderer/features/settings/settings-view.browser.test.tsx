import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { keysOf } from '../../ui/keys.ts';
import { text } from '../../ui/text.ts';
import { holdRequests, send, show, startServer } from '../../testing/show.tsx';
import { SettingsView } from './settings-view.tsx';

beforeEach(startServer);

const messages = text.settings;
const readPreferences = async (): Promise<unknown> => (await send('GET', '/app/preferences')).json();

test('changes keys by pressing them, rejects keys in use and resets them', async () => {
  await show(<SettingsView theme={{ now: 'light', choose: () => undefined }} />);
  const change = page.getByRole('button', { name: /change shortcut of Close other tabs$/ });
  await change.click();
  await userEvent.keyboard('{Control>}s{/Control}');
  await expect.element(page.getByText(messages.taken('Ctrl+S', 'Review changes'))).toBeVisible();
  await userEvent.keyboard('x');
  await expect.element(page.getByText(messages.plain)).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}j{/Shift}{/Control}');
  await expect.element(change).toMatchTextContent('Ctrl Shift J');
  expect(keysOf('tab.closeOthers', false)).toBe('Ctrl+Shift+J');
  await expect.poll(readPreferences).toMatchObject({ keys: { 'tab.closeOthers': 'Mod+Shift+J' } });
  await page.getByRole('button', { name: messages.resetOf('Close other tabs') }).click();
  await expect.element(change).toMatchTextContent(messages.none);
  await expect.poll(readPreferences).toMatchObject({ keys: {} });
});

test('stores settings and shows version, validation level and data folder', async () => {
  await show(<SettingsView theme={{ now: 'light', choose: () => undefined }} />);
  await page.getByRole('combobox', { name: messages.font }).selectOptions('16');
  await page.getByRole('checkbox', { name: messages.minimap }).click();
  await page.getByRole('checkbox', { name: messages.csvForExcel }).click();
  await page.getByRole('combobox', { name: messages.draftPause }).selectOptions('2000');
  await expect
    .poll(readPreferences)
    .toMatchObject({ editorFont: 16, minimap: true, csvForExcel: true, draftPause: 2000 });
  const aboutRegion = page.getByRole('region', { name: messages.parts.about });
  await expect.element(aboutRegion).toMatchTextContent(messages.folder);
  await expect.element(aboutRegion).toMatchTextContent('FHIR R4');
  await expect.element(page.getByText(messages.levels.standard)).toBeVisible();
});

test('keeps other settings when one changes before they are loaded', async () => {
  await send('PUT', '/app/preferences', JSON.stringify({ editorFont: 16 }));
  const release = await holdRequests();
  await show(<SettingsView theme={{ now: 'light', choose: () => undefined }} />);
  await page.getByRole('checkbox', { name: messages.minimap }).click();
  await release();
  await expect.element(page.getByRole('combobox', { name: messages.font })).toHaveValue('16');
  await expect.element(page.getByRole('checkbox', { name: messages.minimap })).toBeChecked();
  await expect.poll(readPreferences).toMatchObject({ editorFont: 16, minimap: true });
});

test('shows a changed setting before the next task, in which a program may read it', async () => {
  await show(<SettingsView theme={{ now: 'light', choose: () => undefined }} />);
  await expect.element(page.getByRole('checkbox', { name: messages.minimap })).toBeVisible();
  const checkbox = page.getByRole('checkbox', { name: messages.minimap }).element() as HTMLInputElement;
  checkbox.click();
  // Microtasks of the task of the click.
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(checkbox.checked).toBe(true);
});

test('adds, selects, renames and removes people and stores the current person', async () => {
  await show(<SettingsView theme={{ now: 'light', choose: () => undefined }} />);
  const profile = page.getByRole('region', { name: text.people.part });
  const people = async (): Promise<unknown> => (await send('GET', '/app/people')).json();
  for (const name of ['Robin Steward', 'Kim Wardn']) {
    await profile.getByRole('textbox', { name: text.people.newName }).fill(name);
    await userEvent.keyboard('{Enter}');
    await expect.element(profile.getByRole('radio', { name })).toBeChecked();
  }
  await profile.getByRole('button', { name: text.people.rename('Kim Wardn') }).click();
  await profile.getByRole('textbox', { name: text.people.nameOf('Kim Wardn') }).fill('Robin Steward');
  await userEvent.keyboard('{Enter}');
  await expect.element(profile.getByText('Someone here already has this name.')).toBeVisible();
  await profile.getByRole('textbox', { name: text.people.nameOf('Kim Wardn') }).fill('Kim Warden');
  await userEvent.keyboard('{Enter}');
  await expect.element(profile.getByRole('radio', { name: 'Kim Warden' })).toBeChecked();
  await profile.getByRole('radio', { name: 'Robin Steward' }).click();
  await profile.getByRole('button', { name: text.people.remove('Kim Warden') }).click();
  await expect.element(profile.getByRole('radio', { name: 'Kim Warden' })).not.toBeInTheDocument();
  await expect
    .poll(people)
    .toEqual({ people: [{ id: expect.any(String), name: 'Robin Steward' }], current: expect.any(String) });
  await profile.getByRole('radio', { name: text.people.none }).click();
  await expect.poll(people).not.toHaveProperty('current');
});
