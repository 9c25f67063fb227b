import type { Browser, BrowserContext, Page } from '@playwright/test';

const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const conditions = [
  { urlPattern: 'http://127.0.0.1:*/*', offline: false, ...unlimited },
  // Whatever fits no row above.
  { urlPattern: '', offline: true, ...unlimited },
];

/**
 * Pulls the cable of a page: `navigator.onLine` is false, and no request leaves the machine. Playwright's `setOffline`
 * is this emulation for every address at once, 127.0.0.1 among them, which a pulled cable does not cut off.
 */
export async function goOffline(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions: conditions });
  // Chromium forgets an emulated state at each navigation; what the page reads is what counts.
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false });
  });
}

/** Another window without a network; of a browser, one that shares nothing with the first but the server. */
export async function openWindow(of: Browser | BrowserContext): Promise<Page> {
  const page = await of.newPage();
  await goOffline(page);
  return page;
}

/** Collects the requests of a page that go to any other place than `origin`. */
export function foreignRequests(page: Page, origin: string): readonly string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${origin}/`) && !/^(data|blob):/.test(address)) foreign.push(address);
  });
  return foreign;
}
