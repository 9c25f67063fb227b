import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { NoteList } from '../features/reading/note-list.tsx';
import { send, show, startServer } from '../testing/show.tsx';
import { dateLanguage } from '../ui/date-language.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { text } from '../ui/text.ts';
import { SettingsPage } from './views.tsx';
import { useAppliedPreferences } from './use-layout-commands.ts';

beforeEach(startServer);

const messages = text.settings;
const fetchPreferences = async (): Promise<unknown> => (await send('GET', '/app/preferences')).json();

test('formats all dates in the selected language at once', async () => {
  onTestFinished(() => dateLanguage.set('iso'));
  const instant = '2026-01-03T14:02:00Z';
  function Page() {
    useAppliedPreferences();
    return <SettingsPage />;
  }
  await show(
    <>
      <Page />
      <p>
        Changed <RelativeTime instant={instant} />
      </p>
      <NoteList notes={[{ text: 'Agreed', author: 'Ward 3', time: '2026-02-04', pointer: '/note/0' }]} />
    </>,
  );
  await expect.element(page.getByText(/Changed 2026-01-03/)).toBeVisible();
  await expect.element(page.getByText('Ward 3, 2026-02-04')).toBeVisible();
  await page.getByRole('combobox', { name: messages.dateLanguage }).selectOptions('de');
  await expect.element(page.getByText(/Changed 03\.01\.2026/)).toBeVisible();
  await expect.element(page.getByText('Ward 3, 04.02.2026')).toBeVisible();
  await expect.poll(fetchPreferences).toMatchObject({ dateLanguage: 'de' });
});
