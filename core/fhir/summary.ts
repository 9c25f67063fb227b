import { member, stringMember, type JsonNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import type { SummaryPaths } from '../types/definition/type-definition.ts';
import { definitions } from '../types/generated/definitions.ts';
import { containedId, firstName, mostLooked, subjectNameOf } from './names.ts';
import { definitionOf, isResourceType } from './resource.ts';

/** Another server may send what it likes: a type without a definition is read as the first. */
const [fallback] = definitions;

/** What a table row shows of a record; an empty string where the record does not say. A title is never empty. */
export interface RecordSummary {
  readonly type: string;
  readonly id: string;
  readonly status: string;
  readonly intent: string;
  readonly title: string;
  /** The literal reference, else the display. */
  readonly subject: string;
  readonly subjectName: string;
  readonly encounter: string;
  /** FHIR dateTime as written; where the record is about a period, its start. */
  readonly date: string;
  readonly end: string;
  readonly version: string;
  readonly lastUpdated: string;
}

/** Sums a record up for a table row or a tab's title; tolerates any shape. */
export function summarise(record: JsonNode): RecordSummary {
  const type = stringMember(record, 'resourceType') ?? '';
  const paths = pathsOf(type);
  const meta = member(record, 'meta');
  const subject = at(record, paths.subject);
  const subjectName = subjectNameOf(record, subject);
  return {
    type,
    id: stringMember(record, 'id') ?? '',
    status: firstName(record, [paths.status]),
    intent: firstName(record, paths.intent === undefined ? [] : [paths.intent]),
    title: firstName(record, paths.title) || (isResourceType(type) ? definitionOf(type).called : ''),
    subject: (stringMember(subject, 'reference') ?? '') || subjectName,
    subjectName,
    encounter: stringMember(at(record, paths.encounter), 'reference') ?? '',
    date: firstName(record, paths.date),
    end: firstName(record, paths.end === undefined ? [] : [paths.end]),
    version: stringMember(meta, 'versionId') ?? '',
    lastUpdated: stringMember(meta, 'lastUpdated') ?? '',
  };
}

/** The top-level elements that a summary is made of, beside those that every record has. */
export function summaryElements(type: string): string[] {
  const { status, intent, title, subject, encounter, date, end } = pathsOf(type);
  const paths = [status, intent, ...title, subject, encounter, ...date, end].filter(
    (path) => path !== undefined,
  );
  return [...new Set(paths.map((path) => path.replace(/\..*/, '')))];
}

const always = ['resourceType', 'id', 'meta'];

/** The same of a record that the engine's own JSON has read; numbers, which it may have changed, are in no summary. */
export function summariseValue(record: unknown): RecordSummary {
  const members: Readonly<Record<string, unknown>> = typeof record === 'object' ? { ...record } : {};
  const read = [...always, ...summaryElements(String(members.resourceType))].map((key) => [
    key,
    firstOf(members[key]),
  ]);
  if (containedId(subjectReference(members)) !== undefined) read.push(['contained', members.contained]);
  return summarise(scan(JSON.stringify(Object.fromEntries(read))).root);
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, mostLooked) : value;
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

function at(record: JsonNode, path: string | undefined): JsonNode | undefined {
  return path?.split('.').reduce<JsonNode | undefined>(member, record);
}
