import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Backup, BackupList, SecondaryFolder } from '../../../core/app/backups.ts';
import { answerWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { BackupView } from './backup-part.tsx';

const messages = text.places;

beforeEach(startServer);

const backup = (name: string, overrides: Partial<Backup> = {}): Backup => ({
  name,
  time: '2026-01-03T14:02:00.000Z',
  bytes: 2e6,
  kind: 'timed',
  place: 'first',
  copied: false,
  compared: null,
  ...overrides,
});
const damagedTexts = Array.from({ length: 5 }, (_, index) => ({
  type: 'CarePlan' as const,
  id: `d${index}`,
  version: 2,
}));
const place = (folder: string, state: SecondaryFolder['state']): SecondaryFolder => ({
  folder,
  state,
  lacking: 2,
  compared: '2026-01-03T14:02:00.000Z',
  problem: state === 'away' ? 'The disk is not there.' : null,
});
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });

test('shows location, integrity and damaged texts of each backup, also before a restore', async () => {
  const list: BackupList = {
    folder: '/data/backups',
    skipped: ['records-0.db'],
    secondPlace: place('/mnt/backups', 'away'),
    backups: [
      backup('records-3.db', { compared: { texts: 1200, damaged: damagedTexts }, copied: true }),
      backup('records-2.db', { compared: { texts: 1200, damaged: [] }, place: 'second' }),
      backup('records-1.db', { compared: null, kind: 'replaced' }),
    ],
  };
  answerWith({ 'GET /app/backups': () => list });
  await show(<BackupView />);
  await expect.element(row('records-3.db')).toMatchTextContent(messages.damaged(1200, 5));
  await expect.element(row('records-3.db')).toMatchTextContent(messages.version('CarePlan/d0', 2));
  await expect.element(row('records-3.db')).toMatchTextContent(messages.more(2));
  await expect.element(row('records-3.db')).toMatchTextContent(messages.both);
  await expect.element(row('records-2.db')).toMatchTextContent(messages.whole(1200));
  await expect.element(row('records-2.db')).toMatchTextContent(messages.second);
  await expect.element(row('records-1.db')).toMatchTextContent(messages.notCompared);
  await expect.element(row('records-1.db')).toMatchTextContent(text.data.backups.kinds.replaced);
  await expect.element(page.getByText(text.data.backups.skipped(['records-0.db']))).toBeVisible();
  const section = page.getByRole('region', { name: messages.heading });
  await expect.element(section).toMatchTextContent(messages.states.away);
  await expect.element(section).toMatchTextContent('The disk is not there.');
  await expect.element(section).toMatchTextContent(messages.lacking(2));
  await page.getByRole('button', { name: text.data.backups.restore.startOf('records-3.db') }).click();
  await expect.element(page.getByRole('dialog')).toMatchTextContent(messages.version('CarePlan/d0', 2));
});

test('sets and removes the secondary folder, and keeps the typed folder after a rejection', async () => {
  let secondPlace: SecondaryFolder | null = null;
  let isRejected = true;
  const sentRequests = answerWith({
    'GET /app/backups': () => ({ folder: '/data/backups', secondPlace, backups: [], skipped: [] }),
    'PUT /app/backups/second-place': () => {
      if (isRejected) return 400;
      secondPlace = secondPlace === null ? place('/mnt/other', 'good') : null;
      return 204;
    },
  });
  await show(<BackupView />);
  const section = page.getByRole('region', { name: messages.heading });
  await expect.element(section).toMatchTextContent(messages.none);
  const field = section.getByLabelText(messages.field);
  await field.fill(' /mnt/other ');
  const set = section.getByRole('button', { name: messages.set });
  await set.click();
  await expect.element(section.getByRole('alert')).toMatchTextContent(messages.failed);
  isRejected = false;
  await set.click();
  await expect.element(section.getByText('/mnt/other')).toBeVisible();
  await section.getByRole('button', { name: messages.remove }).click();
  await expect.element(section).toMatchTextContent(messages.none);
  const folders = sentRequests.filter(({ request }) => request.startsWith('PUT')).map(({ body }) => body);
  expect(folders).toEqual([{ folder: '/mnt/other' }, { folder: '/mnt/other' }, { folder: null }]);
});

test('creates, lists and restores a backup without erased records, and names those records', async () => {
  const plan =
    '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/p"}}';
  const { id } = (await (await send('POST', '/fhir-r4/v1/CarePlan', plan)).json()) as { id: string };
  await show(<BackupView />);
  await expect.element(page.getByText(text.data.backups.empty)).toBeVisible();
  await page.getByRole('button', { name: text.data.backups.start }).click();
  await expect.element(row(text.data.backups.kinds.asked)).toBeVisible();
  await send('POST', '/app/erasures', JSON.stringify({ type: 'CarePlan', id, reason: 'Asked for.' }));
  await row(text.data.backups.kinds.asked)
    .getByRole('button', { name: /^Restore / })
    .click();
  await page.getByRole('button', { name: text.data.backups.restore.confirm }).click();
  await expect
    .element(page.getByText(new RegExp(`Erased records were not restored: CarePlan/${id}\\.$`)))
    .toBeVisible();
});
