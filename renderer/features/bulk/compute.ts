import type { Compute } from '../../../core/app/bulk-computed.ts';
import { text } from '../../ui/text.ts';
import { ComputeQueue } from './compute-queue.ts';
import ComputeWorker from './compute.worker.ts?worker';

/** Time limit of an expression for one record, in seconds. */
const seconds = 2;

const queue = new ComputeQueue(() => new ComputeWorker(), seconds * 1000);

/** Evaluates a FHIRPath expression on elements of one record, in a worker and within the time limit. */
export const compute: Compute = async ({ expression, record, places }) => {
  const answer = await queue.compute({ kind: 'evaluate', expression, record, places });
  if (answer === 'late') return { cannot: text.bulk.compute.late(seconds) };
  return answer.kind === 'evaluated' ? answer.computed : [];
};

/** Returns where and why an expression can't be parsed; undefined if it can. */
export async function faultIn(expression: string): Promise<string | undefined> {
  const answer = await queue.compute({ kind: 'parse', expression });
  if (answer === 'late') return text.bulk.compute.late(seconds);
  return answer.kind === 'parsed' ? answer.fault : undefined;
}
