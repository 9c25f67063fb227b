/** Servers that keep to FHIR in their own way, or hardly: each has a clear face. */
import type { ServerResponse } from 'node:http';
import { fhir, startPeer, type Peer } from '../server/gateway/testing/peer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test as base } from './fixtures.ts';
import { planText, RecordPage } from './record-page.ts';
import { Connections } from './remote-page.ts';

/** A server without ETags, totals, histories or outcomes; `lose` cuts the connection at the next write. */
class OddServer {
  held = planText.replace('{', '{"id":"odd",');
  lose: 'before' | 'after' | undefined;
  peer!: Peer;

  async start(): Promise<this> {
    this.peer = await startPeer(({ method, url, body }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://x');
      if (method === 'PUT') this.write(body.toString('utf8'), response);
      else if (pathname.endsWith('/CarePlan')) this.search(searchParams.has('page'), response);
      else if (pathname.endsWith('/CarePlan/odd')) fhir(response, 200, this.held);
      else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('No such thing');
    });
    return this;
  }

  private search(second: boolean, response: ServerResponse): void {
    const next = `${this.peer.origin}/fhir-r4/v1/CarePlan?page=2`;
    const bundle = second
      ? { resourceType: 'Bundle', type: 'searchset' }
      : {
          ...{ resourceType: 'Bundle', type: 'searchset' },
          entry: [{ resource: JSON.parse(this.held) as unknown }],
          link: [{ relation: 'next', url: next }],
        };
    fhir(response, 200, JSON.stringify(bundle));
  }

  private write(text: string, response: ServerResponse): void {
    const { lose } = this;
    this.lose = undefined;
    if (lose !== 'before') this.held = text;
    if (lose === undefined) response.writeHead(204).end();
    else response.destroy();
  }
}

const test = base.extend<{ odd: OddServer }>({
  // The runner wants the braces, whatever is taken of them.
  // oxlint-disable-next-line no-empty-pattern
  odd: async ({}, use) => {
    const odd = await new OddServer().start();
    await use(odd);
    await odd.peer.close();
  },
});

// Secrets and judged records of other servers are each server's own.
test.use({ servers: 1 });

test('@long a server without ETags, totals, histories and outcomes is worked on, and one that goes away is told of', async ({
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
  await expect(page.getByText('so far; the server does not say how many there are')).toBeVisible();
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page.getByText('so far')).toBeHidden();
  await page.getByRole('tab', { name: /^Exact/ }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByText(`${host} gives no history of this record.`)).toBeVisible();

  // Compared before it is written, and said to be weaker.
  await workbench.replaceInEditor('As agreed', 'By the ward');
  await record.startReview();
  await expect(record.review.getByText('names no versions (no ETag)')).toBeVisible();
  expect((await record.shownRequest()).head).not.toContainEqual(expect.stringContaining('If-Match'));
  await expectAccessible(page);
  await record.save(host);
  await expect(record.review).toBeHidden();
  expect(odd.held).toContain('By the ward');

  // Somebody else changes the same: nothing is overwritten.
  await workbench.replaceInEditor('By the ward', 'Mine');
  odd.held = odd.held.replace('By the ward', 'Theirs');
  await record.startReview();
  await record.save(host);
  await expect(record.conflict).toBeVisible();
  expect(odd.held).toContain('Theirs');
  await record.conflict.getByRole('radio', { name: /mine/i }).first().check();
  await record.conflict.getByRole('button', { name: 'Review merged text' }).click();

  // The connection breaks with the write under way: done or not is found out by reading.
  for (const [lose, words] of [
    ['before', 'the change did not arrive'],
    ['after', undefined],
  ] as const) {
    odd.lose = lose;
    await record.save(host);
    await expect(record.review.getByText('Not confirmed')).toBeVisible();
    await record.review.getByRole('button', { name: 'Read again and compare' }).click();
    if (words !== undefined) await expect(record.review.getByText(words)).toBeVisible();
  }
  await expect(record.review).toBeHidden();
  expect(odd.held).toContain('Mine');

  // Gone altogether.
  await odd.peer.close();
  await workbench.replaceInEditor('Mine', 'Later');
  await record.startReview();
  await record.save(host);
  await expect(record.review.getByText(`${host} refuses the connection`)).toBeVisible();
  await record.review.getByRole('button', { name: 'Keep editing' }).click();
  await record.draftSaved();
  await expect(status).toBeVisible();
  await odd.start();
});
