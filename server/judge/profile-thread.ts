/** The thread of a profile runner; its own entry, as a thread is started by a file. It is ended where an invariant runs away. */
import { parentPort } from 'node:worker_threads';
import { compileInvariant, type Held } from '../../core/fhirpath/invariant.ts';
import type { Definition } from '../../core/fhir/profiles/conformance.ts';
import { claimedBy } from '../../core/fhir/record.ts';
import { judgeBy } from '../../core/fhir/profiles/judge-by.ts';
import { libraryOf, type Library } from '../../core/fhir/profiles/library.ts';
import { limits } from '../../core/fhir/limits.ts';
import type { JsonNode, JsonObject } from '../../core/json/node.ts';
import { print } from '../../core/json/print.ts';
import { maxDepth, scan } from '../../core/json/scan.ts';
import {
  keyOf,
  type DefinitionKind,
  type ProfileAnswer,
  type ProfileOrder,
  type ProfileQuestion,
  type ProfileReply,
} from './profile-messages.ts';
import { parsingPlace } from './watched-place.ts';

/** What is known of the set with this stamp. */
let stamp = '';
let told = new Map<string, Definition | undefined>();
let library: Library | undefined;
let wanted = new Set<string>();
let references = new Set<string>();
const invariants = new Map<string, ReturnType<typeof compileInvariant>>();

function take(order: ProfileOrder): Library {
  if (order.stamp !== stamp) {
    stamp = order.stamp;
    told = new Map();
    library = undefined;
  }
  for (const [key, definition] of order.told) told.set(key, definition);
  references = new Set();
  // What was compiled while something was missing does not know of it.
  if (order.told.size > 0) library = undefined;
  wanted = new Set();
  return (library ??= libraryOf({
    stamp,
    structureDefinition: toldOf('structureDefinition'),
    valueSet: toldOf('valueSet'),
    codeSystem: toldOf('codeSystem'),
  }));
}

function toldOf(kind: DefinitionKind) {
  return (canonical: string): Definition | undefined => {
    const key = keyOf(kind, canonical);
    if (!told.has(key)) wanted.add(key);
    return told.get(key);
  };
}

function judge(order: ProfileOrder): ProfileReply {
  const known = take(order);
  const asker = askerOf(order);
  const resolve = resolverOf(order);
  const answers: ProfileAnswer[] = [];
  for (const question of order.questions) {
    answers.push(answerTo(question, known, asker, resolve));
    if (wanted.size > 0) return { wanted: [...wanted], references: [] };
  }
  // References are followed for all records at once.
  if (references.size > 0) return { wanted: [], references: [...references] };
  return { answers };
}

/** What references lead to, each read once: records refer to the same again and again. */
function resolverOf({ beside, mayAsk }: ProfileOrder) {
  const roots = new Map<string, JsonObject | undefined>();
  return (reference: string): JsonObject | undefined => {
    if (!beside.has(reference)) {
      if (mayAsk) references.add(reference);
      return undefined;
    }
    if (!roots.has(reference)) {
      const text = beside.get(reference);
      roots.set(reference, text === undefined ? undefined : read(text));
    }
    return roots.get(reference);
  };
}

/** Asks invariants, each by its number, so that one that ran away is not asked again. */
function askerOf({ without, unparsed, before, place }: ProfileOrder) {
  let number = 0;
  const values = new WeakMap<JsonNode, unknown>();
  const valueOf = (node: JsonNode) => {
    const made = values.get(node) ?? (JSON.parse(print(node)) as unknown);
    if (node.kind === 'object') values.set(node, made);
    return made;
  };
  return (expression: string, base: string, node: JsonNode, record: JsonObject): boolean | string => {
    number += 1;
    if (without.has(number) || number >= before) return 'an expression that does not run away';
    if (unparsed.has(number)) keep(base, expression, () => unparsedInTime);
    Atomics.store(place, 0, parsingPlace(number));
    const ask = invariant(base, expression);
    Atomics.store(place, 0, 0);
    const [value, root] = [valueOf(node), valueOf(record)];
    Atomics.store(place, 0, number);
    const held = ask(value, root);
    Atomics.store(place, 0, 0);
    return answerOf(held);
  };
}

function answerOf(held: Held): boolean | string {
  return held.is === 'unasked' ? held.why : held.is === 'held';
}

/** More than packages that are judged by have. */
const mostInvariants = 2000;

type Ask = ReturnType<typeof compileInvariant>;

const unparsedInTime: Held = { is: 'unasked', why: 'an expression that can be parsed in time' };

function invariant(base: string, expression: string): Ask {
  const known = invariants.get(`${base} ${expression}`);
  return known ?? keep(base, expression, compileInvariant(base, expression));
}

function keep(base: string, expression: string, ask: Ask): Ask {
  if (invariants.size >= mostInvariants) invariants.clear();
  invariants.set(`${base} ${expression}`, ask);
  return ask;
}

function answerTo(
  { type, text, profiles, claimed }: ProfileQuestion,
  known: Library,
  ask: ReturnType<typeof askerOf>,
  resolve: ReturnType<typeof resolverOf>,
): ProfileAnswer {
  const root = text === undefined ? undefined : read(text);
  if (!root) return { findings: [], undecided: [], absent: profiles, judgedBy: 0 };
  const all = [...new Set([...profiles, ...(claimed ? claimedBy(root) : [])])];
  const verdict = judgeBy(all, root, type, known, {
    resolve,
    holds: (expression, base, node) => ask(expression, base, node, root),
  });
  return { ...verdict, judgedBy: all.length - verdict.absent.length };
}

function read(text: string): JsonObject | undefined {
  try {
    const { root } = scan(text, maxDepth, limits.values);
    return root.kind === 'object' ? root : undefined;
  } catch {
    return undefined;
  }
}

function send(reply: ProfileReply): void {
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (order: ProfileOrder) => send(judge(order)));
send({ ready: true });
