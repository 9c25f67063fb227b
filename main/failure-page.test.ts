import { createHash } from 'node:crypto';
import { BrowserWindow } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { escapeMarkup } from '../core/fhir/escape-markup.ts';
import { failurePage, showFailure } from './failure-page.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const HOSTILE = `<img src=x onerror="alert('1')"> & </dd><script>x</script>`;
const FAILURE = {
  message: 'The database is damaged.',
  dataDir: '/home/é#?/data',
  log: '/logs/chartkeeper.log',
};

describe('failurePage', () => {
  it('shows the message, the data folder and the log', () => {
    const page = failurePage(FAILURE);
    expect(page).toContain('<p>The database is damaged.</p>');
    expect(page).toContain('<dt>Data folder</dt><dd>/home/é#?/data</dd>');
    expect(page).toContain('<dt>Log</dt><dd>/logs/chartkeeper.log</dd>');
  });

  it.each(['message', 'dataDir', 'log'] as const)('escapes the %s', (field) => {
    const page = failurePage({ ...FAILURE, [field]: HOSTILE });
    expect(page).toContain(escapeMarkup(HOSTILE));
    expect(page).not.toContain('<img');
    expect(page).not.toContain('<script');
    expect(page.match(/<\/dd>/g)).toHaveLength(2);
  });

  it('allows only its own style', () => {
    const page = failurePage(FAILURE);
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'`);
    expect(page).not.toMatch(/\b(src|href)=|style="|https?:/);
  });
});

describe('showFailure', () => {
  beforeEach(() => void fake.dialog.showMessageBox.mockClear());

  it('ignores a closed window, and a window that closes while loading', async () => {
    const window = new BrowserWindow();
    const fakeWindow = fake.getLatest(fake.windows);
    fakeWindow.isDestroyed.mockReturnValueOnce(true);
    showFailure(window, FAILURE, 0);
    expect(fakeWindow.loadURL).not.toHaveBeenCalled();

    const rejections: unknown[] = [];
    const addRejection = (reason: unknown) => void rejections.push(reason);
    process.on('unhandledRejection', addRejection);
    fakeWindow.loadURL.mockRejectedValueOnce(new Error('closed'));
    showFailure(window, FAILURE, 0);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', addRejection);
    expect(fakeWindow.loadURL).toHaveBeenCalledOnce();
    expect(rejections).toEqual([]);
  });

  it('shows the page if nothing is unsaved', () => {
    showFailure(new BrowserWindow(), FAILURE, 0);
    const [url] = fake.getLatest(fake.getLatest(fake.windows).loadURL.mock.calls);
    const prefix = 'data:text/html;charset=utf-8,';
    expect(url.startsWith(prefix)).toBe(true);
    expect(decodeURIComponent(url.slice(prefix.length))).toBe(failurePage(FAILURE));
    expect(url).not.toMatch(/[#<>" ]/);
    expect(fake.dialog.showMessageBox).not.toHaveBeenCalled();
  });

  it('keeps a page with unsaved edits and shows the message over it', () => {
    showFailure(new BrowserWindow(), FAILURE, 1);
    expect(fake.getLatest(fake.windows).loadURL).not.toHaveBeenCalled();
    const [, options] = fake.getLatest(fake.dialog.showMessageBox.mock.calls);
    expect(options.message).toBe(FAILURE.message);
    expect(options.detail).toContain(FAILURE.log);
  });
});
