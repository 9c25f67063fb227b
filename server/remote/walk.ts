/**
 * Reads the records of a type page by page. Pages of a sorted list start at the last instant: a next link
 * that counts records would skip one when another changes meanwhile.
 */
import { absolute } from '../../core/api/remote.ts';
import { formatQuery } from '../../core/api/query.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { PageResponse } from '../gateway/page-response.ts';
import { linkTarget } from '../gateway/target.ts';
import type { ValidatedPage } from '../fhir/validated-page.ts';
import { ways, type Walk } from './job-state.ts';
import { formatMessage } from './request-with-retry.ts';

const messages = defineMessages('remote.walk', {
  samePage: '{host} keeps returning the same page.',
});

const pageSize = '200';

/** Milliseconds by which a server may round a requested instant. */
const rounding = 1000;

export interface CrawlOptions {
  readonly type: ResourceType;
  readonly baseUrl: string;
  readonly ask: (url: URL) => Promise<PageResponse>;
  readonly judge: (text: string) => Promise<ValidatedPage>;
}

/**
 * Returns pages with the position of the walk after each, to be stored together.
 *
 * @throws FhirError if a link leads to another server or to a visited page.
 */
export async function* crawlRecords(
  initialWalk: Walk,
  { type, baseUrl, ask, judge }: CrawlOptions,
): AsyncGenerator<{ readonly page: ValidatedPage; readonly walk: Walk }> {
  let walk = initialWalk;
  let url = listOf(type, baseUrl, walk);
  let isFirstPage = true;
  const deleted = new Set<string>();
  const links = new Set<string>();
  const begin = (next: Walk) => {
    walk = next;
    url = listOf(type, baseUrl, walk);
    isFirstPage = true;
    links.clear();
    deleted.clear();
  };
  let newest = walk.mark;
  for (;;) {
    const response = await ask(url);
    if (response.status >= 400) {
      const nextWay = ways[ways.indexOf(walk.way) + 1];
      if (!isFirstPage) throw new FhirError('unusable', formatMessage(response, url));
      if (nextWay === undefined) {
        const refused = formatMessage(response, url).text;
        yield { page: emptyPage, walk: { ...walk, done: true, refused } };
        return;
      }
      begin({ ...walk, way: nextWay, mark: nextWay === 'history' ? initialWalk.mark : '' });
      continue;
    }
    const page = await judge(response.body.toString());
    for (const id of page.deleted) deleted.add(id);
    const pageWithoutDeleted = { ...page, records: page.records.filter(({ id }) => !deleted.has(id)) };
    const times = page.records.map(({ lastUpdated }) => Date.parse(lastUpdated));
    if (walk.way === 'sorted' && !isSorted(times, walk.mark)) {
      const restart = walk.mark !== '';
      walk = { ...walk, way: 'plain', mark: '' };
      yield { page: pageWithoutDeleted, walk };
      if (restart) {
        begin(walk);
        continue;
      }
    }
    if (isFirstPage && walk.total === undefined && page.total !== undefined)
      walk = { ...walk, total: page.total };
    isFirstPage = false;
    const lastInstant = page.records.at(-1)?.lastUpdated ?? '';
    const hasProgress =
      walk.way === 'sorted' && lastInstant !== '' && !(Date.parse(lastInstant) <= Date.parse(walk.mark));
    if (hasProgress) walk = { ...walk, mark: lastInstant };
    if (walk.way === 'history') newest = newer(newest, page);
    const { next } = page;
    if (next === undefined) {
      const mark = walk.way === 'history' ? newest : walk.mark;
      yield { page: pageWithoutDeleted, walk: { ...walk, done: true, mark } };
      return;
    }
    yield { page: pageWithoutDeleted, walk };
    url = hasProgress ? listOf(type, baseUrl, walk) : linkTarget(absolute(baseUrl, next), baseUrl, type);
    if (links.has(url.href)) {
      throw new FhirError('unusable', messages.samePage({ host: url.host }));
    }
    links.add(url.href);
  }
}

const emptyPage: ValidatedPage = { records: [], deleted: [] };

function listOf(type: ResourceType, baseUrl: string, { way: listMethod, mark }: Walk): URL {
  const url = new URL(`${baseUrl}/${type}${listMethod === 'history' ? '/_history' : ''}`);
  const since: readonly [string, string] =
    listMethod === 'history' ? ['_since', mark] : ['_lastUpdated', `ge${mark}`];
  url.search = formatQuery([
    ...(listMethod === 'sorted' ? [['_sort', '_lastUpdated'] as const] : []),
    ...(mark === '' || listMethod === 'plain' ? [] : [since]),
    ['_count', pageSize],
  ]);
  return url;
}

function isSorted(times: readonly number[], mark: string): boolean {
  let lastTime = mark === '' ? -Infinity : Date.parse(mark) - rounding;
  return times.every((time) => {
    const isOrdered = time >= lastTime;
    lastTime = time;
    return isOrdered;
  });
}

function newer(mark: string, { records }: ValidatedPage): string {
  return records.reduce(
    (latestInstant, { lastUpdated }) =>
      Date.parse(lastUpdated) <= Date.parse(latestInstant) ? latestInstant : lastUpdated || latestInstant,
    mark,
  );
}
