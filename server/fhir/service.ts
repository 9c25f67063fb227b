/**
 * The record service: each operation as a function of its request, and the only module with write rules.
 * Called by the HTTP routes, the importer and the demo loader; independent of HTTP and SQL. Invariant:
 * POST, PUT, PATCH and import end in the same two store calls, and the text of a version is the sent text
 * with server metadata.
 */
import { isUnmodifiedSince, namesVersion, parseHttpDate, parseIfMatch } from '../../core/api/precondition.ts';
import { authorshipIn } from '../../core/app/authorship.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import type { Bundle } from '../../core/fhir/bundle.ts';
import { createOrigin } from '../../core/fhir/origin.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import type { Projection } from '../../core/fhir/search-criteria.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import type {
  ErasedRecords,
  HistoryVersion,
  NewVersion,
  OrDamaged,
  RecordStore,
  Revision,
  StoredBytes,
  StoredVersion,
} from '../store/store.ts';
import type { ValidateParameters } from './validate-parameters.ts';
import { createSupportingResources } from './supporting-resources.ts';
import {
  createMissingError,
  erasedRecord,
  createIdInUseError,
  manyMatches,
  noSuchVersion,
  noErasures,
  tooBusy,
  requireIntact,
  stale,
  withoutIfMatch,
} from './service-errors.ts';
import { documentOf, type DocumentRequest } from './document.ts';
import { createImportedDocuments } from './imported-documents.ts';
import { RunningBatches, startBatchLog, type BatchLog, type BatchRequest } from './batch-log.ts';
import { doHere, type ChangeOrder, type MaybePromise, type Run } from './drafts.ts';
import type {
  ChangeRequest,
  Conditions,
  CreateRequest,
  RecordImport,
  ImportRequest,
  RevertRequest,
  WrittenRecord,
} from './service-requests.ts';

type ServiceStore = Pick<
  RecordStore,
  | 'supportingResources'
  | 'documents'
  | 'batches'
  | 'read'
  | 'readBytes'
  | 'readVersion'
  | 'readForUpdate'
  | 'readFirstVersion'
  | 'readRemoved'
  | 'insert'
  | 'insertUnlessMatched'
  | 'replace'
> & { readonly derived: Pick<RecordStore['derived'], 'correctRows'> };

export interface ServiceOptions {
  readonly store: ServiceStore;
  /** Now, in milliseconds since the epoch. */
  readonly clock: () => number;
  /** A new record id: a version 4 UUID in lower case. */
  readonly newId: () => string;
  readonly level: ValidationLevel;
  /** True to reject an update or patch without If-Match. */
  readonly requireIfMatch: boolean;
  /** Runs jobs that need only texts; in this thread if absent. */
  readonly run?: Run;
  /** Receives each version after it was stored. */
  readonly onStored?: ((version: NewVersion) => void) | undefined;
  /** No record was erased if absent. */
  readonly erasures?: Pick<ErasedRecords, 'has'>;
}

/** Requested parts of a text, and whether it is indented. */
export interface Shape {
  readonly projection?: Projection;
  readonly pretty: boolean;
}

export type RecordService = ReturnType<typeof createService>;

interface Change extends Pick<ChangeOrder, 'operation' | 'anyId'>, Partial<Pick<ChangeOrder, 'level'>> {
  readonly operation: Exclude<WriteOperation, 'create' | 'import'>;
}

/**
 * Maximum number of retries of a write without If-Match after a concurrent write. Of writes that are
 * committed together, one wins and the others restart.
 */
const attempts = 100;

export function createService(options: ServiceOptions) {
  const { store, clock, newId, level: ownLevel, requireIfMatch } = options;
  const { run = doHere, erasures = noErasures, onStored = () => undefined } = options;
  const runningBatches = new RunningBatches();
  /** Writes in progress. With several, a worker processes the texts. */
  let pendingWrites = 0;

  async function write<Result>(work: () => Promise<Result>): Promise<Result> {
    pendingWrites += 1;
    try {
      return await work();
    } finally {
      pendingWrites -= 1;
    }
  }

  async function current(type: ResourceType, id: string): Promise<OrDamaged<StoredVersion>> {
    return (isFhirId(id) ? await store.read(type, id) : undefined) ?? (await missing(type, id));
  }

  async function missing(type: ResourceType, id: string): Promise<never> {
    throw await createMissingError({ type, id }, erasures, store);
  }

  /** Reads the revision that a change starts from, and checks its conditions. */
  async function revisionFor(operation: WriteOperation, request: ChangeRequest): Promise<Revision> {
    const { type, id } = request;
    try {
      const revision =
        (isFhirId(id) ? await store.readForUpdate(type, id) : undefined) ?? (await missing(type, id));
      checkConditions(type, request, revision.currentVersion, requireIfMatch);
      if (operation === 'patch') requireIntact<StoredVersion>(revision.currentVersion);
      return revision;
    } catch (error) {
      // An unreadable text is reported before anything else.
      await run('checkReadable', [operation, request]);
      throw error;
    }
  }

  /** Stores the result of a request on the current record. An unchanged record keeps its version. */
  async function revise(
    request: ChangeRequest,
    { operation, anyId = false, level = ownLevel }: Change,
  ): Promise<WrittenRecord> {
    const { type, id, text, requestId } = request;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const { currentVersion, issues, nextVersion } = await revisionFor(operation, request);
      const { version: expected, lastUpdated } = currentVersion;
      const options: ChangeOrder = {
        operation,
        id,
        level,
        anyId,
        request: { type, text, requestId, ...authorshipIn(request) },
        currentVersion: {
          id,
          version: expected,
          lastUpdated,
          ...('text' in currentVersion && { text: currentVersion.text }),
        },
        issues,
        number: nextVersion,
        now: clock(),
      };
      const draft = await run('change', [options], pendingWrites > 1);
      if ('rows' in draft) {
        const { rows, ...responseParts } = draft;
        await store.derived.correctRows(type, id, expected, rows, options.now);
        return {
          version: requireIntact<StoredVersion>(currentVersion),
          isNewVersion: false,
          ...responseParts,
        };
      }
      const { version, findings } = draft;
      if ((await store.replace(version, expected)) === 'stored') {
        onStored(version);
        return {
          version,
          isNewVersion: true,
          findings,
          ...(operation !== 'patch' && { clientText: version.text }),
        };
      }
    }
    throw tooBusy();
  }

  return {
    ...createSupportingResources({ store, run, erasures }),
    ...createImportedDocuments(store),

    /** Returns the current version, or throws the reason why there is none. */
    current,

    async read(type: ResourceType, id: string): Promise<StoredVersion> {
      return requireIntact(await current(type, id));
    },

    /** Returns the current version with its JSON in UTF-8, as it is sent. */
    async readBytes(type: ResourceType, id: string): Promise<StoredBytes> {
      return requireIntact<StoredBytes>(
        (isFhirId(id) ? await store.readBytes(type, id) : undefined) ?? (await missing(type, id)),
      );
    },

    /** Returns a version's text in the requested shape (row 83). Its digits are unchanged. */
    async shaped(bytes: Buffer, { projection, pretty }: Shape): Promise<Buffer> {
      if (!projection && !pretty) return bytes;
      const text = bytes.toString();
      const part = projection ? await run('project', [text, projection]) : text;
      return Buffer.from(pretty ? await run('format', [part, '']) : part);
    },

    async document(request: DocumentRequest): Promise<Bundle> {
      const { bytes } = await this.readBytes(request.type, request.id);
      return documentOf(request, bytes, { store, run, clock, newId });
    },

    /** One version: FHIR R4 http.html#vread. */
    async readVersion(type: ResourceType, id: string, version: string): Promise<HistoryVersion> {
      const currentVersion = await current(type, id);
      const number = /^[1-9][0-9]{0,14}$/.test(version) ? Number(version) : 0;
      const storedVersion = await store.readVersion(type, id, number);
      if (storedVersion) return requireIntact(storedVersion);
      throw noSuchVersion(type, currentVersion.version);
    },

    /** Returns the resourceType of any record; undefined if it has none. */
    typeOf(text: string): MaybePromise<string | undefined> {
      return run('typeOf', [text]);
    },

    /** Returns the findings of a record that is not stored. Rejects none for its content. */
    validate(type: ResourceType, text: string): MaybePromise<Finding[]> {
      return run('validate', [type, text, clock()]);
    },

    /** Returns the `$validate` parameters of a body; undefined if it is not Parameters. */
    validateParameters(text: string): MaybePromise<ValidateParameters | undefined> {
      return run('validateParameters', [text]);
    },

    /** Canonicals of the profiles that a record claims (FHIR R4 resource-definitions.html#Meta.profile). */
    claimedProfiles(text: string): MaybePromise<readonly string[]> {
      return run('claimedProfiles', [text]);
    },

    /** FHIR R4 http.html#create: an id in the body is ignored. With `unless`: http.html#ccreate. */
    create: ({ unless, ...request }: CreateRequest): Promise<WrittenRecord> =>
      write(async () => {
        const options = { operation: 'create', request, now: clock(), level: ownLevel } as const;
        const { version, findings } = await run(
          'first',
          [{ ...options, id: newId(), number: 1 }],
          pendingWrites > 1,
        );
        const matches = unless ? await store.insertUnlessMatched(version, unless) : undefined;
        if (!matches) await store.insert(version);
        if (!matches || matches.total === 0) {
          onStored(version);
          return { version, isNewVersion: true, findings, clientText: version.text };
        }
        const [match] = matches.records;
        if (matches.total > 1 || !match) throw manyMatches(matches.total);
        const { bytes, ...facts } = requireIntact<StoredBytes>(match);
        return { version: { ...facts, text: bytes.toString() }, isNewVersion: false, findings };
      }),

    /** FHIR R4 http.html#update, only for existing records. */
    update: (request: ChangeRequest): Promise<WrittenRecord> =>
      write(() => revise(request, { operation: 'update' })),

    /** Replaces a damaged text by an intact earlier one. Findings do not reject it. */
    mend: (request: ChangeRequest): Promise<WrittenRecord> =>
      write(() => revise(request, { operation: 'update', anyId: true, level: 'off' })),

    /**
     * Stores an earlier version again as a new one. Errors of that version are allowed again, because it was stored
     * here before (row 13a concerns new texts of clients).
     *
     * @throws FhirError as {@link readVersion}; `stale` if If-Match does not name the current version.
     */
    async revert({ version, ...request }: RevertRequest): Promise<WrittenRecord> {
      const { text } = await this.readVersion(request.type, request.id, String(version));
      return write(() => revise({ ...request, text }, { operation: 'update', level: 'off' }));
    },

    /** RFC 6902, only `replace`: all operations or none, then an update whose content errors are 422. */
    patch: (request: ChangeRequest): Promise<WrittenRecord> =>
      write(async () => {
        try {
          return await revise(request, { operation: 'patch' });
        } catch (error) {
          throw error instanceof FhirError && error.kind === 'content' ? error.asUnprocessable() : error;
        }
      }),

    runningBatches,

    /** Starts an import batch, or continues the one with this id. A dry run is no batch. */
    startBatch: ({ batch: id = newId(), ...batchRequest }: BatchRequest): Promise<BatchLog> =>
      startBatchLog(store, { ...batchRequest, id, clock, runningBatches }),

    /**
     * Stores an imported record, with its own id if requested. The same content again is `unchanged`.
     *
     * @throws FhirError `exists` if the id has other content, which is never overwritten; `gone` if it was
     *   erased.
     */
    async importRecord(importRequest: ImportRequest): Promise<RecordImport> {
      const { keepIds, id: givenId = newId(), batch, fullUrl, batchLine, ...recordRequest } = importRequest;
      const { dryRun = false, level = ownLevel, ...request } = recordRequest;
      const { type, text } = request;
      const options = { operation: 'import', request, now: clock(), level } as const;
      const createFirst = (number: number) => run('first', [{ ...options, id: givenId, keepIds, number }]);
      const origin = batch === undefined ? undefined : createOrigin(batch, fullUrl);
      const insert = (next: NewVersion) => store.insert({ ...next, origin, batchLine });
      // An id that is brought may have been there before.
      let { version, findings } = await createFirst(keepIds ? await store.readFirstVersion() : 1);
      const { id } = version;
      if (erasures.has({ type, id })) throw erasedRecord(type);
      const existingRecord = dryRun ? await store.read(type, id) : undefined;
      const dryFate = existingRecord ? 'exists' : 'stored';
      let fate = dryRun ? dryFate : await insert(version);
      if (fate === 'removed') {
        const { version: lastVersion } = (await store.readRemoved(type, id)) ?? version;
        ({ version, findings } = await createFirst(lastVersion + 1));
        fate = await insert(version);
      }
      const { lastUpdated } = version;
      if (fate === 'erased') throw erasedRecord(type);
      if (fate === 'stored') {
        if (!dryRun) onStored(version);
        const { version: firstNumber } = version;
        return {
          result: 'stored',
          id,
          version: firstNumber,
          lastUpdated,
          findings: findings.length,
          content: version,
        };
      }
      const currentVersion = requireIntact<StoredVersion>(existingRecord ?? (await current(type, id)));
      if (await run('isSame', [type, text, currentVersion]))
        return { result: 'unchanged', id, content: currentVersion };
      // Another request of the import brought a record with this address.
      if (!keepIds) return this.importRecord({ ...importRequest, id: newId() });
      throw createIdInUseError(type);
    },
  };
}

/**
 * Checks the conditions of a write (rows 30 to 32, RFC 9110 section 13.2.2). A sent condition is never
 * ignored: otherwise an update could overwrite a version that its sender wanted to keep.
 *
 * @throws FhirError `stale` if a condition is not met; `value` if If-Match is malformed; `required` if a
 *   condition is missing.
 */
function checkConditions(
  type: ResourceType,
  { ifMatch, ifNoneMatch, ifUnmodifiedSince }: Conditions,
  { version, lastUpdated }: Pick<StoredVersion, 'version' | 'lastUpdated'>,
  requireIfMatch: boolean,
): void {
  if (requireIfMatch && ifMatch === undefined) throw withoutIfMatch();
  const accepted = parseIfMatch(ifMatch);
  if (accepted !== 'any' && !accepted.includes(version)) throw stale(type, version);
  const date = ifMatch === undefined ? parseHttpDate(ifUnmodifiedSince ?? '') : undefined;
  if (date !== undefined && !isUnmodifiedSince(lastUpdated, date)) {
    throw stale(type, version, 'If-Unmodified-Since');
  }
  if (ifNoneMatch !== undefined && namesVersion(ifNoneMatch, version)) {
    throw stale(type, version, 'If-None-Match');
  }
}
