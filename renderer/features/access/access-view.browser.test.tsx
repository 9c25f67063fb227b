import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Session } from '../../../core/app/sign-in.ts';
import type { TokenSummary } from '../../../core/app/tokens.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { answerWith } from '../../testing/answers.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { AccessView } from './access-view.tsx';

const messages = text.sessions;

beforeEach(startServer);

const session = (id: string, current: boolean): Session => ({
  id,
  name: 'owner',
  current,
  begun: '2026-01-03T14:02:00.000Z',
  used: '2026-01-03T14:02:00.000Z',
  scope: 'system/*.*',
});
const region = page.getByRole('region', { name: messages.name });

test('lists sessions with the current one marked and ends a session after a confirmation', async () => {
  let sessions = [session('aaaaaaaabbbb', true), session('ccccccccdddd', false)];
  const sentRequests = answerWith({
    'GET /app/sessions': () => ({ sessions }),
    'DELETE /app/sessions/ccccccccdddd': () => {
      sessions = sessions.slice(0, 1);
      return 204;
    },
  });
  await show(<AccessView isActive />);
  await expect.element(region.getByRole('row', { name: /aaaaaaaa/ })).toMatchTextContent(messages.current);
  await region.getByRole('button', { name: messages.endOf('cccccccc') }).click();
  const question = page.getByRole('dialog', { name: messages.endTitle('cccccccc') });
  await question.getByRole('button', { name: messages.endOf('cccccccc') }).click();
  await expect.element(region.getByRole('row', { name: /cccccccc/ })).not.toBeInTheDocument();
  expect(sentRequests.map(({ request }) => request)).toContain('DELETE /app/sessions/ccccccccdddd');
});

test('shows a sign-in link once and drops it with the dialog', async () => {
  const link = `${location.origin}/#code=once-only`;
  const sentRequests = answerWith({
    'GET /app/sessions': () => ({ sessions: [] }),
    'POST /app/sign-in-codes': () => ({ code: 'once-only', link, expires: '2026-01-03T15:02:00.000Z' }),
  });
  await show(<AccessView isActive />);
  await expect.element(region).toMatchTextContent(messages.empty);
  await page.getByRole('button', { name: messages.link.start }).click();
  await expect.element(page.getByLabelText(messages.link.field, { exact: true })).toHaveValue(link);
  expect(sentRequests.filter(({ request }) => request === 'POST /app/sign-in-codes')).toHaveLength(1);
  await page.getByRole('button', { name: messages.link.close }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])).not.toContain(
    'once-only',
  );
});

test('reports a server without sessions and links, and still lists its tokens', async () => {
  answerWith({ 'GET /app/sessions': () => 404, 'POST /app/sign-in-codes': () => 404 });
  await show(<AccessView isActive />);
  await expect.element(region).toMatchTextContent(text.failure.notOffered(messages.offer));
  await expect.element(page.getByRole('table', { name: text.access.name })).toBeVisible();
  await page.getByRole('button', { name: messages.link.start }).click();
  const dialog = page.getByRole('dialog', { name: messages.link.title });
  await expect.element(dialog).toMatchTextContent(text.failure.notOffered(messages.link.offer));
});

test('reports a failed request for sessions next to the tokens and retries it', async () => {
  let answer: object | 403 = 403;
  answerWith({ 'GET /app/sessions': () => answer });
  await show(<AccessView isActive />);
  await expect.element(region.getByRole('alert')).toMatchTextContent(messages.failed);
  answer = { sessions: [session('aaaaaaaabbbb', true)] };
  await region.getByRole('button', { name: text.failure.retry }).click();
  await expect.element(region.getByRole('row', { name: /aaaaaaaa/ })).toBeVisible();
});

test('creates a token with exactly the selected scopes and lifetime', async () => {
  await show(<AccessView isActive />);
  const { form, minted } = text.access;
  await page.getByRole('button', { name: text.access.mint }).click();
  const dialog = page.getByRole('dialog', { name: form.title });
  const scope = (letter: keyof typeof form.letterOf, type: string) =>
    dialog.getByRole('checkbox', { name: form.letterOf[letter](type), exact: true });
  for (const type of resourceTypes.filter((candidate) => candidate !== 'CarePlan')) {
    await scope('r', type).click();
    await scope('s', type).click();
  }
  await scope('s', 'CarePlan').click();
  await expect.element(dialog.getByText('system/CarePlan.r', { exact: true })).toBeVisible();
  await scope('c', 'CarePlan').click();
  await dialog.getByLabelText(form.name, { exact: true }).fill('Importer');
  await dialog.getByLabelText(form.expires, { exact: true }).selectOptions('86400');
  await dialog.getByRole('button', { name: form.submit }).click();
  await expect.element(page.getByLabelText(minted.token, { exact: true })).toBeVisible();

  const tokens = (await (await send('GET', '/app/tokens')).json()) as TokenSummary[];
  const created = tokens.find(({ name }) => name === 'Importer');
  expect(created?.scopes).toEqual(['system/CarePlan.cr']);
  expect(Date.parse(created?.expires ?? '') - Date.parse(created?.created ?? '')).toBe(86_400_000);
});
