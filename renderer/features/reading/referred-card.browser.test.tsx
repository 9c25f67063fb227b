import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Target } from '../../../core/fhir/follow.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ReadingView } from './reading-view.tsx';

const messages = text.card;
const urn = 'urn:uuid:0d1e2f3a-0000-4000-8000-0000000000cc';
const composition = {
  resourceType: 'Composition',
  status: 'final',
  type: { text: 'Note' },
  title: 'Note',
  subject: { reference: 'Patient/b' },
  encounter: { reference: urn, display: 'Ada' },
  date: '2026-01-02',
  author: [{ reference: 'Practitioner/w' }],
  section: [{ title: 'Goals', entry: [{ reference: 'Goal/nobody' }, { reference: 'CarePlan/7' }] }],
};
const patient =
  '{"resourceType":"Patient","id":"p1","name":[{"given":["Ada"],"family":"Example"}],"birthDate":"1950-02-01","x":1.10}';

beforeEach(startServer);

const dialog = page.getByRole('dialog');
const opener = (name: string) => page.getByRole('button', { name });

async function showReading(): Promise<Target[]> {
  const followedTargets: Target[] = [];
  const noop = () => undefined;
  await show(
    <div style={{ height: 700, display: 'flex' }}>
      <ReadingView
        modelPath="chartkeeper:/a"
        type="Composition"
        text={JSON.stringify(composition)}
        issues={[]}
        cursor=""
        prints={0}
        onReveal={noop}
        onGo={noop}
        onFollow={(target) => followedTargets.push(target)}
      />
    </div>,
  );
  return followedTargets;
}

test('opens a card with name, dates and exact JSON of a supporting resource', async () => {
  const entry = `{"fullUrl":"${urn}","resource":${patient}}`;
  await send('POST', '/app/import', `{"resourceType":"Bundle","type":"document","entry":[${entry}]}`);
  const followedTargets = await showReading();
  await opener('Ada').click();
  await expect.element(dialog.getByRole('heading', { name: 'Ada Example' })).toBeVisible();
  await expect.element(dialog.getByText(/^1950-02-01 · \d+ years old$/)).toBeVisible();
  await dialog.getByRole('button', { name: messages.json, exact: true }).click();
  await expect.element(dialog.getByText('"x": 1.10', { exact: false })).toBeVisible();

  // From there, a search lists the records with the same reference.
  await dialog.getByRole('button', { name: messages.search }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(followedTargets).toMatchObject([{ kind: 'search', pairs: [['encounter', expect.any(String)]] }]);
});

test('reports a missing resource once and opens records without a card', async () => {
  const followedTargets = await showReading();
  await opener('Goal nobody').click();
  await expect.element(dialog.getByText(messages.absent, { exact: false })).toBeVisible();
  expect(dialog.getByText(messages.absent, { exact: false }).elements()).toHaveLength(1);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await opener('CarePlan 7').click();
  expect(followedTargets).toEqual([{ kind: 'record', type: 'CarePlan', id: '7' }]);
});
