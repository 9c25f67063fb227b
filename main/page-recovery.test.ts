import { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { setupPageRecovery } from './page-loader.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function prepare() {
  const [log, onGone, onGivenUp] = [vi.fn(), vi.fn(), vi.fn()];
  setupPageRecovery(new BrowserWindow(), { clock: systemClock, log, onGone, onGivenUp });
  const { webContents } = fake.getLatest(fake.windows);
  const end = (reason: string) => {
    webContents.emit('render-process-gone', {}, { reason });
    vi.advanceTimersByTime(2_000);
  };
  return { log, onGone, onGivenUp, end, reload: webContents.reload };
}

it('reloads a crashed page up to five times a minute', () => {
  const { log, onGone, onGivenUp, end, reload } = prepare();
  for (let round = 0; round < 5; round += 1) end('crashed');
  expect(reload).toHaveBeenCalledTimes(5);
  expect(onGone).toHaveBeenCalledTimes(5);
  expect(onGivenUp).not.toHaveBeenCalled();
  end('oom');
  expect(reload).toHaveBeenCalledTimes(5);
  expect(onGivenUp).toHaveBeenCalledOnce();
  expect(log).toHaveBeenLastCalledWith('page gone: oom');
});

it('does not reload a page that ended in order', () => {
  const { onGone, end, reload } = prepare();
  end('clean-exit');
  expect(onGone).not.toHaveBeenCalled();
  expect(reload).not.toHaveBeenCalled();
});
