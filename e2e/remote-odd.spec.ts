/** Servers with unusual or incomplete FHIR support: each is reported clearly. */
import type { ServerResponse } from 'node:http';
import { sendFhir, startPeer, type Peer } from '../server/gateway/testing/peer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './fixtures.ts';
import { planText, RecordPage } from './record-page.ts';
import { Connections } from './remote-page.ts';

/** A server without ETags, totals, histories or outcomes. `lose` cuts the connection at the next write. */
class OddServer {
  storedText = planText.replace('{', '{"id":"odd",');
  lose: 'before' | 'after' | undefined;
  peer!: Peer;

  async start(): Promise<this> {
    this.peer = await startPeer(({ method, url, body }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://x');
      if (method === 'PUT') this.write(body.toString('utf8'), response);
      else if (pathname.endsWith('/CarePlan')) this.search(searchParams.has('page'), response);
      else if (pathname.endsWith('/CarePlan/odd')) sendFhir(response, 200, this.storedText);
      else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('No such thing');
    });
    return this;
  }

  private search(isSecondPage: boolean, response: ServerResponse): void {
    const nextUrl = `${this.peer.origin}/fhir-r4/v1/CarePlan?page=2`;
    const bundle = isSecondPage
      ? { resourceType: 'Bundle', type: 'searchset' }
      : {
          resourceType: 'Bundle',
          type: 'searchset',
          entry: [{ resource: JSON.parse(this.storedText) as unknown }],
          link: [{ relation: 'next', url: nextUrl }],
        };
    sendFhir(response, 200, JSON.stringify(bundle));
  }

  private write(text: string, response: ServerResponse): void {
    const { lose } = this;
    this.lose = undefined;
    if (lose !== 'before') this.storedText = text;
    if (lose === undefined) response.writeHead(204).end();
    else response.destroy();
  }
}

const test = base.extend<{ odd: OddServer }>({
  // The runner requires the braces, although nothing is destructured.
  // oxlint-disable-next-line no-empty-pattern
  odd: async ({}, use) => {
    const odd = await new OddServer().start();
    await use(odd);
    await odd.peer.close();
  },
});

// Each server has its own secrets and validated remote records.
test.use({ servers: 1 });

test('works on a server without ETags, totals, histories and outcomes, and reports an unreachable one @remote', async ({
  workbench,
  odd,
}) => {
  const { page, status } = workbench;
  const connections = new Connections(page);
  const record = new RecordPage(page);
  await connections.add({ name: 'Odd', baseUrl: odd.peer.origin, writes: 'Ask before each write' });
  const host = new URL(odd.peer.origin).host;

  await record.open();
  await page.getByRole('tab', { name: 'Search' }).click();
  await expect(page.getByText('so far; the server gives no total')).toBeVisible();
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page.getByText('so far')).toBeHidden();
  await page.getByRole('tab', { name: /\bExact/ }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByText(`${host} doesn’t provide a history of this record.`)).toBeVisible();

  // Compared before the write, with a warning that this protects less.
  await workbench.replaceInEditor('As agreed', 'By the ward');
  await record.startReview();
  await expect(record.review.getByText('This server has no ETags')).toBeVisible();
  expect((await record.shownRequest()).head).not.toContainEqual(expect.stringContaining('If-Match'));
  await expectAccessible(page);
  await record.save(host);
  await expect(record.review).toBeHidden();
  expect(odd.storedText).toContain('By the ward');

  // Another client changes the same element: nothing is overwritten.
  await workbench.replaceInEditor('By the ward', 'Mine');
  odd.storedText = odd.storedText.replace('By the ward', 'Theirs');
  await record.startReview();
  await record.save(host);
  await expect(record.conflict).toBeVisible();
  expect(odd.storedText).toContain('Theirs');
  await record.conflict.getByRole('radio', { name: /mine/i }).first().check();
  await record.conflict.getByRole('button', { name: 'Review merged text' }).click();

  // The connection breaks during the write. Reading shows if it was stored.
  for (const [lose, words] of [
    ['before', 'your change did not arrive'],
    ['after', undefined],
  ] as const) {
    odd.lose = lose;
    await record.save(host);
    await expect(record.review.getByText('Not confirmed')).toBeVisible();
    await record.review.getByRole('button', { name: 'Load again and compare' }).click();
    if (words !== undefined) await expect(record.review.getByText(words)).toBeVisible();
  }
  await expect(record.review).toBeHidden();
  expect(odd.storedText).toContain('Mine');

  // Unreachable.
  await odd.peer.close();
  await workbench.replaceInEditor('Mine', 'Later');
  await record.startReview();
  await record.save(host);
  await expect(record.review.getByText(`${host} refused the connection`)).toBeVisible();
  await record.review.getByRole('button', { name: 'Keep editing' }).click();
  await record.draftSaved();
  await expect(status).toBeVisible();
  await odd.start();
});
