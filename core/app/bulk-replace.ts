import type { BulkOperation, ComputeOperation, ReplaceOperation } from './bulk.ts';
import { placeAt, type Compute } from './bulk-computed.ts';
import { recordChanges } from '../fhir/record-changes.ts';
import type { Change } from '../json/diff.ts';
import { equal } from '../json/equal.ts';
import { copy, type JsonNode, type JsonObject } from '../json/node.ts';
import { expandPath } from '../json/path-pattern.ts';
import { locate, parsePointer } from '../json/pointer.ts';
import { print } from '../json/print.ts';
import { scan } from '../json/scan.ts';
import { FhirError } from '../fhir/outcome.ts';
import { isOneWay, mendAll } from '../fhir/fixes/fixes.ts';
import { applyPatch } from '../fhir/patch.ts';
import type { ResourceType } from '../fhir/resource.ts';
import type { ValidationLevel } from '../fhir/validation/levels.ts';
import { rejectedFindings } from '../fhir/validation/save-gate.ts';
import { VersionPair } from '../fhir/validation/version-pair.ts';
import { findStaleNarrative } from '../fhir/validation/narrative.ts';
import { validate, validateBaseline } from '../fhir/validation/validate.ts';

/** What is to be sent: replace operations, or the whole record where elements come or go. */
export interface Sending {
  readonly method: 'patch' | 'put';
  readonly body: string;
}

/** What bulk operations would do to one record. */
export type Examined =
  | (Sending & {
      readonly state: 'ready';
      readonly changes: readonly Change[];
      /** Sentences of the warnings that the change adds. */
      readonly warnings: readonly string[];
    })
  | { readonly state: 'unchanged' | 'cannot' | 'refused'; readonly detail: string };

type Refused = Extract<Examined, { readonly detail: string }>;

export interface ExamineOptions {
  /** The level at which the server will judge the result. */
  readonly level: ValidationLevel;
  /** A date (YYYY-MM-DD). */
  readonly today: string;
  /** The zone of a local time where the steward sits. */
  readonly zoneOf?: (local: string) => string;
  /** Evaluates FHIRPath. */
  readonly compute: Compute;
}

/**
 * Tries the operations on a copy of the record, and judges the result as the server will; sends nothing. Each value is
 * replaced by what the record says before all of them; quick fixes mend what is left then.
 */
export async function examine(
  text: string,
  type: ResourceType,
  operations: readonly BulkOperation[],
  options: ExamineOptions,
): Promise<Examined> {
  const before = scan(text).root;
  if (before.kind !== 'object') return cannot('The record is not a JSON object.');
  const spelled = await spell({ record: before, text, type, compute: options.compute }, operations);
  if ('state' in spelled) return spelled;
  const patch = `[${spelled.replaces.join(',')}]`;
  const patched = copy(before);
  try {
    applyPatch(patched, type, scan(patch).root);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    return cannot(error.problems.map((problem) => problem.text).join(' '));
  }
  const after = mended(patched, type, spelled.fixes, options);
  const changes = recordChanges(before, after);
  if (changes.length === 0) return { state: 'unchanged', detail: spelled.nothing };
  const sending: Sending =
    after === patched ? { method: 'patch', body: patch } : { method: 'put', body: print(after) };
  return judged({ before, after, type, sending, changes }, options);
}

/** The text that a change which was found ready makes of a record. */
export function resultOf(text: string, type: ResourceType, { method, body }: Sending): string {
  if (method === 'put') return body;
  const { root } = scan(text);
  if (root.kind === 'object') applyPatch(root, type, scan(body).root);
  return print(root);
}

/**
 * The record with what the fixes mend; itself where they mend nothing. The steward's zone is taken where that way was chosen
 * alone: a run that takes the first way at each finding does the same on every machine.
 */
function mended(
  record: JsonObject,
  type: ResourceType,
  fixes: readonly string[],
  { today, zoneOf }: ExamineOptions,
): JsonObject {
  return fixes.reduce((root, fix) => {
    const settings = { today, ...(zoneOf && isOneWay(fix) && { zoneOf }) };
    return mendAll(root, type, fix, settings)?.root ?? root;
  }, record);
}

interface Made {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly type: ResourceType;
  readonly sending: Sending;
  readonly changes: readonly Change[];
}

function judged({ before, after, type, sending, changes }: Made, { level, today }: ExamineOptions): Examined {
  const versions = new VersionPair(before, after);
  const findings = validate(after, type, { today });
  const refused = rejectedFindings({ type, versions, findings, level, today });
  if (refused.length > 0) {
    return { state: 'refused', detail: refused.map((one) => `${one.text} (${one.expression})`).join(' ') };
  }
  const stale = findStaleNarrative(before, after, type);
  const added = versions.addedFindings(findings, validateBaseline(before, type, today));
  const warnings = [...added, ...stale].map((one) => `${one.text} (${one.expression})`);
  return { state: 'ready', ...sending, changes, warnings };
}

/** A record that operations are spelled out for. */
interface Subject {
  readonly record: JsonObject;
  readonly text: string;
  readonly type: ResourceType;
  readonly compute: Compute;
}

/** What operations are for one record: replace operations of a patch, and fixes. */
interface Spelled {
  readonly replaces: readonly string[];
  readonly fixes: readonly string[];
  /** Why nothing is to be done, where that is so. */
  readonly nothing: string;
}

const held = 'The record already holds this.';

function replacing({ record }: Subject, { path, value, now }: ReplaceOperation): Spelled | Refused {
  const pointers = expandPath(record, path);
  if (pointers.length === 0 && now === undefined) return cannot(`The record has nothing at ${path}.`);
  const replaces = pointers.filter(holding(record, now)).map((pointer) => replaceAt(pointer, value));
  return { replaces, fixes: [], nothing: replaces.length === 0 ? 'It holds another value.' : held };
}

async function computing(
  subject: Subject,
  { path, expression, now }: ComputeOperation,
): Promise<Spelled | Refused> {
  const { record, text, type, compute } = subject;
  const pointers = expandPath(record, path).filter(holding(record, now));
  const found = pointers.flatMap((pointer) => {
    const tokens = parsePointer(pointer) ?? [];
    const node = locate(record, tokens);
    return node ? [{ node, pointer, place: placeAt(type, pointer, tokens) }] : [];
  });
  if (found.length === 0) {
    if (now !== undefined) return { replaces: [], fixes: [], nothing: 'It holds another value.' };
    return cannot(`The record has nothing at ${path}.`);
  }
  const other = found.find(({ node }) => node.kind !== 'string' && node.kind !== 'boolean');
  if (other)
    return cannot(`${other.pointer} is no text: only a text, a code, a date, yes or no is computed.`);
  const answers = await compute({ expression, record: text, places: found.map(({ place }) => place) });
  if ('cannot' in answers) return cannot(answers.cannot);
  const replaces: string[] = [];
  for (const [index, { node, pointer }] of found.entries()) {
    const answer = answers[index] ?? { cannot: 'No value came.' };
    if ('cannot' in answer) return cannot(`${answer.cannot} (${pointer})`);
    // Its own escapes stay where the text is the same.
    if ('value' in node && node.value === answer.value) continue;
    replaces.push(replaceAt(pointer, JSON.stringify(answer.value)));
  }
  return { replaces, fixes: [], nothing: held };
}

/** Each `*` spelled out, and only where `now` is what stands there. */
async function spell(subject: Subject, operations: readonly BulkOperation[]): Promise<Spelled | Refused> {
  let all: Spelled = { replaces: [], fixes: [], nothing: held };
  for (const operation of operations) {
    const one = await spellOne(subject, operation);
    if ('state' in one) return one;
    all = {
      replaces: [...all.replaces, ...one.replaces],
      fixes: [...all.fixes, ...one.fixes],
      nothing: one.nothing,
    };
  }
  return all;
}

function spellOne(
  subject: Subject,
  operation: BulkOperation,
): Promise<Spelled | Refused> | Spelled | Refused {
  if (operation.kind === 'compute') return computing(subject, operation);
  if (operation.kind !== 'fix') return replacing(subject, operation);
  return { replaces: [], fixes: [operation.fix], nothing: 'It has no finding that this fix mends.' };
}

function cannot(detail: string): Refused {
  return { state: 'cannot', detail };
}

function replaceAt(pointer: string, value: string): string {
  return `{"op":"replace","path":${JSON.stringify(pointer)},"value":${value}}`;
}

function holding(record: JsonNode, now: string | undefined): (pointer: string) => boolean {
  if (now === undefined) return () => true;
  const wanted = scan(now).root;
  return (pointer) => {
    const tokens = parsePointer(pointer);
    const node = tokens && locate(record, tokens);
    return node !== undefined && equal(node, wanted);
  };
}
