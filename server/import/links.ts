/**
 * Links between the records of one import. A record that gets a new id keeps its incoming links: all addresses are read before the
 * first reference is rewritten (R4 http.html#trules). A small input is kept in memory, a larger one in a temporary file.
 */
import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseReference } from '../../core/fhir/reference.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import type { ReadBundle } from '../../core/import/bundle-head.ts';
import type { ImportEntry } from '../../core/import/entry.ts';
import {
  readLink,
  rewriteReferences,
  type LinkParts,
  type RewrittenLink,
} from '../../core/fhir/references-in-text.ts';
import { readStatedRecord, type StatedRecord } from '../../core/import/record-links.ts';
import { readSpooled } from './spool.ts';

/** Entry of an import. */
export interface Candidate extends ImportEntry {
  /** Path of its file if there are several. */
  readonly file?: string;
  /** Start of the SHA-256 of a record's text as it came, in hex. Batches are compared by it. */
  readonly content?: string;
}

/** Candidate whose links lead to records of the import. */
export interface LinkedCandidate extends Candidate {
  /** Id of a new record. Absent for another one, and if the service assigns it. */
  readonly id?: string;
  /** Its rewritten links; absent for none. */
  readonly links?: readonly RewrittenLink[];
  /** Id of a record that its text or its addresses state. */
  readonly statedId?: string;
}

interface PendingEntry {
  readonly candidate: Candidate;
  readonly record?: StatedRecord | undefined;
}

/** Length of the texts that are kept in memory. */
const windowLength = 16 * 1024 ** 2;
/** Length of the lines that are written together. */
const portionLength = 256 * 1024;

export interface LinkOptions {
  /** Folder for the temporary file of a large input. */
  readonly dataDir: string;
  readonly batch: string;
  readonly keepsIds: boolean;
  /** True if the request names records of other requests of its import. */
  readonly knowsOthers: boolean;
}

/** Yields the candidates with their ids and rewritten links. */
export async function* linkRecords(
  candidates: AsyncIterable<Candidate>,
  options: LinkOptions,
): AsyncGenerator<LinkedCandidate> {
  const links = new ImportLinks(options);
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
      for await (const entry of readSpooled(
        options.dataDir,
        writeLines(window, iterator, links),
        links.readLines,
      ))
        yield links.link(entry);
    if (failure) throw failure.error;
  } finally {
    await iterator.return(undefined);
  }
}

async function* readPending(
  candidates: AsyncIterable<Candidate>,
  links: ImportLinks,
): AsyncGenerator<PendingEntry, undefined> {
  for await (const candidate of candidates) {
    const record = links.add(candidate);
    const { text } = candidate;
    yield record && text !== undefined
      ? { candidate: { ...candidate, content: hash('sha256', text).slice(0, 16) }, record }
      : { candidate, record };
  }
}

async function* writeLines(
  window: PendingEntry[],
  others: AsyncIterable<PendingEntry>,
  links: ImportLinks,
): AsyncGenerator<string> {
  let lines = '';
  for (const entry of window.splice(0)) yield links.formatLine(entry);
  for await (const entry of others) {
    lines += links.formatLine(entry);
    if (lines.length < portionLength) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

/** Line of a spooled entry. */
interface SpooledEntry {
  readonly entry: PendingEntry;
  /** Index of its entry in its Bundle. */
  readonly index?: number;
  /** Number of the Bundle that starts with this entry and is not complete. */
  readonly openBundle?: number;
  /** The Bundle that starts with this entry. */
  readonly bundle?: ReadBundle;
}

class ImportLinks {
  private readonly batch: string;
  private readonly keepsIds: boolean;
  private readonly knowsOthers: boolean;
  /** Index of the type by the key of an address; -1 if several records have the address. */
  private readonly types = new Map<string, number>();
  /** Ids that differ from those of their addresses, by key. */
  private readonly otherIds = new Map<string, string>();
  /** Addresses by the keys of type and id, for records with another id than their `urn:`. Undefined if several have them. */
  private readonly aliases = new Map<string, string | undefined>();
  /** Bundles that were not complete when their first entry was spooled. */
  private readonly openBundles: ReadBundle[] = [];

  constructor({ batch, keepsIds, knowsOthers }: LinkOptions) {
    this.batch = batch;
    this.keepsIds = keepsIds;
    this.knowsOthers = knowsOthers;
  }

  /** Registers a candidate if it is a record, or stands for one of another request. */
  add(candidate: Candidate): StatedRecord | undefined {
    const record =
      this.knowsOthers || !candidate.elsewhere ? readStatedRecord(candidate, this.batch) : undefined;
    if (!record) return undefined;
    const { type, address, alias, id } = record;
    if (address !== undefined) {
      const key = keyOf(address);
      this.types.set(key, this.types.has(key) ? -1 : resourceTypes.indexOf(type));
      if (this.keepsIds && id !== undefined && parseReference(address)?.id !== id) this.otherIds.set(key, id);
    }
    if (alias !== undefined && address !== undefined && parseReference(address)?.id !== id) {
      const key = keyOf(alias);
      this.aliases.set(key, this.aliases.has(key) ? undefined : address);
    }
    return record;
  }

  /** Returns a candidate with its id and its rewritten links. All candidates were added. */
  link({ candidate, record }: PendingEntry): LinkedCandidate {
    if (!record || candidate.text === undefined) return candidate;
    const { address = '', base } = record;
    const id = this.keepsIds ? record.id : this.newIdOf(address);
    const { text, links } = rewriteReferences(candidate.text, (reference) => this.targetOf(reference, base));
    return {
      ...candidate,
      text,
      ...(record.id !== undefined && { statedId: record.id }),
      ...(id !== undefined && { id }),
      ...(links.length > 0 && { links }),
    };
  }

  /** Returns a line for the temporary file. A Bundle can end behind its entries, and is then kept in memory. */
  formatLine(entry: PendingEntry): string {
    const { bundlePlace, ...candidate } = entry.candidate;
    const { bundle, index } = bundlePlace ?? {};
    const isDocument = bundle !== undefined && (bundle.isComplete !== true || bundle.head !== undefined);
    const line: SpooledEntry = {
      entry: { ...entry, candidate },
      ...(isDocument && index !== undefined && { index }),
      ...(isDocument && index === 0 && this.describeBundle(bundle)),
    };
    return `${JSON.stringify(line)}\n`;
  }

  private describeBundle(bundle: ReadBundle): Pick<SpooledEntry, 'bundle' | 'openBundle'> {
    if (bundle.isComplete === true) return { bundle };
    return { openBundle: this.openBundles.push(bundle) - 1 };
  }

  readonly readLines = async function* (this: ImportLinks, path: string): AsyncGenerator<PendingEntry> {
    // JSON has no line ends but those that are escaped.
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      const { entry, index, openBundle = -1, bundle } = JSON.parse(line) as SpooledEntry;
      const startedBundle = bundle ?? this.openBundles[openBundle] ?? { entryCount: 0 };
      const bundlePlace = index === undefined ? undefined : { bundle: startedBundle, index };
      yield { ...entry, candidate: { ...entry.candidate, ...(bundlePlace && { bundlePlace }) } };
    }
  }.bind(this);

  /** Returns the reference to the record of the import that a reference means; undefined for any other. */
  private targetOf(reference: string, base: string): string | undefined {
    const link = readLink(reference, base);
    if (!link) return undefined;
    const { id, type, suffix } = link;
    const address = this.addressMeantBy(link, base);
    const key = keyOf(address);
    const targetType = resourceTypes[this.types.get(key) ?? -1];
    if (targetType === undefined || (type !== undefined && type !== targetType)) return undefined;
    const targetId = this.keepsIds ? (this.otherIds.get(key) ?? id) : this.newIdOf(address);
    // A reference with a kept id leads to its record as it is.
    if (targetId === undefined || targetId === id) return undefined;
    return `${targetType}/${targetId}${suffix}`;
  }

  /** Returns the address of a reference. Type and id also name a record whose address is a `urn:`. */
  private addressMeantBy({ address, id, type }: LinkParts, base: string): string {
    if (base !== this.batch || type === undefined || this.types.has(keyOf(address))) return address;
    const urn = `urn:uuid:${id.toLowerCase()}`;
    return this.types.has(keyOf(urn)) ? urn : (this.aliases.get(keyOf(address)) ?? address);
  }

  /** Returns the new id of a record with an address. Undefined if several have it, so that none is meant. */
  private newIdOf(address: string): string | undefined {
    if ((this.types.get(keyOf(address)) ?? -1) < 0) return undefined;
    const digits = hash('sha256', `${this.batch}\n${address}`);
    // The form of a version 4 UUID, because the batch is random.
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
