/** What a request of an import must know of the records that other requests bring. */
import { readLink, listReferences } from '../fhir/references-in-text.ts';
import type { ImportEntry } from './entry.ts';
import { noId, readStatedRecord, type StatedRecord } from './record-links.ts';

/**
 * Addresses of all records of an import in several requests. They are collected before the first request, which then names the
 * records that its links lead to, and those that share an address with its own. Texts are not kept.
 */
export class ImportContext {
  private readonly batch: string;
  /** How many records have an address. */
  private readonly counts = new Map<string, number>();
  /** Type and id of the records that their address does not tell. */
  private readonly names = new Map<string, string>();
  /** Addresses of records with a `urn:` by type and id in the batch. */
  private readonly aliases = new Map<string, readonly string[]>();

  /**
   * Creates an empty context.
   *
   * @param batch - Source of the import.
   */
  constructor(batch: string) {
    this.batch = batch;
  }

  /** Registers an entry. All are registered before the first piece is sent. */
  register(entry: ImportEntry): void {
    const record = readStatedRecord(entry, this.batch);
    if (record?.address === undefined) return;
    const { address, alias } = record;
    this.counts.set(address, (this.counts.get(address) ?? 0) + 1);
    const name = nameOf(record);
    if (!address.endsWith(`/${name}`)) this.names.set(address, name);
    const known = alias === undefined ? [] : (this.aliases.get(alias) ?? []);
    // Two addresses are enough to make a reference ambiguous.
    if (alias !== undefined && known.length < 2 && !known.includes(address))
      this.aliases.set(alias, [...known, address]);
  }

  /** Returns Bundle entries without resources that name the records elsewhere which these entries concern. */
  describe(entries: readonly ImportEntry[]): readonly string[] {
    const ownCounts = new Map<string, number>();
    const records = entries.map((entry) => readStatedRecord(entry, this.batch));
    for (const { address = '' } of records.filter((record) => record !== undefined))
      ownCounts.set(address, (ownCounts.get(address) ?? 0) + 1);
    const mentioned = new Set(ownCounts.keys());
    for (const [index, { text = '' }] of entries.entries()) {
      const base = records[index]?.base;
      if (base === undefined) continue;
      for (const reference of listReferences(text)) {
        const { address } = readLink(reference, base) ?? {};
        if (address === undefined) continue;
        for (const target of [address, ...(this.aliases.get(address) ?? [])]) mentioned.add(target);
      }
    }
    return [...mentioned].flatMap((address) => {
      const otherCount = (this.counts.get(address) ?? 0) - (ownCounts.get(address) ?? 0);
      // Two records with an address are enough to make a reference ambiguous.
      return Array.from({ length: Math.min(2, Math.max(0, otherCount)) }, () => this.writeEntry(address));
    });
  }

  private writeEntry(address: string): string {
    const name = this.names.get(address) ?? address.split('/').slice(-2).join('/');
    return `{"fullUrl":${JSON.stringify(address)},"request":{"method":"GET","url":${JSON.stringify(name)}}}`;
  }
}

const nameOf = ({ type, id = noId }: StatedRecord) => `${type}/${id}`;
