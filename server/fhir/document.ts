import { fhirPath, pathOf } from '../../core/api/contract.ts';
import { documentSet, type Bundle, type DocumentEntry, type DocumentSet } from '../../core/fhir/bundle.ts';
import { withoutVersion, type Companion } from '../../core/fhir/companion.ts';
import { limits } from '../../core/fhir/limits.ts';
import type { NamedLiteral } from '../../core/fhir/literals.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { rowsOf } from '../../core/fhir/element-rows.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { isResourceType, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { SharedStore } from '../store/store.ts';
import type { Run } from './jobs.ts';

/** Bytes of the records of one document. */
const mostBytes = 32 * 2 ** 20;

/** Why a record is not in a document. */
const reasons = {
  unknown: 'is not held here.',
  refused: 'may not be read with this token.',
  beyond: 'is left out, as the document would be too large.',
} as const;

export interface DocumentParts {
  readonly store: Pick<SharedStore, 'readBytes' | 'companions'>;
  readonly run: Run;
  readonly clock: () => number;
  readonly newId: () => string;
}

/** What the head of a document is, and who asks for it. */
export interface DocumentRequest {
  readonly type: ResourceType;
  readonly id: string;
  /** The server's address, without a path. */
  readonly base: string;
  /** Asked of the types of companions too. */
  readonly mayRead: (type: string) => boolean;
}

/**
 * Row 93, FHIR R4 composition-operation-document.html: the record, whose text is `bytes`, then what it refers to, records
 * and companions alike, each once and in the order of documents.html: subject and encounter, who wrote, attests and keeps
 * it, then the sections. What is not held here, or not for who asks, is named at the end.
 */
export async function documentOf(
  { type, id, base, mayRead }: DocumentRequest,
  bytes: Buffer,
  { store, run, clock, newId }: DocumentParts,
): Promise<Bundle> {
  const parts: DocumentEntry[] = [{ fullUrl: base + pathOf(type, id), bytes }];
  const known = new Set([`${type}/${id}`]);
  const absent: DocumentSet['absent'][number][] = [];
  let size = bytes.length;
  for (const literal of inOrder(type, await run('literals', [bytes.toString()]))) {
    const why = await take(literal.reference);
    if (why !== undefined) absent.push({ ...literal, why });
  }
  return documentSet({ uuid: newId(), timestamp: new Date(clock()).toISOString(), parts, absent });

  /** Takes the record that is meant, under the address that resolves within the Bundle; says why not. */
  async function take(reference: string): Promise<string | undefined> {
    const { id: named = '', type: ofType, base: at = '' } = parseReference(reference) ?? {};
    const urn = at.startsWith('urn:');
    const types = at === '' || urn || at === base + fhirPath ? typesOf(ofType) : [];
    if (types.some((one) => known.has(`${one}/${named}`))) return undefined;
    for (const one of types) {
      if (!mayRead(one)) return reasons.refused;
      const record = await store.readBytes(one, named);
      if (!record || !('bytes' in record)) continue;
      size += record.bytes.length;
      if (parts.length >= limits.page || size > mostBytes) return reasons.beyond;
      known.add(`${one}/${named}`);
      parts.push({ fullUrl: urn ? reference : base + pathOf(one, named), bytes: record.bytes });
      return undefined;
    }
    return named === '' || isResourceType(ofType ?? '') ? reasons.unknown : takeCompanion(reference, ofType);
  }

  async function takeCompanion(reference: string, ofType: string | undefined): Promise<string | undefined> {
    if (ofType !== undefined && !isR4Type(ofType)) return reasons.unknown;
    if (!mayRead(ofType ?? 'Resource')) return reasons.refused;
    const found = await wholeCompanion(reference);
    if (!found) return reasons.unknown;
    const name = `${found.type}/${found.id}`;
    if (known.has(name)) return undefined;
    const text = Buffer.from(found.text);
    size += text.length;
    if (parts.length >= limits.page || size > mostBytes) return reasons.beyond;
    known.add(name);
    // A relative reference is resolved against the address of the record that it stands in.
    const { base: at } = parseReference(reference) ?? {};
    parts.push({
      fullUrl: at === undefined ? `${base}${fhirPath}/${name}` : withoutVersion(reference),
      bytes: text,
    });
    return undefined;
  }

  /** One whose text is damaged is none. */
  async function wholeCompanion(reference: string): Promise<Companion | undefined> {
    try {
      return await store.companions.resolve(reference, base + fhirPath);
    } catch (error) {
      if (error instanceof FhirError) return undefined;
      throw error;
    }
  }
}

/** References in the order of R4's elements, those of extensions and contained resources last. */
function inOrder(type: ResourceType, literals: readonly NamedLiteral[]): readonly NamedLiteral[] {
  const elements = Object.keys(rowsOf(type) ?? {}).filter((name) => !inherited.has(name));
  const place = ({ path }: NamedLiteral) => {
    const at = elements.indexOf(/^[^.[]+\.([^.[]+)/.exec(path)?.[1] ?? '');
    return at === -1 ? elements.length : at;
  };
  return literals.toSorted((one, other) => place(one) - place(other));
}

/** Elements of every resource, which may hold references too. */
const inherited: ReadonlySet<string> = new Set(['meta', 'contained', 'extension', 'modifierExtension']);

function typesOf(named: string | undefined): readonly ResourceType[] {
  if (named === undefined) return resourceTypes;
  return isResourceType(named) ? [named] : [];
}
