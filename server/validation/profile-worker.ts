/**
 * Worker of the profile runner. A worker starts from its own entry file. It is terminated when an invariant
 * does not end.
 */
import { compileInvariant, type InvariantResult } from '../../core/fhirpath/invariant.ts';
import type { Definition } from '../../core/fhir/profiles/conformance.ts';
import { listClaimedProfiles } from '../../core/fhir/record.ts';
import { validateAgainst } from '../../core/fhir/profiles/validate-against.ts';
import type { MissingDefinition } from '../../core/fhir/profiles/report.ts';
import { libraryOf, type Library } from '../../core/fhir/profiles/library.ts';
import { limits } from '../../core/fhir/limits.ts';
import { serializeNode, type JsonNode, type JsonObject } from '../../core/json/node.ts';
import { defineMessages } from '../../core/text/message.ts';
import { maxDepth, scan } from '../../core/json/scan.ts';
import { getThreadData, serveRequests } from '../threads/serve-requests.ts';
import {
  keyOf,
  type DefinitionKind,
  type ProfileAnswer,
  type ProfileWorkerRequest,
  type ProfileQuestion,
  type ProfileWorkerResponse,
} from './profile-messages.ts';
import { parsingPlace } from './watched-place.ts';

const needs = defineMessages('needs', {
  parsedInTime: 'an expression that can be parsed in time',
  evaluatedInTime: 'an expression that finishes in time',
});

/** Receives the number of the invariant that is evaluated or parsed. */
const sharedPosition = getThreadData() as Int32Array;

/** Known definitions of the set with this fingerprint. */
let stamp = '';
let knownDefinitions = new Map<string, Definition | undefined>();
let library: Library | undefined;
let missingDefinitions = new Set<string>();
let references = new Set<string>();
const invariants = new Map<string, ReturnType<typeof compileInvariant>>();

function take(request: ProfileWorkerRequest): Library {
  if (request.stamp !== stamp) {
    stamp = request.stamp;
    knownDefinitions = new Map();
    library = undefined;
  }
  for (const [key, definition] of request.definitions) knownDefinitions.set(key, definition);
  references = new Set();
  // Compiled profiles ignore definitions that were missing then.
  if (request.definitions.size > 0) library = undefined;
  missingDefinitions = new Set();
  return (library ??= libraryOf({
    stamp,
    structureDefinition: findDefinition('structureDefinition'),
    valueSet: findDefinition('valueSet'),
    codeSystem: findDefinition('codeSystem'),
  }));
}

function findDefinition(kind: DefinitionKind) {
  return (canonical: string): Definition | undefined => {
    const key = keyOf(kind, canonical);
    if (!knownDefinitions.has(key)) missingDefinitions.add(key);
    return knownDefinitions.get(key);
  };
}

function judge(request: ProfileWorkerRequest): ProfileWorkerResponse {
  const knownLibrary = take(request);
  const asker = askerOf(request);
  const resolve = resolverOf(request);
  const validations: ProfileAnswer[] = [];
  for (const question of request.questions) {
    validations.push(answerTo(question, knownLibrary, asker, resolve));
    if (missingDefinitions.size > 0) return { definitions: [...missingDefinitions], references: [] };
  }
  // References are followed for all records at once.
  if (references.size > 0) return { definitions: [], references: [...references] };
  return { answers: validations };
}

/** Resolves references. Reads each only once, because records often refer to the same resource. */
function resolverOf({ referencedTexts, canRequestMore }: ProfileWorkerRequest) {
  const roots = new Map<string, JsonObject | undefined>();
  return (reference: string): JsonObject | undefined => {
    if (!referencedTexts.has(reference)) {
      if (canRequestMore) references.add(reference);
      return undefined;
    }
    if (!roots.has(reference)) {
      const text = referencedTexts.get(reference);
      roots.set(reference, text === undefined ? undefined : read(text));
    }
    return roots.get(reference);
  };
}

/** Evaluates invariants by number. Skips one that timed out before. */
function askerOf({ skippedInvariants, unparsed, before }: ProfileWorkerRequest) {
  let number = 0;
  const values = new WeakMap<JsonNode, unknown>();
  const valueOf = (node: JsonNode) => {
    const plainValue = values.get(node) ?? (JSON.parse(serializeNode(node)) as unknown);
    if (node.kind === 'object') values.set(node, plainValue);
    return plainValue;
  };
  return (
    expression: string,
    base: string,
    node: JsonNode,
    record: JsonObject,
  ): boolean | MissingDefinition => {
    number += 1;
    if (skippedInvariants.has(number) || number >= before) return needs.evaluatedInTime();
    if (unparsed.has(number)) keep(base, expression, () => unparsedInTime);
    Atomics.store(sharedPosition, 0, parsingPlace(number));
    const ask = invariant(base, expression);
    Atomics.store(sharedPosition, 0, 0);
    const [value, root] = [valueOf(node), valueOf(record)];
    Atomics.store(sharedPosition, 0, number);
    const invariantResult = ask(value, root);
    Atomics.store(sharedPosition, 0, 0);
    return answerOf(invariantResult);
  };
}

function answerOf(invariantResult: InvariantResult): boolean | MissingDefinition {
  return invariantResult.status === 'unasked' ? invariantResult.needs : invariantResult.status === 'held';
}

/** More than the packages in use contain. */
const mostInvariants = 2000;

type Ask = ReturnType<typeof compileInvariant>;

const unparsedInTime: InvariantResult = { status: 'unasked', needs: needs.parsedInTime() };

function invariant(base: string, expression: string): Ask {
  const compiledInvariant = invariants.get(`${base} ${expression}`);
  return compiledInvariant ?? keep(base, expression, compileInvariant(base, expression));
}

function keep(base: string, expression: string, ask: Ask): Ask {
  if (invariants.size >= mostInvariants) invariants.clear();
  invariants.set(`${base} ${expression}`, ask);
  return ask;
}

function answerTo(
  { type, text, profiles, validatesClaimed }: ProfileQuestion,
  library: Library,
  ask: ReturnType<typeof askerOf>,
  resolve: ReturnType<typeof resolverOf>,
): ProfileAnswer {
  const root = text === undefined ? undefined : read(text);
  if (!root) return { findings: [], undecidedRules: [], missingProfiles: profiles, profileCount: 0 };
  const canonicals = [...new Set([...profiles, ...(validatesClaimed ? listClaimedProfiles(root) : [])])];
  const { findings, undecidedRules, missingProfiles } = validateAgainst(canonicals, root, type, library, {
    resolve,
    evaluateInvariant: (expression, base, node) => ask(expression, base, node, root),
  });
  return {
    findings,
    undecidedRules,
    missingProfiles,
    profileCount: canonicals.length - missingProfiles.length,
  };
}

function read(text: string): JsonObject | undefined {
  try {
    const { root } = scan(text, maxDepth, limits.values);
    return root.kind === 'object' ? root : undefined;
  } catch {
    return undefined;
  }
}

const handlers = { judge };

export type ProfileHandlers = typeof handlers;

serveRequests(handlers);
