/**
 * Worker of the check runner. A worker starts from its own entry file. It is terminated when an expression
 * does not end.
 */
import { compileCheck, faultsOf } from '../../core/fhirpath/check.ts';
import type { CheckOutcome, CheckExpressions } from '../../core/app/checks.ts';
import { getThreadData, serveRequests } from '../threads/serve-requests.ts';
import { itemOf, parsingPlace } from './watched-place.ts';

interface CheckRequest {
  readonly checks: readonly CheckExpressions[];
  /** Undefined for a record that cannot be read. */
  readonly texts: readonly (string | undefined)[];
  /** Numbers of items to skip; see {@link itemOf}. */
  readonly skippedItems: ReadonlySet<number>;
  /** Numbers of the checks that are not parsed. */
  readonly unparsed: ReadonlySet<number>;
}

/** For each record, the outcome of each check. */
export type CheckAnswers = readonly (readonly CheckOutcome[])[];

type Ask = ReturnType<typeof compileCheck>;

/** Receives the number of the item that is evaluated, or of the expression that is parsed. */
const sharedPosition = getThreadData() as Int32Array;

/** Each batch of records sends the same checks again. */
const compiled = new Map<string, Ask>();

/** More than one request contains. */
const mostCompiled = 200;

function prepared(check: CheckExpressions): Ask {
  const key = JSON.stringify([check.type, check.applies, check.holds, check.points]);
  const compiledCheck = compiled.get(key);
  if (compiledCheck) return compiledCheck;
  if (compiled.size >= mostCompiled) compiled.clear();
  const newCheck = compile(check);
  compiled.set(key, newCheck);
  return newCheck;
}

/** An imported check may contain no valid expression. It is evaluated on no record. */
function compile(check: CheckExpressions): Ask {
  try {
    return compileCheck(check);
  } catch {
    const reasons = faultsOf(check, () => undefined).map(([name, problem]) => `${name}: ${problem.text}`);
    return () => ({ is: 'skipped', why: reasons.join(' ') });
  }
}

function judge({ checks, texts, skippedItems, unparsed }: CheckRequest): CheckAnswers {
  const evaluators = checks.map((check, index): Ask => {
    if (unparsed.has(index)) return () => ({ is: 'skipped', why: '' });
    Atomics.store(sharedPosition, 0, parsingPlace(index));
    return prepared(check);
  });
  return texts.map((text, record) => {
    Atomics.store(sharedPosition, 0, itemOf(record, 0, evaluators.length));
    const parsed = text === undefined ? undefined : parse(text);
    return evaluators.map((ask, check): CheckOutcome => {
      const item = itemOf(record, check, evaluators.length);
      if (parsed === undefined) return { is: 'skipped', why: 'The record is damaged.' };
      if (skippedItems.has(item)) return { is: 'skipped', why: '' };
      Atomics.store(sharedPosition, 0, item);
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

const handlers = {
  judge,
  listFaults: (expressions: CheckExpressions) =>
    faultsOf(expressions, (index) => void Atomics.store(sharedPosition, 0, parsingPlace(index))),
};

export type CheckHandlers = typeof handlers;

serveRequests(handlers);
