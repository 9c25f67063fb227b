/**
 * Records that are not on any server yet: new ones and duplicates. Called by the page. Invariant: the id of such a
 * record is not a FHIR R4 id, so that no request can be sent for it by mistake.
 */
import { copy, member, setMember, stringNode, type JsonNode, type JsonObject } from '../json/node.ts';
import { definitionOf, type ResourceType } from './resource.ts';
import { serverAssignedPaths } from './record.ts';

/** FHIR R4 datatypes.html#id has no colon. */
const mark = 'new:';

/** Returns the id of a record that no server has; `unique` distinguishes it from others. */
export function createTemporaryId(unique: string): string {
  return mark + unique;
}

/** Returns whether a record has no server id yet. */
export function isNewRecord(id: string): boolean {
  return id.startsWith(mark);
}

/** Returns the text that a new record of a type is compared with. */
export function emptyRecordText(type: ResourceType): string {
  return JSON.stringify({ resourceType: type }, undefined, 2);
}

/**
 * Returns the text of a new record: the smallest that R4 accepts, with the answers to the type's questions. Elements
 * without an answer are left out, so that the rules report them as missing.
 *
 * @param answers - By the pointer of each question.
 * @param today - Local calendar date, `2026-11-23`.
 */
export function newRecord(type: ResourceType, answers: ReadonlyMap<string, string>, today: string): string {
  const { elements, questions, dated } = definitionOf(type).newRecord;
  const answersByPointer = new Map(
    questions.flatMap(({ pointer, kind }) => {
      const answer = answers.get(pointer)?.trim() ?? '';
      return answer === '' ? [] : [[pointer, kind === 'subject' ? referenceTo(answer) : answer]];
    }),
  );
  if (dated !== undefined) answersByPointer.set(`/${dated}`, today);
  const record = { resourceType: type, ...(fillAnswers(elements, '', answersByPointer) as object) };
  return JSON.stringify(record, undefined, 2);
}

/** A bare id is a patient id. Any other form of a reference stays unchanged. */
function referenceTo(answer: string): string {
  return /^[A-Za-z0-9.-]+$/.test(answer) ? `Patient/${answer}` : answer;
}

/** Fills the empty strings of a value with answers. Returns undefined for an empty value. */
function fillAnswers(
  value: unknown,
  pointer: string,
  answersByPointer: ReadonlyMap<string, string>,
): unknown {
  if (value === '') return answersByPointer.get(pointer);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(
    ([name, inner]) => [name, fillAnswers(inner, `${pointer}/${name}`, answersByPointer)] as const,
  );
  const filledMembers = members.filter(([, inner]) => inner !== undefined);
  if (filledMembers.length === 0) return undefined;
  return Array.isArray(value) ? filledMembers.map(([, inner]) => inner) : Object.fromEntries(filledMembers);
}

/** Returns a copy of a record as a new one: without id, server metadata and identifiers. */
export function duplicateOf(record: JsonObject): JsonObject {
  const duplicate = omitMembers(copy(record), ['id', 'identifier']);
  const meta = member(duplicate, 'meta');
  if (meta?.kind !== 'object') return duplicate;
  const serverMembers = [...serverAssignedPaths].map((pointer) => pointer.slice('/meta/'.length));
  const remainingMeta = omitMembers(meta, serverMembers);
  if (remainingMeta.members.length === 0) return omitMembers(duplicate, ['meta']);
  setMember(duplicate, 'meta', remainingMeta);
  return duplicate;
}

function omitMembers(object: JsonObject, names: readonly string[]): JsonObject {
  return { ...object, members: object.members.filter(({ key }) => !names.includes(key.replace(/^_/, ''))) };
}

/** Returns the record with the status entered-in-error; undefined if it has that status. */
export function asEnteredInError(type: ResourceType, record: JsonNode): JsonObject | undefined {
  const { enteredInError, summary } = definitionOf(type);
  const status = member(record, summary.status);
  if (record.kind !== 'object' || (status?.kind === 'string' && status.value === enteredInError))
    return undefined;
  const markedRecord = copy(record);
  setMember(markedRecord, summary.status, stringNode(enteredInError));
  return markedRecord;
}
