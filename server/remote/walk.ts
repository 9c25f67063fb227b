/**
 * Reads the records of a type page by page. Pages of a list that is sorted are asked for by the last instant that was
 * seen, since a next link that counts records leaves one out where another changes meanwhile.
 */
import { absolute } from '../../core/api/remote.ts';
import { formatQuery } from '../../core/api/query.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { PageAnswer } from '../gateway/answer.ts';
import { linkTarget } from '../gateway/target.ts';
import type { JudgedPage } from '../fhir/judged-page.ts';
import { ways, type Walk } from './job-state.ts';
import { sentenceOf } from './ask.ts';

const pageSize = '200';

/** Milliseconds by which a server may round the instant that it is asked for. */
const rounding = 1000;

export interface Walking {
  readonly type: ResourceType;
  readonly baseUrl: string;
  readonly ask: (url: URL) => Promise<PageAnswer>;
  readonly judge: (text: string) => Promise<JudgedPage>;
  /** Keeps a page and how far the walk is, together. */
  readonly keep: (page: JudgedPage, walk: Walk) => Promise<void>;
}

/** @throws FhirError where a link leads elsewhere, or in a circle. */
export async function walkThrough(first: Walk, { type, baseUrl, ask, judge, keep }: Walking): Promise<void> {
  let walk = first;
  let url = listOf(type, baseUrl, walk);
  let begins = true;
  const deleted = new Set<string>();
  const links = new Set<string>();
  const begin = (next: Walk) => {
    walk = next;
    url = listOf(type, baseUrl, walk);
    begins = true;
    links.clear();
    deleted.clear();
  };
  let newest = walk.mark;
  for (;;) {
    const answer = await ask(url);
    if (answer.status >= 400) {
      const way = ways[ways.indexOf(walk.way) + 1];
      if (!begins) throw new FhirError('unusable', { text: sentenceOf(answer, url) });
      if (way === undefined) {
        await keep(nothing, { ...walk, done: true, refused: sentenceOf(answer, url) });
        return;
      }
      begin({ ...walk, way, mark: way === 'history' ? first.mark : '' });
      continue;
    }
    const page = await judge(answer.body.toString());
    for (const id of page.deleted) deleted.add(id);
    const held = { ...page, records: page.records.filter(({ id }) => !deleted.has(id)) };
    const times = page.records.map(({ lastUpdated }) => Date.parse(lastUpdated));
    if (walk.way === 'sorted' && !isSorted(times, walk.mark)) {
      const restart = walk.mark !== '';
      walk = { ...walk, way: 'plain', mark: '' };
      await keep(held, walk);
      if (restart) {
        begin(walk);
        continue;
      }
    }
    if (begins && walk.total === undefined && page.total !== undefined) walk = { ...walk, total: page.total };
    begins = false;
    const last = page.records.at(-1)?.lastUpdated ?? '';
    const on = walk.way === 'sorted' && last !== '' && !(Date.parse(last) <= Date.parse(walk.mark));
    if (on) walk = { ...walk, mark: last };
    if (walk.way === 'history') newest = newer(newest, page);
    const { next } = page;
    if (next === undefined) {
      await keep(held, { ...walk, done: true, ...(walk.way === 'history' && { mark: newest }) });
      return;
    }
    await keep(held, walk);
    url = on ? listOf(type, baseUrl, walk) : linkTarget(absolute(baseUrl, next), baseUrl, type);
    if (links.has(url.href)) {
      throw new FhirError('unusable', { text: `${url.host} lists the same page again and again.` });
    }
    links.add(url.href);
  }
}

const nothing: JudgedPage = { records: [], deleted: [] };

function listOf(type: ResourceType, baseUrl: string, { way, mark }: Walk): URL {
  const url = new URL(`${baseUrl}/${type}${way === 'history' ? '/_history' : ''}`);
  const since: readonly [string, string] =
    way === 'history' ? ['_since', mark] : ['_lastUpdated', `ge${mark}`];
  url.search = formatQuery([
    ...(way === 'sorted' ? [['_sort', '_lastUpdated'] as const] : []),
    ...(mark === '' || way === 'plain' ? [] : [since]),
    ['_count', pageSize],
  ]);
  return url;
}

function isSorted(times: readonly number[], mark: string): boolean {
  let last = mark === '' ? -Infinity : Date.parse(mark) - rounding;
  return times.every((time) => {
    const holds = time >= last;
    last = time;
    return holds;
  });
}

function newer(mark: string, { records }: JudgedPage): string {
  return records.reduce(
    (held, { lastUpdated }) => (Date.parse(lastUpdated) <= Date.parse(held) ? held : lastUpdated || held),
    mark,
  );
}
