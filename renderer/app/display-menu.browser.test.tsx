import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { useRunCommand } from '../platform/commands.ts';
import { StatusMessage, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { DisplayMenu } from './top-bar.tsx';

beforeEach(startServer);

/** Buttons for the commands of the menu, with the status bar. */
function Commands() {
  const run = useRunCommand();
  return (
    <>
      <button onClick={() => run('view.theme')}>Theme</button>
      <button onClick={() => run('view.density')}>Density</button>
      <StatusMessage />
    </>
  );
}

test('toggles theme and row height by command', async () => {
  await show(
    <>
      <DisplayMenu />
      <Commands />
    </>,
  );
  const statusBar = page.getByRole('status', { name: 'Status bar' });
  const scheme = () => document.documentElement.dataset.mantineColorScheme;
  const theme = page.getByRole('button', { name: 'Theme' });
  for (const next of ['dark', 'light', 'dark'] as const) {
    await theme.click();
    await expect.element(statusBar).toHaveTextContent(text.frame.themeNow(text.frame.themes[next]));
    await expect.poll(scheme).toBe(next);
  }
  const density = page.getByRole('button', { name: 'Density' });
  for (const next of ['comfortable', 'compact', 'comfortable'] as const) {
    await density.click();
    await expect.element(statusBar).toHaveTextContent(text.frame.densityNow(text.frame.densities[next]));
  }
});
