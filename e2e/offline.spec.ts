/** What every spec stands on: the cable is pulled, and a request to anywhere else would be noticed. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures.ts';
import { foreignRequests, openWindow } from './offline.ts';

test('the page of a test reaches its own machine, and nothing else', async ({ workbench, page, browser }) => {
  const reached: (string | undefined)[] = [];
  const elsewhere = createServer(({ url }, answer) => {
    reached.push(url);
    answer.end();
  });
  await new Promise<void>((listening) => elsewhere.listen(0, '0.0.0.0', listening));
  const { port } = elsewhere.address() as AddressInfo;
  await workbench.search('CarePlan', { patient: 'nobody' });
  await expect(page.getByText('No CarePlan of patient nobody')).toBeVisible();
  expect(await page.evaluate(() => navigator.onLine)).toBe(false);

  const other = await openWindow(browser);
  const foreign = foreignRequests(other, 'http://127.0.0.1:1');
  // An address of this machine that stands for another one: only the emulated network keeps the two apart.
  const away = `http://127.0.0.2:${port}/away`;
  await other.goto(`http://127.0.0.1:${port}/near`);
  await expect(other.goto(away)).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  expect(reached.filter((path) => path !== '/favicon.ico')).toEqual(['/near']);
  expect(foreign).toContain(away);
  await other.close();
  elsewhere.close();
});
