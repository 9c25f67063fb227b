import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import type { SummaryPaths } from '../types/definition/type-definition.ts';
import { definitions } from '../types/generated/definitions.ts';
import {
  modifiedName,
  modifiersOf,
  negationsOf,
  ownModifiers,
  type Modifier,
} from './modifiers/modifiers.ts';
import { containedId, firstName, maxNameValues, nameOf, nodesAt } from './names.ts';
import { definitionOf, isResourceType } from './resource.ts';
import { siblingOf, subjectNameOf } from './resource-name.ts';

/** Other servers may send any type. A type without a definition is read as the first one. */
const [fallback] = definitions;

/** Values of a table row for a record; an empty string if the record has no value. */
export interface RecordSummary {
  readonly type: string;
  readonly id: string;
  readonly status: string;
  readonly intent: string;
  /** Never empty; contains the negations. */
  readonly title: string;
  /** The literal reference, otherwise the display. */
  readonly subject: string;
  readonly subjectName: string;
  readonly encounter: string;
  /** FHIR dateTime as in the record; for a period its start. */
  readonly date: string;
  readonly end: string;
  readonly version: string;
  readonly lastUpdated: string;
}

/** Summarizes a record of any shape for a table row or a tab's title. */
export function summarize(record: JsonNode): RecordSummary {
  const type = stringMember(record, 'resourceType') ?? '';
  const paths = pathsOf(type);
  const meta = member(record, 'meta');
  const subject = nodeAt(record, paths.subject);
  const subjectName = subjectNameOf(record, subject);
  return {
    type,
    id: stringMember(record, 'id') ?? '',
    status: firstName(record, [paths.status]),
    intent: firstName(record, paths.intent === undefined ? [] : [paths.intent]),
    title: recordTitle(record),
    subject: (stringMember(subject, 'reference') ?? '') || subjectName,
    subjectName,
    encounter: stringMember(nodeAt(record, paths.encounter), 'reference') ?? '',
    date: firstName(record, paths.date),
    end: firstName(record, paths.end === undefined ? [] : [paths.end]),
    version: stringMember(meta, 'versionId') ?? '',
    lastUpdated: stringMember(meta, 'lastUpdated') ?? '',
  };
}

/** Returns the name of a record of this type without a title; blank for other types. */
function getDefaultName(type: string): string {
  return isResourceType(type) ? definitionOf(type).defaultTitle : '';
}

/**
 * Returns the name of a record for display, with the negations of the record and of the part that provides the name.
 * Every view shows other values of status and intent separately.
 */
export function recordTitle(record: JsonNode): string {
  const type = stringMember(record, 'resourceType') ?? '';
  const { name, modifiers } = titleOf(record, type);
  const recordNegations = ownModifiers(record).filter(({ negates }) => negates);
  return modifiedName(name || getDefaultName(type), [...recordNegations, ...modifiers], getDefaultName(type))
    .name;
}

/** Returns the name of a record without its modifiers: to find, never to show. */
export function bareTitle(record: JsonNode): string {
  const type = stringMember(record, 'resourceType') ?? '';
  return titleOf(record, type).name || getDefaultName(type);
}

interface Title {
  readonly name: string;
  /** Modifiers of the part that provides the name. */
  readonly modifiers: readonly Modifier[];
}

/** Returns the first name at one of the type's paths. */
function titleOf(record: JsonNode, type: string): Title {
  for (const path of pathsOf(type).title) {
    const [element = '', ...subpath] = path.split('.');
    if (subpath.length === 0) {
      const name = firstName(record, [path]);
      if (name !== '') return { name, modifiers: [] };
    }
    const parts = subpath.length === 0 ? [] : nodesAt(record, element);
    for (const part of parts) {
      const title = partTitle(record, part, subpath);
      if (title) return { ...title, modifiers: [...negationsOf(type, element, part), ...title.modifiers] };
    }
  }
  return { name: '', modifiers: [] };
}

/** Returns the name at a path below a part of a record, with the negations of a referenced contained resource. */
function partTitle(record: JsonNode, part: JsonNode, path: readonly string[]): Title | undefined {
  const name = nodesAt(part, path.join('.')).map(nameOf).find(Boolean);
  if (name === undefined) return undefined;
  const reference = path.at(-1) === 'display' ? nodesAt(part, path.slice(0, -1).join('.'))[0] : undefined;
  const contained = siblingOf(reference, items(member(record, 'contained')));
  const modifiers = contained ? modifiersOf(contained).filter(({ negates }) => negates) : [];
  return { name, modifiers };
}

/** Returns the top-level elements of a summary, except the elements that every record has. */
export function summaryElements(type: string): string[] {
  const { status, intent, title, subject, encounter, date, end } = pathsOf(type);
  const paths = [status, intent, ...title, subject, encounter, ...date, end].filter(
    (path) => path !== undefined,
  );
  // The name of a reference to a contained resource comes from that resource.
  const referring = title.some((path) => path.endsWith('.display')) ? ['contained'] : [];
  return [...new Set([...paths.map((path) => path.replace(/\..*/, '')), ...referring])];
}

const commonElements = ['resourceType', 'id', 'meta', 'implicitRules', 'modifierExtension'];

/** Summarizes a record that JSON.parse has read. It may have changed numbers, which no summary contains. */
export function summarizeValue(record: unknown): RecordSummary {
  const members: Readonly<Record<string, unknown>> = typeof record === 'object' ? { ...record } : {};
  const summaryMembers = [...commonElements, ...summaryElements(String(members.resourceType))].map((key) => [
    key,
    truncateList(members[key]),
  ]);
  if (containedId(subjectReference(members)) !== undefined)
    summaryMembers.push(['contained', members.contained]);
  return summarize(scan(JSON.stringify(Object.fromEntries(summaryMembers))).root);
}

function truncateList(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, maxNameValues) : value;
}

function subjectReference({
  resourceType,
  ...members
}: Readonly<Record<string, unknown>>): string | undefined {
  const subject = members[pathsOf(String(resourceType)).subject];
  const literal =
    typeof subject === 'object' && subject !== null && 'reference' in subject && subject.reference;
  return typeof literal === 'string' ? literal : undefined;
}

function pathsOf(type: string): SummaryPaths {
  return (isResourceType(type) ? definitionOf(type) : fallback).summary;
}

function nodeAt(record: JsonNode, path: string | undefined): JsonNode | undefined {
  return path?.split('.').reduce<JsonNode | undefined>(member, record);
}
