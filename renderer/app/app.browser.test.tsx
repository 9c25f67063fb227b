import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { session } from '../platform/session.ts';
import { answerWith } from '../testing/answers.ts';
import { show, startOther, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { App } from './app.tsx';

beforeEach(startServer);

const words = text.signIn;
const face = page.getByRole('heading', { name: words.title });

test('a page whose token is refused asks for another one; what is open stays behind the question', async () => {
  await show(<App />);
  const patient = page.getByRole('textbox', { name: text.search.patient });
  await patient.fill('Patient/17');
  await expect.element(face).not.toBeInTheDocument();

  let answer: object | number = 500;
  answerWith({ 'POST /app/sign-in': () => answer });
  session.requireToken();
  await expect.element(face).toBeVisible();
  await expect.element(page.getByText(words.kept)).toBeVisible();
  expect(patient.element().closest('[inert]')).not.toBeNull();

  const field = page.getByLabelText(words.field, { exact: true });
  await field.fill('no such code');
  await page.getByRole('button', { name: words.use, exact: true }).click();
  await expect.element(page.getByText(words.failed)).toBeVisible();

  const { token } = await startOther();
  answer = { token, expires: '2026-01-02T00:00:00Z', scope: 'system/*.*', name: 'owner' };
  await field.fill('the next code');
  await page.getByRole('button', { name: words.use, exact: true }).click();
  await expect.element(face).not.toBeInTheDocument();
  await expect.element(patient).toHaveValue('Patient/17');
  expect(patient.element().closest('[inert]')).toBeNull();
});

test('a page that is loaded anew goes on with the token that its tab kept, and asks where there is none', async () => {
  const load = async (times: string) => (await loadAnew(times)).get();
  expect(await load('kept')).toEqual({ phase: 'in', token: session.token() });
  sessionStorage.clear();
  expect(await load('gone')).toEqual({ phase: 'out', token: undefined });
});

/** The session module as a page has it that is loaded anew. */
async function loadAnew(times: string): Promise<typeof session> {
  const address = `../platform/session.ts?${times}`;
  // oxlint-disable-next-line import/no-dynamic-require -- of the same module once more
  const { session: again } = (await import(/* @vite-ignore */ address)) as { session: typeof session };
  return again;
}

/** Opens a link in this tab, as a browser does where the page is there already: it is of this session. */
function openLink(name: string, token: string): void {
  const expires = '2026-01-02T00:00:00Z';
  answerWith({ 'POST /app/sign-in': () => ({ token, expires, scope: 'system/*.*', name }) });
  location.hash = 'code=of-another-session';
}

/** Has the server say whose session this tab's is; a status instead where it does not. */
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

test('asks before a link of another name takes over a tab that is signed in, and stays who it was on request', async () => {
  await show(<App />);
  const own = session.token();
  const { token } = await startOther();
  const question = page.getByRole('dialog', { name: text.otherSession.title('Ada') });
  signedInAs('Robin');

  openLink('Ada', token);
  await expect.element(question).toBeVisible();
  await expect.element(page.getByText(text.otherSession.own('Robin'))).toBeVisible();
  expect(location.hash).toBe('');
  expect(session.token()).toBe(own);
  await page.getByRole('button', { name: text.otherSession.stay, exact: true }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(session.get()).toEqual({ phase: 'in', token: own });

  openLink('Ada', token);
  await page.getByRole('button', { name: text.otherSession.become('Ada') }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(session.get()).toEqual({ phase: 'in', token });
});

test.each(['Robin', 401])(
  'takes a link of the same name, or where the session has ended, at once: %s',
  async (own) => {
    await show(<App />);
    const { token } = await startOther();
    signedInAs(own);
    openLink('Robin', token);
    await expect.poll(() => session.get()).toEqual({ phase: 'in', token });
  },
);

test('asks where a tab that is signed in loads the page anew with a link of another name', async () => {
  signedInAs('Robin');
  const other = { token: 'of another', name: 'Ada' };
  answerWith({ 'POST /app/sign-in': () => ({ ...other, expires: '', scope: 'system/*.*' }) });
  history.replaceState(null, '', '#code=of-another-session');
  const loaded = await loadAnew('link');
  await expect.poll(() => loaded.get().phase).toBe('asked');
  expect(loaded.get()).toEqual({
    phase: 'asked',
    token: session.token(),
    otherSession: { ...other, currentName: 'Robin' },
  });
});
