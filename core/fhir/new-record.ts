/**
 * Records that are not on any server yet: how one begins, and how one is made from another. Called by the page.
 * Invariant: the id of such a record is none that FHIR R4 knows, so that no request can be made for it by mistake.
 */
import { copy, member, setMember, stringNode, type JsonNode, type JsonObject } from '../json/node.ts';
import { definitionOf, type ResourceType } from './resource.ts';
import { serverAssignedPaths } from './record.ts';

/** FHIR R4 datatypes.html#id has no colon. */
const mark = 'new:';

/** The id of a record that no server has given one; `unique` tells it from others. */
export function createTemporaryId(unique: string): string {
  return mark + unique;
}

/** Whether a record has no id of a server yet. */
export function isNewRecord(id: string): boolean {
  return id.startsWith(mark);
}

/** The text that every record of a type has in common, which a new one is compared with. */
export function blank(type: ResourceType): string {
  return JSON.stringify({ resourceType: type }, undefined, 2);
}

/**
 * The text of a new record: the smallest that R4 takes, with what was answered to the type's questions. What was not
 * answered is left out, so that the rules tell that it is missing.
 *
 * @param answers by the pointer of each question.
 * @param today the day of the calendar here, `2026-11-23`.
 */
export function newRecord(type: ResourceType, answers: ReadonlyMap<string, string>, today: string): string {
  const { elements, asks, dated } = definitionOf(type).begin;
  const said = new Map(
    asks.flatMap(({ pointer, as }) => {
      const answer = answers.get(pointer)?.trim() ?? '';
      return answer === '' ? [] : [[pointer, as === 'subject' ? referenceTo(answer) : answer]];
    }),
  );
  if (dated !== undefined) said.set(`/${dated}`, today);
  const record = { resourceType: type, ...(filled(elements, '', said) as object) };
  return JSON.stringify(record, undefined, 2);
}

/** A bare id is that of a patient; every other form of a reference stays as it is. */
function referenceTo(answer: string): string {
  return /^[A-Za-z0-9.-]+$/.test(answer) ? `Patient/${answer}` : answer;
}

/** A value with what was said in place of its empty strings; undefined where nothing is in it then. */
function filled(value: unknown, pointer: string, said: ReadonlyMap<string, string>): unknown {
  if (value === '') return said.get(pointer);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(
    ([name, inner]) => [name, filled(inner, `${pointer}/${name}`, said)] as const,
  );
  const left = members.filter(([, inner]) => inner !== undefined);
  if (left.length === 0) return undefined;
  return Array.isArray(value) ? left.map(([, inner]) => inner) : Object.fromEntries(left);
}

/** A record as one of its own: without its id, what the server stamped, and the identifiers that name the other. */
export function duplicateOf(record: JsonObject): JsonObject {
  const made = without(copy(record), ['id', 'identifier']);
  const meta = member(made, 'meta');
  if (meta?.kind !== 'object') return made;
  const stamped = [...serverAssignedPaths].map((pointer) => pointer.slice('/meta/'.length));
  const kept = without(meta, stamped);
  if (kept.members.length === 0) return without(made, ['meta']);
  setMember(made, 'meta', kept);
  return made;
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return { ...object, members: object.members.filter(({ key }) => !names.includes(key.replace(/^_/, ''))) };
}

/** A record that says of itself that it should not have been written; undefined where it says so already. */
export function asEnteredInError(type: ResourceType, record: JsonNode): JsonObject | undefined {
  const { enteredInError, summary } = definitionOf(type);
  const now = member(record, summary.status);
  if (record.kind !== 'object' || (now?.kind === 'string' && now.value === enteredInError)) return undefined;
  const made = copy(record);
  setMember(made, summary.status, stringNode(enteredInError));
  return made;
}
