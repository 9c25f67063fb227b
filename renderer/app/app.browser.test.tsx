import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { session } from '../platform/session.ts';
import { answerWith } from '../testing/answers.ts';
import { show, startOtherServer, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { App } from './app.tsx';

beforeEach(startServer);

const messages = text.signIn;
const signInHeading = page.getByRole('heading', { name: messages.title });

test('shows the sign-in screen over the workbench if the token is rejected', async () => {
  await show(<App />);
  const patient = page.getByRole('textbox', { name: text.search.patient });
  await patient.fill('Patient/17');
  await expect.element(signInHeading).not.toBeInTheDocument();

  let answer: object | number = 500;
  answerWith({ 'POST /app/sign-in': () => answer });
  session.requireToken();
  await expect.element(signInHeading).toBeVisible();
  await expect.element(page.getByText(messages.kept)).toBeVisible();
  expect(patient.element().closest('[inert]')).not.toBeNull();

  const field = page.getByLabelText(messages.field, { exact: true });
  await field.fill('no such code');
  await page.getByRole('button', { name: messages.use, exact: true }).click();
  await expect.element(page.getByText(messages.failed)).toBeVisible();

  const { token } = await startOtherServer();
  answer = { token, expires: '2026-01-02T00:00:00Z', scope: 'system/*.*', name: 'owner' };
  await field.fill('the next code');
  await page.getByRole('button', { name: messages.use, exact: true }).click();
  await expect.element(signInHeading).not.toBeInTheDocument();
  await expect.element(patient).toHaveValue('Patient/17');
  expect(patient.element().closest('[inert]')).toBeNull();
});

test('restores the token of the tab on reload, and requires sign-in without one', async () => {
  const load = async (times: string) => (await loadSession(times)).get();
  expect(await load('kept')).toEqual({ phase: 'in', token: session.token() });
  sessionStorage.clear();
  expect(await load('gone')).toEqual({ phase: 'out', token: undefined });
});

/** Imports the session module again, as a reload does. */
async function loadSession(times: string): Promise<typeof session> {
  const address = `../platform/session.ts?${times}`;
  // oxlint-disable-next-line import/no-dynamic-require -- imports the same module again
  const { session: reloadedSession } = (await import(/* @vite-ignore */ address)) as {
    session: typeof session;
  };
  return reloadedSession;
}

/** Opens a sign-in link in this tab, as a browser does if the page is already open. */
function openLink(name: string, token: string): void {
  const expires = '2026-01-02T00:00:00Z';
  answerWith({ 'POST /app/sign-in': () => ({ token, expires, scope: 'system/*.*', name }) });
  location.hash = 'code=of-another-session';
}

/** Stubs the name of the session of this tab, or an error status. */
function signedInAs(name: string | number): void {
  const time = '2026-01-02T00:00:00Z';
  const current = {
    id: 's',
    name: String(name),
    begun: time,
    used: time,
    scope: 'system/*.*',
    current: true,
  };
  answerWith({
    'GET /app/sessions': () => (typeof name === 'number' ? name : { sessions: [current] }),
  });
}

test('asks before a link of another user replaces the session, and keeps it on request', async () => {
  await show(<App />);
  const ownToken = session.token();
  const { token } = await startOtherServer();
  const question = page.getByRole('dialog', { name: text.otherSession.title('Ada') });
  signedInAs('Robin');

  openLink('Ada', token);
  await expect.element(question).toBeVisible();
  await expect.element(page.getByText(text.otherSession.own('Robin'))).toBeVisible();
  expect(location.hash).toBe('');
  expect(session.token()).toBe(ownToken);
  await page.getByRole('button', { name: text.otherSession.stay, exact: true }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(session.get()).toEqual({ phase: 'in', token: ownToken });

  openLink('Ada', token);
  await page.getByRole('button', { name: text.otherSession.become('Ada') }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(session.get()).toEqual({ phase: 'in', token });
});

test.each(['Robin', 401])(
  'accepts a link of the same user or after the session has ended: %s',
  async (sessionName) => {
    await show(<App />);
    const { token } = await startOtherServer();
    signedInAs(sessionName);
    openLink('Robin', token);
    await expect.poll(() => session.get()).toEqual({ phase: 'in', token });
  },
);

test('asks if a signed-in tab reloads with a link of another user', async () => {
  signedInAs('Robin');
  const otherSession = { token: 'of another', name: 'Ada' };
  answerWith({ 'POST /app/sign-in': () => ({ ...otherSession, expires: '', scope: 'system/*.*' }) });
  history.replaceState(null, '', '#code=of-another-session');
  const reloadedSession = await loadSession('link');
  await expect.poll(() => reloadedSession.get().phase).toBe('asked');
  expect(reloadedSession.get()).toEqual({
    phase: 'asked',
    token: session.token(),
    otherSession: { ...otherSession, currentName: 'Robin' },
  });
});
