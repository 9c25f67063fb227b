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
  answer = { token, expires: '2026-01-02T00:00:00Z', scope: 'system/*.*' };
  await field.fill('the next code');
  await page.getByRole('button', { name: words.use, exact: true }).click();
  await expect.element(face).not.toBeInTheDocument();
  await expect.element(patient).toHaveValue('Patient/17');
  expect(patient.element().closest('[inert]')).toBeNull();
});

test('a page that is loaded anew goes on with the token that its tab kept, and asks where there is none', async () => {
  const load = async (times: string) => {
    const address = `../platform/session.ts?${times}`;
    // oxlint-disable-next-line import/no-dynamic-require -- of the same module once more
    const { session: again } = (await import(/* @vite-ignore */ address)) as { session: typeof session };
    return again.get();
  };
  expect(await load('kept')).toEqual({ phase: 'in', token: session.token() });
  sessionStorage.clear();
  expect(await load('gone')).toEqual({ phase: 'out', token: undefined });
});
