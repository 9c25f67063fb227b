/** The basis of every spec: there is no network, and a request elsewhere is detected. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures.ts';
import { foreignRequests, openWindow } from './offline.ts';

test('reaches only its own machine from the page of a test @offline', async ({
  workbench,
  page,
  browser,
}) => {
  const reachedUrls: (string | undefined)[] = [];
  const foreignServer = createServer(({ url }, response) => {
    reachedUrls.push(url);
    response.end();
  });
  await new Promise<void>((listening) => foreignServer.listen(0, '0.0.0.0', listening));
  const { port } = foreignServer.address() as AddressInfo;
  await workbench.search('CarePlan', { patient: 'nobody' });
  await expect(page.getByText('No CarePlan found.')).toBeVisible();
  expect(await page.evaluate(() => navigator.onLine)).toBe(false);

  const otherPage = await openWindow(browser);
  const foreign = foreignRequests(otherPage, 'http://127.0.0.1:1');
  // An address of this machine that represents another one: only the emulated network separates them.
  const foreignUrl = `http://127.0.0.2:${port}/away`;
  await otherPage.goto(`http://127.0.0.1:${port}/near`);
  await expect(otherPage.goto(foreignUrl)).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  expect(reachedUrls.filter((path) => path !== '/favicon.ico')).toEqual(['/near']);
  expect(foreign).toContain(foreignUrl);
  await otherPage.close();
  foreignServer.close();
});
