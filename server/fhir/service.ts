/**
 * The record service: the five operations as functions of a request's parts, and the only place with write rules.
 * Called by the HTTP routes, the importer and the demo loader; knows neither Express nor SQL. Invariant: POST, PUT,
 * PATCH and import all end in the same two store calls, and each version's text is what was sent, stamped.
 */
import { etagOf, parseIfMatch } from '../../core/api/precondition.ts';
import { limits } from '../../core/api/contract.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { applyPatch } from '../../core/fhir/patch.ts';
import { checkRecord, readJson, readRecord, stamp, unchanged } from '../../core/fhir/record.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import { readCriteria, referenceRows, type SearchCriteria } from '../../core/fhir/search.ts';
import { stringMember, type JsonObject } from '../../core/json/node.ts';
import { print } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
import type { NewVersion, RecordStore, SearchPage, StoredVersion, WriteOperation } from '../store/store.ts';

export interface ServiceOptions {
  readonly store: RecordStore;
  /** Now, in milliseconds since the epoch. */
  readonly clock: () => number;
  /** A new record id: a version 4 UUID in lower case. */
  readonly newId: () => string;
}

/** Who writes what, and on which condition. */
export interface WriteRequest {
  readonly type: ResourceType;
  readonly text: string;
  readonly author: string;
}

export interface ChangeRequest extends WriteRequest {
  readonly id: string;
  /** The If-Match header as it was sent. */
  readonly ifMatch?: string | undefined;
}

export interface SearchAnswer {
  readonly criteria: SearchCriteria;
  readonly page: SearchPage;
}

export type ImportResult = 'stored' | 'unchanged';

export type RecordService = ReturnType<typeof createService>;

/** How often a write without If-Match is tried again when another write came between reading and storing. */
const attempts = 5;

export function createService({ store, clock, newId }: ServiceOptions) {
  async function read(type: ResourceType, id: string): Promise<StoredVersion> {
    const found = isFhirId(id) ? await store.read(type, id) : undefined;
    if (found) return found;
    throw new FhirError('not-found', { text: `No ${type} has this id; ids are assigned by POST.` });
  }

  async function insert(record: JsonObject, id: string, operation: WriteOperation, request: WriteRequest) {
    const next = { id, version: 1, lastUpdated: new Date(clock()).toISOString() };
    stamp(record, next);
    const version = newVersion(record, next, operation, request);
    return { version, outcome: await store.insert(version) };
  }

  /** Stores what `change` makes of the current version; an unchanged record keeps its version. */
  async function revise(
    operation: WriteOperation,
    request: ChangeRequest,
    change: (current: JsonObject) => JsonObject,
  ): Promise<StoredVersion> {
    const { type, id, ifMatch } = request;
    for (let attempt = 1; ; attempt += 1) {
      const current = await read(type, id);
      const accepted = parseIfMatch(ifMatch);
      if (accepted !== 'any' && !accepted.includes(current.version)) throw stale(type, current);
      const record = change(parseStored(current));
      if (unchanged(record, parseStored(current), current)) return current;
      const next = {
        id,
        version: current.version + 1,
        lastUpdated: nextInstant(current.lastUpdated, clock()),
      };
      stamp(record, next);
      const version = newVersion(record, next, operation, request);
      if ((await store.replace(version, current.version)) === 'stored') return version;
      if (attempt === attempts)
        throw new FhirError('busy', { text: 'The record is being changed by others; try again.' });
    }
  }

  return {
    read,

    /** @throws FhirError as readCriteria does; `too-costly` where all matches would be too many for one answer. */
    async search(type: ResourceType, query: readonly (readonly [string, string])[]): Promise<SearchAnswer> {
      const criteria = readCriteria(type, query);
      const page = await store.search(criteria, criteria.count ?? limits.matches);
      if (criteria.count === undefined && page.more) {
        throw new FhirError('too-costly', {
          text: `More than ${limits.matches} records match. Send _count to receive them page by page.`,
          location: 'http._count',
        });
      }
      return { criteria, page };
    },

    /** FHIR R4 http.html#create: an id in the body is ignored. */
    async create(request: WriteRequest): Promise<StoredVersion> {
      const record = readRecord(request.text, request.type);
      checkRecord(record, request.type);
      return (await insert(record, newId(), 'create', request)).version;
    },

    /** FHIR R4 http.html#update, of existing records alone. */
    async update(request: ChangeRequest): Promise<StoredVersion> {
      const record = readRecord(request.text, request.type);
      return revise('update', request, () => {
        checkRecord(record, request.type);
        const sentId = stringMember(record, 'id');
        if (sentId === undefined || sentId === request.id) return record;
        throw new FhirError('value', {
          text: 'The id in the body differs from the id in the address.',
          expression: `${request.type}.id`,
        });
      });
    },

    /** RFC 6902, replace alone: all operations or none, then an update. */
    async patch(request: ChangeRequest): Promise<StoredVersion> {
      const operations = readJson(request.text, 'Patch');
      return revise('patch', request, (record) => {
        applyPatch(record, request.type, operations);
        checkResult(record, request.type);
        return record;
      });
    },

    /**
     * Stores a record under the id that it brings (a new one where it brings none). The same content again is
     * `unchanged`.
     *
     * @throws FhirError `exists` where the id is taken by other content: nobody's version is overwritten.
     */
    async importRecord(request: WriteRequest): Promise<ImportResult> {
      const record = readRecord(request.text, request.type);
      checkRecord(record, request.type);
      const id = stringMember(record, 'id') ?? newId();
      if (!isFhirId(id)) {
        throw new FhirError('value', {
          text: 'The id is not a FHIR id: 1 to 64 letters, digits, hyphens and dots.',
          expression: `${request.type}.id`,
        });
      }
      if ((await insert(record, id, 'import', request)).outcome === 'stored') return 'stored';
      const current = await read(request.type, id);
      if (unchanged(record, parseStored(current), current)) return 'unchanged';
      throw new FhirError('exists', {
        text: `Another ${request.type} already has this id, with other content.`,
      });
    },
  };
}

function newVersion(
  record: JsonObject,
  next: Omit<StoredVersion, 'text'>,
  operation: WriteOperation,
  { type, author }: WriteRequest,
): NewVersion {
  return { ...next, type, operation, author, text: print(record), references: referenceRows(record) };
}

/** A patch's result is checked as an update's body is, and refused with 422: the patch itself was sound. */
function checkResult(record: JsonObject, type: ResourceType): void {
  try {
    checkRecord(record, type);
  } catch (error) {
    throw error instanceof FhirError ? error.asUnprocessable() : error;
  }
}

function parseStored({ text }: StoredVersion): JsonObject {
  const { root } = scan(text);
  if (root.kind !== 'object') throw new TypeError('A stored record is no JSON object');
  return root;
}

/** lastUpdated strictly grows for each record, also when the clock steps back. */
function nextInstant(previous: string, now: number): string {
  return new Date(Math.max(now, Date.parse(previous) + 1)).toISOString();
}

function stale(type: ResourceType, current: StoredVersion): FhirError {
  return new FhirError(
    'stale',
    {
      text: `This ${type} was changed meanwhile: version ${current.version} is current. Read it, and send its ETag.`,
      diagnostics: `current version ${current.version}`,
      location: 'http.If-Match',
    },
    { ETag: etagOf(current.version) },
  );
}
