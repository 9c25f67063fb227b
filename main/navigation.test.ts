import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserWindow, session } from 'electron';
import { externalTarget, isOwnUrl, isPermitted, setupNavigation, setupPermissions } from './navigation.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const ORIGIN = 'http://127.0.0.1:40123';

/** Each address, true if the window may open it, and the address for the system browser. */
const addresses: readonly [url: string, own: boolean, external: string | undefined][] = [
  [`${ORIGIN}/`, true, undefined],
  [`${ORIGIN}/records?type=CarePlan#top`, true, undefined],
  ['HTTP://127.0.0.1:40123/', true, undefined],
  ['http://127.0.0.1:40124/', false, undefined],
  ['http://127.0.0.1/', false, undefined],
  ['http://localhost:40123/', false, undefined],
  ['http://[::1]:40123/', false, undefined],
  ['https://127.0.0.1:40123/', false, 'https://127.0.0.1:40123/'],
  ['ws://127.0.0.1:40123/', false, undefined],
  ['http://user@127.0.0.1:40123/', false, undefined],
  ['http://:secret@127.0.0.1:40123/', false, undefined],
  ['http://127.0.0.1:40123@evil.example/', false, undefined],
  ['http://127.0.0.1.evil.example:40123/', false, undefined],
  ['http://evil.example/', false, undefined],
  ['https://hl7.org/fhir/R4/careplan.html', false, 'https://hl7.org/fhir/R4/careplan.html'],
  ['HTTPS://HL7.ORG', false, 'https://hl7.org/'],
  ['https://hl7.org@evil.example/', false, undefined],
  ['https://user:secret@hl7.org/', false, undefined],
  ['javascript:alert(1)', false, undefined],
  [' javascript:alert(1)', false, undefined],
  ['data:text/html,<h1>x</h1>', false, undefined],
  ['file:///etc/passwd', false, undefined],
  [`blob:${ORIGIN}/6f3c`, false, undefined],
  [`filesystem:${ORIGIN}/temporary/x`, false, undefined],
  ['about:blank', false, undefined],
  ['chrome://gpu', false, undefined],
  ['mailto:someone@example.org', false, undefined],
  ['ms-msdt:/id', false, undefined],
  ['//127.0.0.1:40123/', false, undefined],
  ['', false, undefined],
];

describe('the decisions', () => {
  it.each(addresses)('isOwnUrl(%o) is %o', (url, isOwn) => {
    expect(isOwnUrl(url, ORIGIN)).toBe(isOwn);
  });

  it.each(addresses)('rejects every address while the origin is unknown: %o', (url) => {
    expect(isOwnUrl(url, undefined)).toBe(false);
  });

  it.each(addresses)('externalTarget(%o), own %o, is %o', (url, _isOwn, external) => {
    expect(externalTarget(url)).toBe(external);
  });

  it('permits only writing sanitized text to the clipboard, from its own page', () => {
    expect(isPermitted('clipboard-sanitized-write', `${ORIGIN}/`, ORIGIN)).toBe(true);
    expect(isPermitted('clipboard-sanitized-write', 'https://evil.example/', ORIGIN)).toBe(false);
    expect(isPermitted('clipboard-sanitized-write', `${ORIGIN}/`, undefined)).toBe(false);
    for (const permission of [
      'clipboard-read',
      'media',
      'geolocation',
      'notifications',
      'openExternal',
      'unknown',
    ]) {
      expect(isPermitted(permission, `${ORIGIN}/`, ORIGIN), permission).toBe(false);
    }
  });
});

describe('the wiring', () => {
  const log = vi.fn();

  beforeEach(() => {
    fake.app.removeAllListeners();
    fake.shell.openExternal.mockClear();
    log.mockClear();
  });

  function openWindow(): fake.FakeWebContents {
    setupNavigation(() => ORIGIN, log);
    new BrowserWindow();
    return fake.getLatest(fake.windows).webContents;
  }

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
    '%s is blocked except for its own addresses',
    (event) => {
      const contents = openWindow();
      for (const [url, isOwn] of addresses) expect(contents.isBlocked(event, url), url).toBe(!isOwn);
      expect(fake.shell.openExternal).not.toHaveBeenCalled();
    },
  );

  it('blocks every webview', () => {
    expect(openWindow().isBlocked('will-attach-webview')).toBe(true);
  });

  it('opens no second window, and passes only https to the system', () => {
    const contents = openWindow();
    for (const [url, , external] of addresses) {
      fake.shell.openExternal.mockClear();
      expect(contents.openHandler?.({ url }), url).toEqual({ action: 'deny' });
      expect(fake.shell.openExternal.mock.calls, url).toEqual(external === undefined ? [] : [[external]]);
    }
  });

  it('survives a system without a browser, and logs no address', async () => {
    fake.shell.openExternal.mockRejectedValueOnce(new Error('no handler for https://hl7.org/'));
    openWindow().openHandler?.({ url: 'https://hl7.org/' });
    await vi.waitFor(() => expect(log).toHaveBeenCalledOnce(), { timeout: 60_000 });
    expect(log.mock.calls.join()).not.toContain('hl7.org');
  });

  it('answers permission requests, checks and devices', () => {
    setupPermissions(session.fromPartition('x'), () => ORIGIN);
    const { requestHandler, checkHandler, deviceHandler } = fake.getLatest(fake.sessions);
    const request = (permission: string, requestingUrl: string): boolean | undefined => {
      let granted: boolean | undefined;
      requestHandler?.(null, permission, (isGranted) => (granted = isGranted), { requestingUrl });
      return granted;
    };
    expect(request('clipboard-sanitized-write', `${ORIGIN}/`)).toBe(true);
    expect(request('clipboard-sanitized-write', 'https://evil.example/')).toBe(false);
    expect(request('geolocation', `${ORIGIN}/`)).toBe(false);
    expect(checkHandler?.(null, 'clipboard-sanitized-write', `${ORIGIN}/`)).toBe(true);
    expect(checkHandler?.(null, 'clipboard-sanitized-write', 'https://evil.example')).toBe(false);
    expect(checkHandler?.(null, 'media', ORIGIN)).toBe(false);
    expect(deviceHandler?.()).toBe(false);
  });
});
