import { narrow } from '../../../core/api/narrow.ts';
import type { Client } from '../../../core/api/client.ts';
import { formatQuery } from '../../../core/api/query.ts';
import type { BulkSource } from '../../../core/app/bulk.ts';
import { listedOnce } from '../../../core/app/listed-once.ts';
import { filterPairs, QualityPage, type QualityFilter } from '../../../core/app/quality.ts';
import { summarise, summaryElements } from '../../../core/fhir/summary.ts';
import type { Target } from './bulk-state.ts';

const pageSize = 500;

type Pages = Pick<Client, 'search' | 'nextPage' | 'app' | 'quality'>;

/** The records of a search or a worklist group, a page at a time, each once. */
export async function* gather(client: Pages, source: BulkSource): AsyncGenerator<Target[]> {
  const list = listedOnce<Target>(({ type, id }) => `${type}/${id}`);
  for await (const page of pagesOf(client, source)) yield list.take(page);
}

function pagesOf(client: Pages, source: BulkSource): AsyncIterable<Target[]> | Iterable<Target[]> {
  switch (source.kind) {
    case 'search':
      return found(client, source);
    case 'quality':
      return flagged(client, source.filter);
    case 'records':
      return [source.records.map((record) => ({ ...record, state: 'waiting' }) as const)];
  }
}

async function* found(
  client: Pages,
  { type, pairs }: Extract<BulkSource, { kind: 'search' }>,
): AsyncGenerator<Target[]> {
  const asked = pairs.filter(([name]) => !['_count', '_elements', '_summary', '_cursor'].includes(name));
  let page = await client.search(type, [
    ...asked,
    ['_elements', summaryElements(type).join()],
    ['_count', String(pageSize)],
  ]);
  for (;;) {
    yield page.records.flatMap(({ node }) => {
      const { id, title } = summarise(node);
      return id === '' ? [] : [{ type, id, title, state: 'waiting' } as const];
    });
    if (page.next === undefined) return;
    page = await client.nextPage(type, page.next);
  }
}

async function* flagged(client: Pages, filter: QualityFilter): AsyncGenerator<Target[]> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const query = formatQuery([...filterPairs(filter), ['count', String(pageSize)], ['after', after]]);
    const page = narrow(await client.app('GET', `${client.quality}/findings?${query}`), QualityPage);
    yield page.findings.map(({ type, id, title }) => ({ type, id, title, state: 'waiting' }) as const);
    after = page.next;
  }
}
