import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show, startServer } from '../testing/show.tsx';
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
