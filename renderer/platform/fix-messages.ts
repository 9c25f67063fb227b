/** What the page and the worker that works out fixes say to each other. */
import type { Found, TextFix } from '../../core/fhir/fixes/offers.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

export interface FixQuestion {
  readonly ticket: number;
  readonly text: string;
  readonly type: ResourceType;
  /** A date (YYYY-MM-DD): what is overdue depends on it. */
  readonly today: string;
  /** What can be done at these findings; or what a fix makes of all findings of its rule. */
  readonly ask: { readonly at: readonly Found[] } | { readonly all: string };
}

export interface FixAnswer {
  readonly ticket: number;
  readonly offers: readonly TextFix[];
  /** Of all findings: the text that is made of it, and how many are mended. */
  readonly all?: { readonly text: string; readonly mended: number };
}
