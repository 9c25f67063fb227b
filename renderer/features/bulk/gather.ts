import { narrow } from '../../../core/api/narrow.ts';
import type { Client } from '../../../core/api/client.ts';
import { formatQuery } from '../../../core/api/query.ts';
import type { BulkSource } from '../../../core/app/bulk.ts';
import { createDuplicateFilter } from '../../../core/app/duplicate-filter.ts';
import { filterPairs, QualityPage, type QualityFilter } from '../../../core/app/quality.ts';
import { summarize, summaryElements } from '../../../core/fhir/summary.ts';
import type { Target } from './bulk-state.ts';

const pageSize = 500;

type Pages = Pick<Client, 'search' | 'nextPage' | 'app' | 'quality'>;

/** Yields the records of a search or worklist group in pages, each record once. */
export async function* collectTargets(client: Pages, source: BulkSource): AsyncGenerator<Target[]> {
  const list = createDuplicateFilter<Target>(({ type, id }) => `${type}/${id}`);
  for await (const page of listPages(client, source)) yield list.dropDuplicates(page);
}

function listPages(client: Pages, source: BulkSource): AsyncIterable<Target[]> | Iterable<Target[]> {
  switch (source.kind) {
    case 'search':
      return listSearchMatches(client, source);
    case 'quality':
      return listFlaggedRecords(client, source.filter);
    case 'records':
      return [source.records.map((record) => ({ ...record, state: 'waiting' }) as const)];
  }
}

async function* listSearchMatches(
  client: Pages,
  { type, pairs }: Extract<BulkSource, { kind: 'search' }>,
): AsyncGenerator<Target[]> {
  const criteria = pairs.filter(([name]) => !['_count', '_elements', '_summary', '_cursor'].includes(name));
  let page = await client.search(type, [
    ...criteria,
    ['_elements', summaryElements(type).join()],
    ['_count', String(pageSize)],
  ]);
  for (;;) {
    yield page.records.flatMap(({ node }) => {
      const { id, title } = summarize(node);
      return id === '' ? [] : [{ type, id, title, state: 'waiting' } as const];
    });
    if (page.next === undefined) return;
    page = await client.nextPage(type, page.next);
  }
}

async function* listFlaggedRecords(client: Pages, filter: QualityFilter): AsyncGenerator<Target[]> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const query = formatQuery([...filterPairs(filter), ['count', String(pageSize)], ['after', after]]);
    const page = narrow(await client.app('GET', `${client.quality}/findings?${query}`), QualityPage);
    yield page.findings.map(({ type, id, title }) => ({ type, id, title, state: 'waiting' }) as const);
    after = page.next;
  }
}
