import type { ImportLine } from '../app/transfer.ts';
import { isUrn, sourceOfResource } from '../fhir/origin.ts';
import { idTaken } from '../fhir/record-messages.ts';
import { isResourceType } from '../fhir/resource.ts';
import { parseReference } from '../fhir/reference.ts';
import type { JsonNode } from '../json/node.ts';
import type { NamedResource } from '../fhir/supporting-resource.ts';
import { objectIn } from '../json/scan.ts';
import { sumOfText } from '../text/text-sum.ts';
import { relocateLine, type ImportEntry } from './entry.ts';
import { readStatedRecord } from './record-links.ts';

/**
 * What the entries of a dry run would have stored, so that its results are those of the import. It holds sums and no texts.
 */
export class DryRunMemory {
  private readonly batch: string;
  private readonly keepsIds: boolean;
  /** Sums of texts by type and id of a record, or by the identity of a supporting resource. */
  private readonly sums = new Map<string, string>();
  /** Type, id and sum of the resource of each `urn:`. */
  private readonly ofUrns = new Map<string, string>();

  constructor(batch: string, keepsIds: boolean) {
    this.batch = batch;
    this.keepsIds = keepsIds;
  }

  /**
   * Returns the result of an entry in the import. Call it for the entries in their order.
   *
   * @param line - Result of the entry if nothing else of the import was stored.
   */
  adjust(entry: ImportEntry, line: ImportLine): ImportLine {
    if (entry.text === undefined) return line;
    switch (line.result) {
      case 'stored':
      case 'unchanged':
      case 'kept':
      case 'replaced': {
        const { type = '', id = '' } = parseReference(line.record ?? '') ?? {};
        return line.result === 'stored' || isResourceType(type)
          ? this.adjustRecord(entry, entry.text, line)
          : this.adjustResource({ type, id }, entry, line);
      }
      case 'refused':
      case 'skipped':
        return line;
    }
  }

  private adjustRecord(entry: ImportEntry, text: string, line: ImportLine): ImportLine {
    const { type, id } = readStatedRecord(entry, this.batch) ?? {};
    if (!this.keepsIds || type === undefined || id === undefined) return line;
    const name = `${type}/${id}`;
    const sum = sumOfText(writeSorted(objectIn(text), true));
    const formerSum = this.sums.get(name);
    if (formerSum === undefined) {
      this.sums.set(name, sum);
      return line;
    }
    if (formerSum === sum) return relocateLine({ result: 'unchanged', record: name }, entry.path);
    const { text: reason, ...code } = idTaken({ type });
    return relocateLine({ result: 'refused', reason, ...code }, entry.path);
  }

  private adjustResource(
    { type, id }: NamedResource,
    { text = '', fullUrl }: ImportEntry,
    line: ImportLine,
  ): ImportLine {
    const sum = sumOfText(text);
    const stated = sourceOfResource({ type, id }, fullUrl) ?? this.batch;
    const content = `${type}/${id} ${sum}`;
    const isOther = isUrn(stated) && (this.ofUrns.get(stated) ?? content) !== content;
    if (isUrn(stated) && !isOther) this.ofUrns.set(stated, content);
    const identity = `${isOther ? this.batch : stated} ${type}/${id}`;
    const formerSum = this.sums.get(identity);
    this.sums.set(identity, sum);
    if (formerSum === undefined) return line;
    return { ...line, result: formerSum === sum ? 'unchanged' : 'replaced' };
  }
}

/** Metadata that the server writes. */
const serverMembers: ReadonlySet<string> = new Set(['versionId', 'lastUpdated']);

/** Returns a text that is equal for equal values in any order of members, without the metadata that the server writes. */
function writeSorted(node: JsonNode | undefined, isResource = false, isMeta = false): string {
  if (node?.kind === 'array') return `[${node.items.map((item) => writeSorted(item)).join(',')}]`;
  if (node?.kind === 'string') return JSON.stringify(node.value);
  if (node?.kind === 'number') return node.source;
  if (node?.kind !== 'object') return node?.kind === 'boolean' ? String(node.value) : 'null';
  const members = node.members
    .filter(({ key }) => !(isMeta && serverMembers.has(key)))
    .map(
      ({ key, value }) => `${JSON.stringify(key)}:${writeSorted(value, false, isResource && key === 'meta')}`,
    )
    .filter((member) => !isResource || member !== '"meta":{}')
    .sort();
  return `{${members.join(',')}}`;
}
