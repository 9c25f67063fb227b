import { faultOf } from '../../../core/fhirpath/engine.ts';
import { evaluateAt } from './compute-evaluate.ts';
import type { ComputeAnswer, ComputeMessage, ComputeRequest } from './compute-messages.ts';

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
