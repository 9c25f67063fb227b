import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import type { SummaryPaths } from '../types/definition/type-definition.ts';
import { definitions } from '../types/generated/definitions.ts';
import { definitionOf, isResourceType } from './resource.ts';

/** Another server may send what it likes: a type without a definition is read as the first. */
const [fallback] = definitions;

/** What a table row shows of a record; an empty string where the record does not say. */
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
  const display = stringMember(subject, 'display') ?? '';
  const first = (all: readonly string[]) => all.map((path) => textAt(record, path)).find(Boolean) ?? '';
  return {
    type,
    id: stringMember(record, 'id') ?? '',
    status: textAt(record, paths.status),
    intent: textAt(record, paths.intent),
    title: first(paths.title),
    subject: (stringMember(subject, 'reference') ?? '') || display,
    subjectName: display,
    encounter: stringMember(at(record, paths.encounter), 'reference') ?? '',
    date: first(paths.date),
    end: textAt(record, paths.end),
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
    members[key],
  ]);
  return summarise(scan(JSON.stringify(Object.fromEntries(read))).root);
}

function pathsOf(type: string): SummaryPaths {
  return (isResourceType(type) ? definitionOf(type) : fallback).summary;
}

function at(record: JsonNode, path: string | undefined): JsonNode | undefined {
  return path?.split('.').reduce<JsonNode | undefined>(member, record);
}

/** A text, or the first name of a concept or of several. */
function textAt(record: JsonNode, path: string | undefined): string {
  const node = at(record, path);
  if (node?.kind === 'string') return node.value;
  const concepts = node?.kind === 'array' ? node.items : node ? [node] : [];
  return concepts.map(conceptText).find((text) => text !== '') ?? '';
}

function conceptText(concept: JsonNode): string {
  const displays = items(member(concept, 'coding')).map((coding) => stringMember(coding, 'display'));
  return stringMember(concept, 'text') ?? displays.find((text) => text !== undefined) ?? '';
}
