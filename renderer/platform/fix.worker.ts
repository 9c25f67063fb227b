import {
  applyAllFixes,
  suggestFixes,
  type FindingLocation,
  type TextFix,
} from '../../core/fhir/fixes/offers.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Ticketed } from './latest-worker.ts';
import { zoneOf } from './zone.ts';

export interface FixQuestion {
  readonly text: string;
  readonly type: ResourceType;
  /** Date (YYYY-MM-DD) that determines which items are overdue. */
  readonly today: string;
  /** Requests the fixes of findings, or one fix applied to all findings of its rule. */
  readonly ask: { readonly findings: readonly FindingLocation[] } | { readonly rule: string };
}

export interface FixAnswer extends Ticketed {
  readonly offers: readonly TextFix[];
  /** Result of a fix for all findings: the text and the number of fixed findings. */
  readonly everywhere?: { readonly text: string; readonly fixedCount: number };
}

self.addEventListener('message', ({ data }: MessageEvent<FixQuestion & Ticketed>) => {
  const { ticket, text, type, today, ask } = data;
  const settings = { today, zoneOf };
  const allFixes = 'rule' in ask ? applyAllFixes(text, type, ask.rule, settings) : undefined;
  const offers = 'findings' in ask ? suggestFixes(text, type, ask.findings, settings) : [];
  self.postMessage({
    ticket,
    offers,
    ...(allFixes && { everywhere: { text: allFixes.text, fixedCount: allFixes.fixedCount } }),
  } satisfies FixAnswer);
});
