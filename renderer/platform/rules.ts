import type { ResourceType } from '../../core/fhir/resource.ts';
import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { RulesAnswer, RulesQuestion, Save } from './rules.worker.ts';
import RulesWorker from './rules.worker.ts?worker';
import { text } from '../ui/text.ts';
import { ruleDay } from '../ui/time.ts';

interface PendingRequest {
  readonly resolve: (findings: RulesAnswer['findings']) => void;
  readonly reject: (error: Error) => void;
}

let worker: Worker | undefined;
let tickets = 0;
const pendingRequests = new Map<number, PendingRequest>();

/** Validates records by the page's rules in a worker. Every request is answered, in order. */
export function findingsOf(type: ResourceType, texts: readonly string[]): Promise<RulesAnswer['findings']> {
  return send(type, texts);
}

/** Returns the issues for which the local server rejects a save, computed by the server's code. */
export async function rejectedOf(type: ResourceType, save: Save): Promise<readonly OutcomeIssue[]> {
  const [rejected = []] = await send(type, [save]);
  return rejected;
}

function send(type: ResourceType, inputs: RulesQuestion['inputs']): Promise<RulesAnswer['findings']> {
  tickets += 1;
  const request: RulesQuestion = { ticket: tickets, type, inputs, today: ruleDay() };
  worker ??= startWorker();
  worker.postMessage(request);
  return new Promise((resolve, reject) => pendingRequests.set(request.ticket, { resolve, reject }));
}

function startWorker(): Worker {
  const created = new RulesWorker();
  created.addEventListener('message', ({ data }: MessageEvent<RulesAnswer>) => {
    pendingRequests.get(data.ticket)?.resolve(data.findings);
    pendingRequests.delete(data.ticket);
  });
  created.addEventListener('error', () => {
    created.terminate();
    worker = undefined;
    for (const { reject } of pendingRequests.values()) reject(new Error(text.failure.noChecks));
    pendingRequests.clear();
  });
  return created;
}
