import type { ResourceType } from '../../core/fhir/resource.ts';
import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import type { RulesAnswer, RulesQuestion, Save } from './rules.worker.ts';
import RulesWorker from './rules.worker.ts?worker';
import { ruleDay } from '../ui/time.ts';

interface Waiting {
  readonly resolve: (findings: RulesAnswer['findings']) => void;
  readonly reject: (error: Error) => void;
}

let worker: Worker | undefined;
let tickets = 0;
const waiting = new Map<number, Waiting>();

/** Judges records by the page's own rules, off its thread; every question is answered, in its order. */
export function findingsOf(type: ResourceType, texts: readonly string[]): Promise<RulesAnswer['findings']> {
  return ask(type, texts);
}

/** Returns the issues for which the program's own server rejects a save, by the code that the server decides with. */
export async function rejectedOf(type: ResourceType, save: Save): Promise<readonly OutcomeIssue[]> {
  const [rejected = []] = await ask(type, [save]);
  return rejected;
}

function ask(type: ResourceType, asked: RulesQuestion['asked']): Promise<RulesAnswer['findings']> {
  tickets += 1;
  const question: RulesQuestion = { ticket: tickets, type, asked, today: ruleDay() };
  worker ??= startWorker();
  worker.postMessage(question);
  return new Promise((resolve, reject) => waiting.set(question.ticket, { resolve, reject }));
}

function startWorker(): Worker {
  const started = new RulesWorker();
  started.addEventListener('message', ({ data }: MessageEvent<RulesAnswer>) => {
    waiting.get(data.ticket)?.resolve(data.findings);
    waiting.delete(data.ticket);
  });
  started.addEventListener('error', () => {
    started.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error('The rules could not be run.'));
    waiting.clear();
  });
  return started;
}
