import type { Compute } from '../../../core/app/bulk-computed.ts';
import { text } from '../../ui/text.ts';
import { ComputeQueue } from './compute-queue.ts';
import ComputeWorker from './compute.worker.ts?worker';

/** Seconds that an expression may take for one record. */
const seconds = 2;

const queue = new ComputeQueue(() => new ComputeWorker(), seconds * 1000);

/** Evaluates a FHIRPath expression on elements of one record, off the page's thread and within a limit. */
export const compute: Compute = async ({ expression, record, places }) => {
  const answer = await queue.ask({ kind: 'evaluate', expression, record, places });
  if (answer === 'late') return { cannot: text.bulk.compute.late(seconds) };
  return answer.kind === 'evaluated' ? answer.computed : [];
};

/** Where and why an expression cannot be parsed; undefined where it can. */
export async function faultIn(expression: string): Promise<string | undefined> {
  const answer = await queue.ask({ kind: 'parse', expression });
  if (answer === 'late') return text.bulk.compute.late(seconds);
  return answer.kind === 'parsed' ? answer.fault : undefined;
}
