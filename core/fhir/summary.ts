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
import { containedId, firstName, mostLooked, nameOf, nodesAt } from './names.ts';
import { definitionOf, isResourceType } from './resource.ts';
import { siblingOf, subjectNameOf } from './resource-name.ts';

/** Another server may send what it likes: a type without a definition is read as the first. */
const [fallback] = definitions;

/** What a table row shows of a record; an empty string where the record does not say. */
export interface RecordSummary {
  readonly type: string;
  readonly id: string;
  readonly status: string;
  readonly intent: string;
  /** Never empty, with what negates it. */
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
export function summarize(record: JsonNode): RecordSummary {
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
    title: recordTitle(record),
    subject: (stringMember(subject, 'reference') ?? '') || subjectName,
    subjectName,
    encounter: stringMember(at(record, paths.encounter), 'reference') ?? '',
    date: firstName(record, paths.date),
    end: firstName(record, paths.end === undefined ? [] : [paths.end]),
    version: stringMember(meta, 'versionId') ?? '',
    lastUpdated: stringMember(meta, 'lastUpdated') ?? '',
  };
}

/** Returns the name of a record of this type that says nothing of itself; blank for other types. */
function calledOf(type: string): string {
  return isResourceType(type) ? definitionOf(type).called : '';
}

/**
 * Returns the name of a record wherever it is shown, with what negates the record and the part that it is named after.
 * What else its status and intent say stands beside it in every view.
 */
export function recordTitle(record: JsonNode): string {
  const type = stringMember(record, 'resourceType') ?? '';
  const { name, modifiers } = titleOf(record, type);
  const own = ownModifiers(record).filter(({ negates }) => negates);
  return modifiedName(name || calledOf(type), [...own, ...modifiers], calledOf(type)).name;
}

/** Returns the name of a record without its modifiers: to find, never to show. */
export function bareTitle(record: JsonNode): string {
  const type = stringMember(record, 'resourceType') ?? '';
  return titleOf(record, type).name || calledOf(type);
}

interface Title {
  readonly name: string;
  /** Of the part that the name comes from. */
  readonly modifiers: readonly Modifier[];
}

/** The first name that one of the type's paths leads to. */
function titleOf(record: JsonNode, type: string): Title {
  for (const path of pathsOf(type).title) {
    const [element = '', ...rest] = path.split('.');
    if (rest.length === 0) {
      const name = firstName(record, [path]);
      if (name !== '') return { name, modifiers: [] };
    }
    const parts = rest.length === 0 ? [] : nodesAt(record, element);
    for (const part of parts) {
      const title = partTitle(record, part, rest);
      if (title) return { ...title, modifiers: [...negationsOf(type, element, part), ...title.modifiers] };
    }
  }
  return { name: '', modifiers: [] };
}

/** The name that a path below a part of a record leads to; of a reference to a contained resource with what negates that. */
function partTitle(record: JsonNode, part: JsonNode, path: readonly string[]): Title | undefined {
  const name = nodesAt(part, path.join('.')).map(nameOf).find(Boolean);
  if (name === undefined) return undefined;
  const reference = path.at(-1) === 'display' ? nodesAt(part, path.slice(0, -1).join('.'))[0] : undefined;
  const contained = siblingOf(reference, items(member(record, 'contained')));
  const modifiers = contained ? modifiersOf(contained).filter(({ negates }) => negates) : [];
  return { name, modifiers };
}

/** The top-level elements that a summary is made of, beside those that every record has. */
export function summaryElements(type: string): string[] {
  const { status, intent, title, subject, encounter, date, end } = pathsOf(type);
  const paths = [status, intent, ...title, subject, encounter, ...date, end].filter(
    (path) => path !== undefined,
  );
  // A reference to a contained resource is named with what that says.
  const referring = title.some((path) => path.endsWith('.display')) ? ['contained'] : [];
  return [...new Set([...paths.map((path) => path.replace(/\..*/, '')), ...referring])];
}

const always = ['resourceType', 'id', 'meta', 'implicitRules', 'modifierExtension'];

/** The same of a record that the engine's own JSON has read; numbers, which it may have changed, are in no summary. */
export function summarizeValue(record: unknown): RecordSummary {
  const members: Readonly<Record<string, unknown>> = typeof record === 'object' ? { ...record } : {};
  const read = [...always, ...summaryElements(String(members.resourceType))].map((key) => [
    key,
    firstOf(members[key]),
  ]);
  if (containedId(subjectReference(members)) !== undefined) read.push(['contained', members.contained]);
  return summarize(scan(JSON.stringify(Object.fromEntries(read))).root);
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
