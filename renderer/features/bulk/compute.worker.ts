import type { Computed, ComputeQuestion } from '../../../core/app/bulk-computed.ts';
import { faultOf } from '../../../core/fhirpath/engine.ts';
import { evaluateAt } from './compute-evaluate.ts';

/** What the worker is asked: to evaluate, or whether an expression can be parsed. */
export type ComputeRequest =
  | ({ readonly kind: 'evaluate' } & ComputeQuestion)
  | { readonly kind: 'parse'; readonly expression: string };

export type ComputeAnswer =
  | { readonly kind: 'evaluated'; readonly computed: readonly Computed[] }
  | { readonly kind: 'parsed'; readonly fault?: string };

/** The worker says once that it is loaded; what it takes from then on is the expression's time. */
export type ComputeMessage = { readonly kind: 'ready' } | ComputeAnswer;

self.addEventListener('message', ({ data }: MessageEvent<ComputeRequest>) => {
  self.postMessage(answerTo(data));
});

function answerTo(request: ComputeRequest): ComputeAnswer {
  if (request.kind === 'evaluate') return { kind: 'evaluated', computed: evaluateAt(request) };
  const fault = faultOf(request.expression);
  return { kind: 'parsed', ...(fault !== undefined && { fault }) };
}

const ready: ComputeMessage = { kind: 'ready' };
self.postMessage(ready);
