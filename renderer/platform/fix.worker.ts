import { allMended, offersIn, type Found, type TextFix } from '../../core/fhir/fixes/offers.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Ticketed } from './latest-worker.ts';
import { zoneOf } from './zone.ts';

export interface FixQuestion {
  readonly text: string;
  readonly type: ResourceType;
  /** A date (YYYY-MM-DD): what is overdue depends on it. */
  readonly today: string;
  /** What can be done at these findings; or what a fix makes of all findings of its rule. */
  readonly ask: { readonly at: readonly Found[] } | { readonly all: string };
}

export interface FixAnswer extends Ticketed {
  readonly offers: readonly TextFix[];
  /** Of all findings: the text that is made of it, and how many are mended. */
  readonly all?: { readonly text: string; readonly mended: number };
}

self.addEventListener('message', ({ data }: MessageEvent<FixQuestion & Ticketed>) => {
  const { ticket, text, type, today, ask } = data;
  const settings = { today, zoneOf };
  const all = 'all' in ask ? allMended(text, type, ask.all, settings) : undefined;
  const offers = 'at' in ask ? offersIn(text, type, ask.at, settings) : [];
  self.postMessage({ ticket, offers, ...(all && { all }) } satisfies FixAnswer);
});
