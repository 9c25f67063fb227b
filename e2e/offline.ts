import type { Browser, BrowserContext, Page } from '@playwright/test';

const unlimited = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const conditions = [
  { urlPattern: 'http://127.0.0.1:*/*', offline: false, ...unlimited },
  // Everything that matches no row above.
  { urlPattern: '', offline: true, ...unlimited },
];

/**
 * Disconnects a page: `navigator.onLine` is false, and no request leaves the machine. Playwright's
 * `setOffline` applies this emulation to every address, including 127.0.0.1, which stays reachable without a
 * network.
 */
export async function goOffline(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions: conditions });
  // Chromium forgets an emulated state at each navigation, but the page reads the property.
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false });
  });
}

/** Opens another window without a network. A window of a browser shares only the server with the first. */
export async function openWindow(parent: Browser | BrowserContext): Promise<Page> {
  const page = await parent.newPage();
  await goOffline(page);
  return page;
}

/** Collects the requests of a page to other origins than `origin`. */
export function foreignRequests(page: Page, origin: string): readonly string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${origin}/`) && !/^(data|blob):/.test(address)) foreign.push(address);
  });
  return foreign;
}
