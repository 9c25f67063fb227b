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

/** Simulates a browser without a network. The local machine is still reachable. */
function goOffline(): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
  window.dispatchEvent(new Event('offline'));
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'onLine');
    window.dispatchEvent(new Event('online'));
  });
}

test('reads and writes without a network', async () => {
  // Only a mounted page receives the event.
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
