import type { BrowserContext } from '@playwright/test';

/**
 * Takes the network from the browser: `navigator.onLine` is false and no host answers, but for `origin`. Chromium's
 * offline mode cuts 127.0.0.1 off as well, which a pulled cable does not; so the requests for the local server alone
 * are carried there and back by the test, past the browser's network.
 */
export async function goOffline(context: BrowserContext, origin: string): Promise<void> {
  await context.setOffline(true);
  await context.route(`${origin}/**`, async (route) => {
    // A server that does not answer, as when a test stops it, is a refused connection to the page.
    const response = await route.fetch().catch(() => undefined);
    await (response ? route.fulfill({ response }) : route.abort('connectionrefused'));
  });
}
