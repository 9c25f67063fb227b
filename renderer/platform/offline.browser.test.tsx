import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { send, show, startServer } from '../testing/show.tsx';
import { useOverview } from './app-queries.ts';
import { usePreference } from './preferences.ts';

beforeEach(startServer);

function Workplace() {
  const overview = useOverview();
  const [wrap, setWrap] = usePreference('wordWrap');
  return (
    <>
      <p>{overview.isSuccess ? 'read' : overview.fetchStatus}</p>
      <button aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
        Wrap
      </button>
    </>
  );
}

/** The cable is pulled: the browser tells of it, and this machine is reached as before. */
function goOffline(): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
  window.dispatchEvent(new Event('offline'));
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'onLine');
    window.dispatchEvent(new Event('online'));
  });
}

test('without a network the page reads from its own machine and writes to it', async () => {
  // Only a page that is there hears of it.
  const { rerender } = await show(<p>before</p>);
  goOffline();
  await rerender(<Workplace />);
  await expect.element(page.getByText('read')).toBeVisible();
  const wrap = page.getByRole('button', { name: 'Wrap', pressed: false });
  await wrap.click();
  await expect
    .poll(async () => (await (await send('GET', '/app/preferences')).json()) as unknown)
    .toMatchObject({ wordWrap: true });
});
