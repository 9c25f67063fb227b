/** The thread of a check runner; its own entry, as a thread is started by a file. It is ended where an expression runs away. */
import { parentPort } from 'node:worker_threads';
import { compileCheck, faultsOf } from '../../core/fhirpath/check.ts';
import type { Asked, CheckQuestion } from '../../core/app/checks.ts';
import { itemOf, type CheckAnswers, type CheckOrder, type CheckReply } from './check-messages.ts';
import { parsingPlace } from './watched-place.ts';

type Ask = ReturnType<typeof compileCheck>;

/** Checks come again with each slice of the records. */
const compiled = new Map<string, Ask>();

/** More than are asked at once. */
const mostCompiled = 200;

function prepared(check: CheckQuestion): Ask {
  const key = JSON.stringify([check.type, check.applies, check.holds, check.points]);
  const known = compiled.get(key);
  if (known) return known;
  if (compiled.size >= mostCompiled) compiled.clear();
  const made = compile(check);
  compiled.set(key, made);
  return made;
}

/** What came with a file may be no expression: it is asked of no record. */
function compile(check: CheckQuestion): Ask {
  try {
    return compileCheck(check);
  } catch {
    const why = faultsOf(check, () => undefined).map(([name, fault]) => `${name}: ${fault}`);
    return () => ({ is: 'skipped', why: why.join(' ') });
  }
}

function judge({
  checks,
  texts,
  without,
  unparsed,
  place,
}: Extract<CheckOrder, { checks: unknown }>): CheckAnswers {
  const asks = checks.map((check, at): Ask => {
    if (unparsed.has(at)) return () => ({ is: 'skipped', why: '' });
    Atomics.store(place, 0, parsingPlace(at));
    return prepared(check);
  });
  return texts.map((text, record) => {
    Atomics.store(place, 0, itemOf(record, 0, asks.length));
    const parsed = text === undefined ? undefined : parse(text);
    return asks.map((ask, check): Asked => {
      const item = itemOf(record, check, asks.length);
      if (parsed === undefined) return { is: 'skipped', why: 'The record is damaged.' };
      if (without.has(item)) return { is: 'skipped', why: '' };
      Atomics.store(place, 0, item);
      return ask(parsed);
    });
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(reply: CheckReply): void {
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (order: CheckOrder) => {
  if ('checks' in order) send({ answers: judge(order) });
  else {
    const note = (at: number) => void Atomics.store(order.place, 0, parsingPlace(at));
    send({ faults: faultsOf(order.faultsIn, note) });
  }
});
send({ ready: true });
