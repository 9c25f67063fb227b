import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DamageList, DamagedVersion, ScrubState } from '../../../core/app/damage.ts';
import { loadMonaco, loadedMonaco } from '../../platform/monaco-loader.ts';
import { answerWith, overviewWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { DamageBanner } from './damage-notice.tsx';
import { DamageView } from './damage-view.tsx';

const messages = text.damage;

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

const idleScrub: ScrubState = { ended: '2026-01-03T14:02:00.000Z', read: 1200, found: 0, running: null };
const createDamaged = (id: string, overrides: Partial<DamagedVersion> = {}): DamagedVersion => ({
  type: 'CarePlan',
  id,
  version: 1,
  current: true,
  noticed: '2026-01-03T14:02:00.000Z',
  backups: [],
  ...overrides,
});
const damage = (records: readonly DamagedVersion[], scrub = idleScrub): DamageList => ({ scrub, records });
const plan = (id: string, title: string) =>
  JSON.stringify({
    resourceType: 'CarePlan',
    id,
    status: 'active',
    intent: 'plan',
    title,
    subject: { reference: 'Patient/p' },
  });

/** Stores a plan and returns its ID. */
async function storedPlan(): Promise<string> {
  const answer = await send('POST', '/fhir-r4/v1/CarePlan', plan('x', 'Damaged'));
  return ((await answer.json()) as { id: string }).id;
}

const sheet = (id: string) => page.getByRole('dialog', { name: messages.mend.title(`CarePlan/${id}`) });
const openRepair = (id: string) =>
  page.getByRole('button', { name: messages.mend.startOf(`CarePlan/${id}`) }).click();
const confirm = page.getByRole('button', { name: messages.mend.confirm });

test('shows a placeholder until the response arrives, and reports an unsupported address', async () => {
  let answer: 'waits' | 404 = 'waits';
  answerWith({ 'GET /app/damage': () => answer });
  const { rerender, container } = await show(<DamageView isActive />);
  await expect.poll(() => container.querySelector('.mantine-Skeleton-root')).not.toBeNull();
  answer = 404;
  await rerender(<DamageView isActive key="again" />);
  const { unmount } = await show(<DamageView isActive />);
  await expect.element(page.getByText(text.failure.notOffered(messages.offer))).toBeVisible();
  await unmount();
});

test('reports a failed request and retries it', async () => {
  let answer: DamageList | 403 = 403;
  answerWith({ 'GET /app/damage': () => answer });
  await show(<DamageView isActive />);
  await expect.element(page.getByText(messages.failed)).toBeVisible();
  answer = damage([]);
  await page.getByRole('button', { name: text.failure.retry }).click();
  await expect.element(page.getByText(messages.empty)).toBeVisible();
});

test('shows the time of the last check and the progress of a running one', async () => {
  let answer = damage([], { ...idleScrub, ended: null, read: 0 });
  const sentRequests = answerWith({
    'GET /app/damage': () => answer,
    'POST /app/damage/scrub': () => {
      answer = damage([], { ...idleScrub, running: { done: 300, total: 1200 } });
      return 202;
    },
  });
  await show(<DamageView isActive />);
  await expect.element(page.getByText(messages.never)).toBeVisible();
  await page.getByRole('button', { name: messages.check }).click();
  await expect.element(page.getByText(messages.running(300, 1200))).toBeVisible();
  await expect.element(page.getByRole('progressbar', { name: messages.progress })).toBeVisible();
  await expect.element(page.getByRole('button', { name: messages.check })).toBeDisabled();
  expect(sentRequests.map(({ request }) => request)).toContain('POST /app/damage/scrub');
  // The view polls while the check runs.
  answer = damage([]);
  await expect.element(page.getByText(messages.result(1200, 0))).toBeVisible();
});

test('repairs a damaged record from the selected backup and clears the status bar', async () => {
  const newest = { name: 'records-2.db', version: 1, time: '2026-01-03T13:00:00.000Z' };
  const older = { name: 'records-1.db', version: 1, time: '2026-01-02T13:00:00.000Z' };
  let answer = damage([createDamaged('a', { backups: [newest, older] })], { ...idleScrub, found: 1 });
  const sentRequests = answerWith({
    'GET /app/damage': () => answer,
    'POST /app/damage/CarePlan/a/mend': () => {
      answer = damage([]);
      return { resourceType: 'CarePlan' };
    },
  });
  await show(
    <>
      <DamageView isActive />
      <DamageBanner />
    </>,
  );
  await expect.element(page.getByRole('button', { name: messages.count(1, 0) })).toBeVisible();
  const row = page.getByRole('row', { name: /CarePlan\/a/ });
  await expect.element(row).toMatchTextContent(messages.moreBackups(1));
  await openRepair('a');
  await expect.element(sheet('a')).toMatchTextContent(messages.mend.same);
  await page.getByLabelText(messages.mend.backup).selectOptions('records-1.db');
  await confirm.click();
  await expect.element(page.getByText(messages.empty)).toBeVisible();
  await expect.element(page.getByRole('button', { name: messages.count(1, 0) })).not.toBeInTheDocument();
  expect(sentRequests).toContainEqual({
    request: 'POST /app/damage/CarePlan/a/mend',
    body: { backup: 'records-1.db' },
  });
});

test('names changes missing in an older backup, and shows a rejection without losing the text', async () => {
  const older = { name: 'records-1.db', version: 2, time: '2026-01-02T13:00:00.000Z' };
  answerWith({
    'GET /app/damage': () => damage([createDamaged('a', { version: 3, backups: [older] })]),
    'POST /app/damage/CarePlan/a/mend': () => 409,
  });
  await show(<DamageView isActive />);
  await openRepair('a');
  await expect.element(sheet('a')).toMatchTextContent(messages.mend.older(2));
  await confirm.click();
  await expect.element(page.getByRole('dialog').getByRole('alert')).toMatchTextContent(messages.mend.failed);
  await page.getByRole('button', { name: messages.mend.cancel }).click();
  await expect.element(sheet('a')).not.toBeInTheDocument();
});

test('stores the record of a file as the next version and rejects a file of another record', async () => {
  const id = await storedPlan();
  answerWith({ 'GET /app/damage': () => damage([createDamaged(id)]) });
  await show(<DamageView isActive />);
  await openRepair(id);
  await expect.element(sheet(id)).toMatchTextContent(messages.mend.none);
  await page.getByRole('radio', { name: messages.mend.sources.file }).click();
  const choose = (json: string) => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('Nothing takes a file.');
    return userEvent.upload(input, new File([json], 'plan.json'));
  };
  await expect.element(confirm).toBeDisabled();
  await choose(plan('other', 'Whole'));
  await expect.element(sheet(id)).toMatchTextContent(messages.mend.other('CarePlan/other'));
  await expect.element(confirm).toBeDisabled();
  await choose(plan(id, 'Whole'));
  await confirm.click();
  await expect.element(sheet(id)).not.toBeInTheDocument();
  const storedText = await (await send('GET', `/fhir-r4/v1/CarePlan/${id}`)).text();
  expect(storedText).toMatch(/"versionId":"2".*"title":"Whole"/);
});

test('stores the edited record only over the version that was shown', async () => {
  const id = await storedPlan();
  answerWith({ 'GET /app/damage': () => damage([createDamaged(id)]) });
  await show(<DamageView isActive />);
  await openRepair(id);
  await expect.element(sheet(id)).toMatchTextContent(`"id": "${id}"`);
  const model = loadedMonaco()
    ?.editor.getModels()
    .find(({ uri }) => uri.path.includes('mend'));
  model?.setValue('{');
  await expect.element(sheet(id)).toMatchTextContent(messages.mend.notJson);
  await expect.element(confirm).toBeDisabled();
  model?.setValue(plan(id, 'Written'));
  // Someone else repairs the record meanwhile.
  await send('PUT', `/fhir-r4/v1/CarePlan/${id}`, plan(id, 'Theirs'));
  await confirm.click();
  await expect.element(page.getByRole('dialog').getByRole('alert')).toMatchTextContent(messages.mend.failed);
  const storedText = await (await send('GET', `/fhir-r4/v1/CarePlan/${id}`)).text();
  expect(storedText).toContain('"title":"Theirs"');
});

test('restores an older version only from a backup of the same version', async () => {
  const copy = { name: 'records-1.db', time: '2026-01-02T13:00:00.000Z' };
  const backups = [
    { ...copy, version: 2 },
    { ...copy, name: 'records-0.db', version: 1 },
  ];
  const sentRequests = answerWith({
    'GET /app/damage': () => damage([createDamaged('a', { version: 2, current: false, backups })]),
    'POST /app/damage/CarePlan/a/mend': () => ({ resourceType: 'CarePlan' }),
  });
  await show(<DamageView isActive />);
  await openRepair('a');
  await expect.element(sheet('a')).toMatchTextContent(messages.mend.whatFormer(2));
  await expect.element(sheet('a').getByRole('radio')).not.toBeInTheDocument();
  expect(sheet('a').getByRole('option').elements()).toHaveLength(1);
  await confirm.click();
  await expect.element(sheet('a')).not.toBeInTheDocument();
  expect(sentRequests).toContainEqual({
    request: 'POST /app/damage/CarePlan/a/mend',
    body: { backup: 'records-1.db' },
  });
});

test('counts damaged older versions separately in the status bar', async () => {
  let answer = damage([createDamaged('a'), createDamaged('b', { current: false })]);
  answerWith({ 'GET /app/damage': () => answer });
  const { unmount } = await show(<DamageBanner />);
  await expect
    .element(page.getByRole('button', { name: '1 damaged record, 1 damaged older version', exact: true }))
    .toBeVisible();
  await unmount();
  answer = damage([createDamaged('b', { current: false })]);
  await show(<DamageBanner />);
  await expect
    .element(page.getByRole('button', { name: '1 damaged older version', exact: true }))
    .toBeVisible();
});

test('names database backups of a shared store and repairs by an edited text', async () => {
  answerWith({
    'GET /app/overview': () => overviewWith({ absent: ['backups'] }),
    'GET /app/damage': () => damage([createDamaged('a')]),
  });
  await show(<DamageView isActive />);
  await expect
    .element(page.getByRole('row', { name: /CarePlan\/a/ }))
    .toMatchTextContent(messages.databaseBackups);
  await openRepair('a');
  await expect.element(sheet('a')).toMatchTextContent(messages.mend.databaseBackups);
  await expect.element(sheet('a')).toMatchTextContent('"id": "a"');
});

test('offers no repair by text for a damaged older version', async () => {
  answerWith({ 'GET /app/damage': () => damage([createDamaged('a', { version: 2, current: false })]) });
  await show(<DamageView isActive />);
  const row = page.getByRole('row', { name: /CarePlan\/a/ });
  await expect.element(row).toMatchTextContent(messages.former(2));
  await expect.element(row).toMatchTextContent(messages.formerWhole);
  await expect.element(row.getByRole('button')).not.toBeInTheDocument();
});
