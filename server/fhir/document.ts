import { pathOf } from '../../core/api/contract.ts';
import { documentHead, documentSet, type Bundle } from '../../core/fhir/bundle.ts';
import type { NamedLiteral } from '../../core/fhir/literals.ts';
import { rowsOf } from '../../core/fhir/element-rows.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { SharedStore } from '../store/store.ts';
import { DocumentBuilder, type DocumentRequest } from './document-builder.ts';
import type { Run } from './drafts.ts';
import { addImportedEntries } from './imported-document.ts';

export type { DocumentRequest } from './document-builder.ts';

export interface DocumentParts {
  readonly store: Pick<SharedStore, 'readBytes' | 'readVersion' | 'supportingResources' | 'documents'>;
  readonly run: Run;
  readonly clock: () => number;
  readonly newId: () => string;
}

/**
 * Returns the document of a record (row 93, FHIR R4 composition-operation-document.html).
 *
 * A document that an import brought goes out as it came: its entries in their order, with identifier and timestamp while
 * nothing in it changed. Of any other record: the record with the text `bytes`, then each referenced record and supporting
 * resource once, in the order of documents.html: subject and encounter, author, attester and custodian, then the sections.
 * Resources that are missing or not permitted are listed at the end.
 */
export async function documentOf(
  request: DocumentRequest,
  bytes: Buffer,
  { store, run, clock, newId }: DocumentParts,
): Promise<Bundle> {
  const { type, id, base } = request;
  const builder = new DocumentBuilder(request, store);
  const document = await store.documents.read({ type, id });
  const state = document && (await addImportedEntries(builder, { request, document, bytes, store }));
  if (!document) builder.add(`${type}/${id}`, { fullUrl: base + pathOf(type, id), bytes });
  if (state === undefined || state === 'edited') {
    for (const literal of inOrder(type, await run('literals', [bytes.toString()]))) {
      const reason = await builder.take(literal.reference);
      if (reason) builder.note(literal.path, literal.reference, reason);
    }
  }
  const { entries: parts, missing } = builder;
  const isSame = document && state === 'same';
  const newDocument = { uuid: newId(), timestamp: new Date(clock()).toISOString(), former: document?.head };
  const head = isSame ? document.head : documentHead(newDocument);
  return documentSet({ head, parts, missing });
}

/** References in the order of R4's elements. References in extensions and contained resources come last. */
function inOrder(type: ResourceType, literals: readonly NamedLiteral[]): readonly NamedLiteral[] {
  const elements = Object.keys(rowsOf(type) ?? {}).filter((name) => !inherited.has(name));
  const getOrder = ({ path }: NamedLiteral) => {
    const elementIndex = elements.indexOf(/^[^.[]+\.([^.[]+)/.exec(path)?.[1] ?? '');
    return elementIndex === -1 ? elements.length : elementIndex;
  };
  return literals.toSorted((a, b) => getOrder(a) - getOrder(b));
}

/** Elements of every resource, which may hold references too. */
const inherited: ReadonlySet<string> = new Set(['meta', 'contained', 'extension', 'modifierExtension']);
