import { useQueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { patchAsOtherClient, storePlan } from '../features/record/testing/record-host.tsx';
import { recordsKey } from '../platform/app-queries.ts';
import { answerWith, intercept } from '../testing/answers.ts';
import { holdRequests, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { Workbench } from './workbench.tsx';

beforeEach(startServer);

/** Presses keys several times. Returns the regions to which the focus moved. */
async function pressKeys(keys: string, times: number): Promise<readonly (string | undefined)[]> {
  const regions: (string | undefined)[] = [];
  for (let press = 0; press < times; press += 1) {
    await userEvent.keyboard(keys);
    regions.push(document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset.region);
  }
  return regions;
}

test('moves the focus through the regions by F6, and restores it in each', async () => {
  await show(<Workbench />);
  const patient = page.getByRole('textbox', { name: text.search.patient });
  await expect.element(patient).toHaveFocus();
  expect(await pressKeys('{F6}', 5)).toEqual(['status', 'top', 'views', 'tabs', 'main']);
  await expect.element(patient).toHaveFocus();
  expect(await pressKeys('{Shift>}{F6}{/Shift}', 5)).toEqual(['tabs', 'views', 'top', 'status', 'main']);
  await expect.element(patient).toHaveFocus();
});

test('shows the validation level, the shortcuts of tabs and the parts of Trust', async () => {
  await show(<Workbench />);
  const status = page.getByRole('contentinfo', { name: text.status.name });
  await expect.element(status.getByTitle(text.status.level('standard'))).toMatchTextContent(/^standard$/);

  const views = page.getByRole('navigation', { name: text.side.name });
  const measureLeft = (name: string) =>
    views.getByRole('button', { name }).element().querySelector('span')?.getBoundingClientRect().left ?? 0;
  for (const part of [text.views.audit, text.views.damage, text.views.backups, text.views.access]) {
    expect(measureLeft(part), part).toBeGreaterThan(measureLeft(text.views.trust));
  }
  expect(measureLeft(text.views.data)).toBe(measureLeft(text.views.trust));

  await views.getByRole('button', { name: text.views.data }).click();
  const tab = (name: string) => page.getByRole('tablist').getByRole('tab', { name });
  await expect.element(tab(text.views.data)).toHaveAttribute('aria-keyshortcuts', 'Delete');
  await expect.element(tab(text.views.search)).not.toHaveAttribute('aria-keyshortcuts');
  await tab(text.views.data).click();
  await userEvent.keyboard('{Delete}');
  await expect.element(tab(text.views.data)).not.toBeInTheDocument();
});

/** Button that invalidates all record queries, as a change of many records does. */
function RefetchButton() {
  const queries = useQueryClient();
  return <button onClick={() => void queries.invalidateQueries({ queryKey: [recordsKey] })}>Refetch</button>;
}

const status = page.getByRole('contentinfo', { name: text.status.name }).getByRole('status');
const refetch = () => page.getByRole('button', { name: 'Refetch' }).click();

/** Opens a stored plan in the workbench. Returns its id. */
async function openDiet(): Promise<string> {
  const id = await storePlan('Diet');
  await show(
    <>
      <Workbench />
      <RefetchButton />
    </>,
  );
  await userEvent.keyboard('{Control>}p{/Control}');
  await userEvent.keyboard(id);
  await expect.element(page.getByRole('option', { name: /Diet/ })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(status).toHaveTextContent(text.record.opened('Diet', 1));
  return id;
}

test('stays usable while a tab refetches, and shows the latest version afterwards', async () => {
  const id = await openDiet();
  // Loaded early: held requests use all connections of the browser, so that code could not load.
  await import('../features/patch/patch-dialog.tsx');

  const release = await holdRequests();
  await refetch();
  await page.getByRole('button', { name: text.record.patch, exact: true }).click();
  const composer = page.getByRole('dialog', { name: text.patch.title });
  await expect.element(composer).toBeVisible();
  await release();
  await composer.getByRole('button', { name: text.patch.close }).click();
  await expect.element(composer).not.toBeInTheDocument();

  await patchAsOtherClient(id, { title: 'Diet, by another' });
  await refetch();
  await expect.element(status).toHaveTextContent(text.record.opened('Diet, by another', 2));
});

test('shows a record again after a failed read', async () => {
  const id = await openDiet();
  let away = true;
  answerWith({ [`GET /fhir-r4/v1/CarePlan/${id}`]: () => (away ? 503 : undefined) });
  await page.getByRole('button', { name: text.record.more }).click();
  await page.getByRole('menuitem', { name: text.record.reload }).click();
  await expect.element(status).toHaveTextContent(text.record.unreadable('Diet'));
  away = false;
  await refetch();
  await expect.element(status).toHaveTextContent(text.record.opened('Diet', 1));
  await expect.element(page.getByRole('heading', { name: 'Diet', level: 1 })).toBeVisible();
});

test('ignores a response that is older than the last save', async () => {
  const id = await openDiet();
  const { promise: gate, resolve: open } = Promise.withResolvers<undefined>();
  let responseCount = 0;
  intercept(async (request, pass) => {
    const response = await pass();
    if (request !== `GET /fhir-r4/v1/CarePlan/${id}`) return response;
    await gate;
    responseCount += 1;
    return response;
  });
  await refetch();
  await page.getByRole('button', { name: text.record.patch, exact: true }).click();
  const composer = page.getByRole('dialog', { name: text.patch.title });
  await composer.getByLabelText('Path', { exact: true }).fill('/title');
  await composer.getByLabelText('Value', { exact: true }).fill('Walk');
  await composer.getByRole('button', { name: text.patch.apply }).click();
  const title = page.getByRole('heading', { name: 'Walk', level: 1 });
  await expect.element(title).toBeVisible();
  const message = status.element().textContent;
  open(undefined);
  await expect.poll(() => responseCount).toBe(1);
  await refetch();
  await expect.poll(() => responseCount).toBe(2);
  await expect.element(title).toBeVisible();
  await expect.element(status).toHaveTextContent(message);
});
