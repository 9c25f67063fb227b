import { BrowserWindow } from 'electron';
import { expect, it, vi } from 'vitest';
import { createPageLoader } from './page-loader.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const ORIGIN = 'http://127.0.0.1:40123';

function prepare() {
  const onFailure = vi.fn();
  const loadPage = createPageLoader(new BrowserWindow(), onFailure);
  return { loadPage, onFailure, loadURL: fake.getLatest(fake.windows).loadURL };
}

it('loads the page once, so that a restart of the server does not reload it', async () => {
  const { loadPage, onFailure, loadURL } = prepare();
  await loadPage(ORIGIN);
  await loadPage(ORIGIN);
  expect(loadURL.mock.calls).toEqual([[`${ORIGIN}/`]]);
  expect(onFailure).not.toHaveBeenCalled();
});

it('reports a page that could not be loaded, and loads it when the server is ready again', async () => {
  const { loadPage, onFailure, loadURL } = prepare();
  loadURL.mockRejectedValueOnce(new Error('ERR_CONNECTION_REFUSED'));
  await loadPage(ORIGIN);
  expect(onFailure).toHaveBeenCalledOnce();
  await loadPage(ORIGIN);
  expect(loadURL).toHaveBeenCalledTimes(2);
  expect(onFailure).toHaveBeenCalledOnce();
});

it('reports nothing for a load that the failure page replaced', async () => {
  const { loadPage, onFailure, loadURL } = prepare();
  loadURL.mockRejectedValueOnce(Object.assign(new Error('replaced'), { code: 'ERR_ABORTED' }));
  await loadPage(ORIGIN);
  expect(onFailure).not.toHaveBeenCalled();
});
