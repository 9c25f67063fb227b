import type { Computed, ComputeQuestion } from '../../../core/app/bulk-computed.ts';

/** What the worker is asked: to evaluate, or whether an expression can be parsed. */
export type ComputeRequest =
  | ({ readonly kind: 'evaluate' } & ComputeQuestion)
  | { readonly kind: 'parse'; readonly expression: string };

export type ComputeAnswer =
  | { readonly kind: 'evaluated'; readonly computed: readonly Computed[] }
  | { readonly kind: 'parsed'; readonly fault?: string };

/** The worker says once that it is loaded; what it takes from then on is the expression's time. */
export type ComputeMessage = { readonly kind: 'ready' } | ComputeAnswer;
