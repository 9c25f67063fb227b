import { useQueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { changeStored, storePlan } from '../features/record/testing/record-host.tsx';
import { recordsKey } from '../platform/app-queries.ts';
import { answerWith, intercept } from '../testing/answers.ts';
import { holdRequests, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { Workbench } from './workbench.tsx';

beforeEach(startServer);

/** Presses a key so often; the parts of the window to which the focus moved. */
async function parts(keys: string, times: number): Promise<readonly (string | undefined)[]> {
  const reached: (string | undefined)[] = [];
  for (let press = 0; press < times; press += 1) {
    await userEvent.keyboard(keys);
    reached.push(document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset.region);
  }
  return reached;
}

test('F6 leads around the parts of the window, and back to where the focus was in each', async () => {
  await show(<Workbench />);
  const patient = page.getByRole('textbox', { name: text.search.patient });
  await expect.element(patient).toHaveFocus();
  expect(await parts('{F6}', 5)).toEqual(['status', 'top', 'views', 'tabs', 'main']);
  await expect.element(patient).toHaveFocus();
  expect(await parts('{Shift>}{F6}{/Shift}', 5)).toEqual(['tabs', 'views', 'top', 'status', 'main']);
  await expect.element(patient).toHaveFocus();
});

test('the frame says how strict the server is, how a tab is closed by keys, and what is part of what', async () => {
  await show(<Workbench />);
  const status = page.getByRole('contentinfo', { name: text.status.name });
  await expect.element(status.getByTitle(text.status.level('standard'))).toMatchTextContent(/^standard$/);

  const views = page.getByRole('navigation', { name: text.side.name });
  const left = (name: string) =>
    views.getByRole('button', { name }).element().querySelector('span')?.getBoundingClientRect().left ?? 0;
  for (const part of [text.views.audit, text.views.damage, text.views.backups, text.views.access]) {
    expect(left(part), part).toBeGreaterThan(left(text.views.trust));
  }
  expect(left(text.views.data)).toBe(left(text.views.trust));

  await views.getByRole('button', { name: text.views.data }).click();
  const tab = (name: string) => page.getByRole('tablist').getByRole('tab', { name });
  await expect.element(tab(text.views.data)).toHaveAttribute('aria-keyshortcuts', 'Delete');
  await expect.element(tab(text.views.search)).not.toHaveAttribute('aria-keyshortcuts');
  await tab(text.views.data).click();
  await userEvent.keyboard('{Delete}');
  await expect.element(tab(text.views.data)).not.toBeInTheDocument();
});

/** Has everything that is shown looked at anew, as what changes many records does. */
function Renew() {
  const queries = useQueryClient();
  return (
    <button onClick={() => void queries.invalidateQueries({ queryKey: [recordsKey] })}>Look anew</button>
  );
}

const status = page.getByRole('contentinfo', { name: text.status.name }).getByRole('status');
const lookAnew = () => page.getByRole('button', { name: 'Look anew' }).click();

/** Opens a stored plan in the workbench; its id. */
async function openDiet(): Promise<string> {
  const id = await storePlan('Diet');
  await show(
    <>
      <Workbench />
      <Renew />
    </>,
  );
  await userEvent.keyboard('{Control>}p{/Control}');
  await userEvent.keyboard(id);
  await expect.element(page.getByRole('option', { name: /Diet/ })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(status).toHaveTextContent(text.record.opened('Diet', 1));
  return id;
}

test('a tab that is looked at anew can be worked in meanwhile, and shows what the server holds by then', async () => {
  const id = await openDiet();
  // Held requests take all connections that a browser opens to a server, so that no code comes any more.
  await import('../features/patch/patch-dialog.tsx');

  const release = await holdRequests();
  await lookAnew();
  await page.getByRole('button', { name: text.record.patch, exact: true }).click();
  const composer = page.getByRole('dialog', { name: text.patch.title });
  await expect.element(composer).toBeVisible();
  await release();
  await composer.getByRole('button', { name: text.patch.close }).click();
  await expect.element(composer).not.toBeInTheDocument();

  await changeStored(id, { title: 'Diet, by another' });
  await lookAnew();
  await expect.element(status).toHaveTextContent(text.record.opened('Diet, by another', 2));
});

test('a tab whose record could not be read shows it again once it can', async () => {
  const id = await openDiet();
  let away = true;
  answerWith({ [`GET /fhir-r4/v1/CarePlan/${id}`]: () => (away ? 503 : undefined) });
  await page.getByRole('button', { name: text.record.more }).click();
  await page.getByRole('menuitem', { name: text.record.reload }).click();
  await expect.element(status).toHaveTextContent(text.record.unreadable('Diet'));
  away = false;
  await lookAnew();
  await expect.element(status).toHaveTextContent(text.record.opened('Diet', 1));
  await expect.element(page.getByRole('heading', { name: 'Diet', level: 1 })).toBeVisible();
});

test('an answer that is older than what was saved meanwhile does not take its place', async () => {
  const id = await openDiet();
  const { promise: gate, resolve: open } = Promise.withResolvers<undefined>();
  let answered = 0;
  intercept(async (request, pass) => {
    const answer = await pass();
    if (request !== `GET /fhir-r4/v1/CarePlan/${id}`) return answer;
    await gate;
    answered += 1;
    return answer;
  });
  await lookAnew();
  await page.getByRole('button', { name: text.record.patch, exact: true }).click();
  const composer = page.getByRole('dialog', { name: text.patch.title });
  await composer.getByLabelText('Path', { exact: true }).fill('/title');
  await composer.getByLabelText('Value', { exact: true }).fill('Walk');
  await composer.getByRole('button', { name: text.patch.apply }).click();
  const title = page.getByRole('heading', { name: 'Walk', level: 1 });
  await expect.element(title).toBeVisible();
  const said = status.element().textContent;
  open(undefined);
  await expect.poll(() => answered).toBe(1);
  await lookAnew();
  await expect.poll(() => answered).toBe(2);
  await expect.element(title).toBeVisible();
  await expect.element(status).toHaveTextContent(said);
});
