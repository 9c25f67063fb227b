import type { Computed, ComputeQuestion } from '../../../core/app/bulk-computed.ts';
import { faultOf } from '../../../core/fhirpath/engine.ts';
import { evaluateAt } from './compute-evaluate.ts';

/** Request to the worker: evaluate or parse an expression. */
export type ComputeRequest =
  | ({ readonly kind: 'evaluate' } & ComputeQuestion)
  | { readonly kind: 'parse'; readonly expression: string };

export type ComputeAnswer =
  | { readonly kind: 'evaluated'; readonly computed: readonly Computed[] }
  | { readonly kind: 'parsed'; readonly fault?: string };

/** Message of the worker. `ready` comes once, when loaded; the time limit counts from then. */
export type ComputeMessage = { readonly kind: 'ready' } | ComputeAnswer;

self.addEventListener('message', ({ data }: MessageEvent<ComputeRequest>) => {
  self.postMessage(answerTo(data));
});

function answerTo(request: ComputeRequest): ComputeAnswer {
  if (request.kind === 'evaluate') return { kind: 'evaluated', computed: evaluateAt(request) };
  const fault = faultOf(request.expression);
  return { kind: 'parsed', ...(fault && { fault: fault.text }) };
}

const ready: ComputeMessage = { kind: 'ready' };
self.postMessage(ready);
