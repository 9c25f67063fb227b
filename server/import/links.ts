/**
 * Links between the records of one import. A record that gets a new id keeps its incoming links: all addresses are read before the
 * first reference is rewritten (R4 http.html#trules). A small input is kept in memory, a larger one in a temporary file.
 */
import { hash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isUrn, sourceOfUrl, withoutVersion } from '../../core/fhir/origin.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { isFhirId, isResourceType, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { ImportEntry } from '../../core/import/entry.ts';
import { items, setMember, serializeNode, stringNode, type JsonNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { readSpooled } from './spool.ts';

/** Entry of an import. */
export interface Candidate extends ImportEntry {
  /** Path of its file if there are several. */
  readonly file?: string;
}

/** Candidate whose links lead to records of the import. */
export interface LinkedCandidate extends Candidate {
  /** Id of a new record. Absent for another one, and if the service assigns it. */
  readonly id?: string;
  /** Count of rewritten links. */
  readonly links?: number;
}

/** A record as its entry states it. */
interface StatedRecord {
  readonly type: ResourceType;
  /** Its address: the fullUrl, or type and id in the batch. Absent if nothing can refer to it. */
  readonly address?: string;
  /** Base of its relative references. */
  readonly base: string;
  /** Id that its text or its addresses state. */
  readonly id?: string;
}

interface PendingEntry {
  readonly candidate: Candidate;
  readonly record?: StatedRecord | undefined;
}

/** Length of the texts that are kept in memory. */
const windowLength = 16 * 1024 ** 2;
/** Length of the lines that are written together. */
const portionLength = 256 * 1024;

/** Yields the candidates with their ids and rewritten links. */
export async function* linkRecords(
  candidates: AsyncIterable<Candidate>,
  batch: string,
  keepsIds: boolean,
): AsyncGenerator<LinkedCandidate> {
  const links = new ImportLinks(batch, keepsIds);
  const iterator = readPending(candidates, links);
  const window: PendingEntry[] = [];
  let length = 0;
  let failure: { readonly error: unknown } | undefined;
  let isEnded = false;
  try {
    while (!isEnded && length < windowLength) {
      const next = await iterator.next();
      isEnded = next.done === true;
      if (next.done === true) break;
      window.push(next.value);
      length += next.value.candidate.text?.length ?? 0;
    }
  } catch (error) {
    // The candidates before a failure are imported.
    failure = { error };
    isEnded = true;
  }
  try {
    if (isEnded) for (const entry of window) yield links.link(entry);
    else
      for await (const entry of readSpooled(writeLines(window, iterator), readLines)) yield links.link(entry);
    if (failure) throw failure.error;
  } finally {
    await iterator.return(undefined);
  }
}

async function* readPending(
  candidates: AsyncIterable<Candidate>,
  links: ImportLinks,
): AsyncGenerator<PendingEntry, undefined> {
  for await (const candidate of candidates) yield { candidate, record: links.add(candidate) };
}

async function* writeLines(
  window: PendingEntry[],
  others: AsyncIterable<PendingEntry>,
): AsyncGenerator<string> {
  let lines = '';
  for (const entry of window.splice(0)) yield `${JSON.stringify(entry)}\n`;
  for await (const entry of others) {
    lines += `${JSON.stringify(entry)}\n`;
    if (lines.length < portionLength) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

async function* readLines(path: string): AsyncGenerator<PendingEntry> {
  // JSON has no line ends but those that are escaped.
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    yield JSON.parse(line) as PendingEntry;
}

class ImportLinks {
  private readonly batch: string;
  private readonly keepsIds: boolean;
  /** Not the batch: two requests of one import may bring different records with one address. */
  private readonly salt = randomUUID();
  /** Index of the type by the key of an address; -1 if several records have the address. */
  private readonly types = new Map<string, number>();
  /** Ids that differ from those of their addresses, by key. */
  private readonly otherIds = new Map<string, string>();

  constructor(batch: string, keepsIds: boolean) {
    this.batch = batch;
    this.keepsIds = keepsIds;
  }

  /** Registers a candidate if it is a record. */
  add({ text, fullUrl, requestUrl }: Candidate): StatedRecord | undefined {
    const { type, id: ownId } = parseName(text);
    if (type === undefined) return undefined;
    const source = sourceOfUrl(fullUrl);
    const id = ownId ?? idOfAddress(fullUrl, type) ?? idOfAddress(requestUrl, type);
    const ownAddress = id === undefined ? undefined : `${this.batch}/${type}/${id}`;
    const address = source === undefined ? ownAddress : withoutVersion(fullUrl ?? '');
    const base = source === undefined || isUrn(source) ? this.batch : source;
    if (address !== undefined) {
      const key = keyOf(address);
      this.types.set(key, this.types.has(key) ? -1 : resourceTypes.indexOf(type));
      if (this.keepsIds && id !== undefined && parseReference(address)?.id !== id) this.otherIds.set(key, id);
    }
    return { type, base, ...(address !== undefined && { address }), ...(id !== undefined && { id }) };
  }

  /** Returns a candidate with its id and its rewritten links. All candidates were added. */
  link({ candidate, record }: PendingEntry): LinkedCandidate {
    if (!record || candidate.text === undefined) return candidate;
    const { address = '', base } = record;
    const id = this.keepsIds ? record.id : this.newIdOf(address);
    const { text, count } = rewriteReferences(candidate.text, (reference) => this.targetOf(reference, base));
    return { ...candidate, text, ...(id !== undefined && { id }), ...(count > 0 && { links: count }) };
  }

  /** Returns the reference to the record of the import that a reference means; undefined for any other. */
  private targetOf(reference: string, base: string): string | undefined {
    const [, stated = '', suffix = ''] =
      /^(.*?)((?:\/_history\/[^/#]*)?(?:#.*)?)$/s.exec(reference.trim()) ?? [];
    const { type, id, base: ownBase } = parseReference(stated) ?? {};
    if (id === undefined || ownBase === '#' || (type === undefined && ownBase === undefined))
      return undefined;
    const address = ownBase === undefined ? `${base}/${type}/${id}` : withoutVersion(stated);
    const key = keyOf(address);
    const targetType = resourceTypes[this.types.get(key) ?? -1];
    if (targetType === undefined || (type !== undefined && type !== targetType)) return undefined;
    const targetId = this.keepsIds ? (this.otherIds.get(key) ?? id) : this.newIdOf(address);
    return targetId === undefined ? undefined : `${targetType}/${targetId}${suffix}`;
  }

  /** Returns the new id of a record with an address. Undefined if several have it, so that none is meant. */
  private newIdOf(address: string): string | undefined {
    if ((this.types.get(keyOf(address)) ?? -1) < 0) return undefined;
    const digits = hash('sha256', `${this.salt}\n${address}`);
    // The form of a version 4 UUID, because the salt is random.
    const variant = ((Number.parseInt(digits[16] ?? '0', 16) % 4) + 8).toString(16);
    const groups = [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      `${variant}${digits.slice(17, 20)}`,
      digits.slice(20, 32),
    ];
    return groups.join('-');
  }
}

/** Returns a short key of an address, so that a million of them fit into memory. */
function keyOf(address: string): string {
  return hash('sha256', address, 'buffer').toString('latin1', 0, 12);
}

/** Returns type and id of a record; none for another resource or text. */
function parseName(text: string | undefined): { readonly type?: ResourceType; readonly id?: string } {
  if (text === undefined || !resourceTypes.some((type) => text.includes(`"${type}"`))) return {};
  try {
    const resource = JSON.parse(text) as { readonly resourceType?: unknown; readonly id?: unknown } | null;
    const { resourceType, id } = resource ?? {};
    if (typeof resourceType !== 'string' || !isResourceType(resourceType)) return {};
    return { type: resourceType, ...(typeof id === 'string' && { id }) };
  } catch {
    return {};
  }
}

/** Returns the id that an address states for a record of a type. */
function idOfAddress(address: string | undefined, type: ResourceType): string | undefined {
  const { id, type: statedType = type } = parseReference(withoutVersion(address ?? '')) ?? {};
  return id !== undefined && isFhirId(id) && statedType === type ? id : undefined;
}

/** Replaces references. The rest of the text stays as it is but for white space. */
function rewriteReferences(
  text: string,
  targetOf: (reference: string) => string | undefined,
): { readonly text: string; readonly count: number } {
  const isRewritten = (reference: string) => {
    const target = targetOf(reference);
    return target !== undefined && target !== reference;
  };
  const literals = [...text.matchAll(/"reference"\s*:\s*("(?:[^"\\]|\\.)*")/g)];
  if (!literals.some(([, literal = '""']) => isRewritten(parseString(literal)))) return { text, count: 0 };
  const { root, problems } = scan(text);
  if (problems.length > 0) return { text, count: 0 };
  let count = 0;
  const visit = (node: JsonNode): void => {
    if (node.kind === 'array') items(node).forEach(visit);
    if (node.kind !== 'object') return;
    for (const { key, value } of node.members) {
      if (key === 'reference' && value.kind === 'string' && isRewritten(value.value)) {
        setMember(node, key, stringNode(targetOf(value.value) ?? value.value));
        count += 1;
      } else visit(value);
    }
  };
  visit(root);
  return { text: serializeNode(root), count };
}

function parseString(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return '';
  }
}
