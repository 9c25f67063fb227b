import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';

/** What a table row shows of a record; an empty string where the record does not say. */
export interface RecordSummary {
  readonly type: string;
  readonly id: string;
  readonly status: string;
  /** Of a CarePlan; a Composition has none. */
  readonly intent: string;
  readonly title: string;
  /** The literal reference, else the display. */
  readonly subject: string;
  readonly subjectName: string;
  readonly encounter: string;
  /** Start of a CarePlan's period, date of a Composition: FHIR dateTime as written. */
  readonly date: string;
  readonly end: string;
  readonly version: string;
  readonly lastUpdated: string;
}

/** Sums a record up for a table row or a tab's title; tolerates any shape. */
export function summarise(record: JsonNode): RecordSummary {
  const text = (node: JsonNode | undefined, key: string) => stringMember(node, key) ?? '';
  const period = member(record, 'period');
  const meta = member(record, 'meta');
  const subject = member(record, 'subject');
  return {
    type: text(record, 'resourceType'),
    id: text(record, 'id'),
    status: text(record, 'status'),
    intent: text(record, 'intent'),
    title: titleOf(record),
    subject: text(subject, 'reference') || text(subject, 'display'),
    subjectName: text(subject, 'display'),
    encounter: text(member(record, 'encounter'), 'reference'),
    date: text(record, 'date') || text(period, 'start') || text(record, 'created'),
    end: text(period, 'end'),
    version: text(meta, 'versionId'),
    lastUpdated: text(meta, 'lastUpdated'),
  };
}

/** Members that may be long, and that {@link summarise} does not look into. */
const unread = { text: undefined, contained: undefined, section: undefined, activity: undefined };

/** The same of a record that the engine's own JSON has read; numbers, which it may have changed, are in no summary. */
export function summariseValue(record: unknown): RecordSummary {
  const read = typeof record === 'object' ? { ...record, ...unread } : record;
  return summarise(scan(JSON.stringify(read)).root);
}

/** The title, else the first concept that says what the record is about. */
function titleOf(record: JsonNode): string {
  const concepts = [...items(member(record, 'category')), member(record, 'type')];
  const named = concepts.map(conceptText).find((text) => text !== '');
  return stringMember(record, 'title') ?? named ?? stringMember(record, 'description') ?? '';
}

function conceptText(concept: JsonNode | undefined): string {
  const display = items(member(concept, 'coding')).map((coding) => stringMember(coding, 'display'));
  return stringMember(concept, 'text') ?? display.find((text) => text !== undefined) ?? '';
}
