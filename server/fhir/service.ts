/**
 * The record service: the operations as functions of a request's parts, and the only place with write rules. Called
 * by the HTTP routes, the importer and the demo loader; knows neither Express nor SQL. Invariant: POST, PUT, PATCH and
 * import all end in the same two store calls, and each version's text is what was sent, stamped.
 */
import { authorshipIn } from '../../core/app/authorship.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import type { Bundle } from '../../core/fhir/bundle.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import type { Projection } from '../../core/fhir/search-criteria.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import type {
  Erased,
  HistoryVersion,
  NewVersion,
  OrDamaged,
  RecordStore,
  Revision,
  StoredBytes,
  StoredVersion,
} from '../store/store.ts';
import type { ValidateParameters } from './validate-parameters.ts';
import { createCompanions } from './companions.ts';
import { checkConditions } from './conditions.ts';
import { absent, erasedRecord, idTaken, manyMatches, nothingErased, tooBusy, whole } from './faults.ts';
import { documentOf, type DocumentRequest } from './document.ts';
import type { ChangeOrder } from './drafts.ts';
import { doHere, type Later, type Run } from './jobs.ts';
import type {
  ChangeRequest,
  CreateRequest,
  Imported,
  ImportRequest,
  PutBackRequest,
  Written,
} from './service-requests.ts';

/** What the service needs of the store. */
type ServiceStore = Pick<
  RecordStore,
  | 'companions'
  | 'read'
  | 'readBytes'
  | 'readVersion'
  | 'revision'
  | 'firstNumber'
  | 'insert'
  | 'insertUnless'
  | 'replace'
> & { readonly derived: Pick<RecordStore['derived'], 'mend'> };

export interface ServiceOptions {
  readonly store: ServiceStore;
  /** Now, in milliseconds since the epoch. */
  readonly clock: () => number;
  /** A new record id: a version 4 UUID in lower case. */
  readonly newId: () => string;
  readonly level: ValidationLevel;
  /** Whether an update or patch without If-Match is refused. */
  readonly requireIfMatch: boolean;
  /** Does what is done with texts alone; here where absent. */
  readonly run?: Run;
  /** Takes each version once it is stored. */
  readonly onStored?: ((version: NewVersion) => void) | undefined;
  /** None where absent. */
  readonly erased?: Pick<Erased, 'has'>;
}

/** What of a text is answered, and whether for reading. */
export interface Shape {
  readonly projection?: Projection;
  readonly pretty: boolean;
}

export type RecordService = ReturnType<typeof createService>;

/** How a change is made of what was sent. */
interface Change extends Pick<ChangeOrder, 'operation' | 'anyId'>, Partial<Pick<ChangeOrder, 'level'>> {
  readonly operation: Exclude<WriteOperation, 'create' | 'import'>;
}

/**
 * How often a write without If-Match is tried again when another write came between reading and storing: of writes
 * that are committed together, one wins and the others start anew.
 */
const attempts = 100;

export function createService(options: ServiceOptions) {
  const { store, clock, newId, level: ownLevel, requireIfMatch } = options;
  const { run = doHere, erased = nothingErased, onStored = () => undefined } = options;
  /** Writes under way: of several, the texts are worked on beside. */
  let writing = 0;

  async function write<Result>(work: () => Promise<Result>): Promise<Result> {
    writing += 1;
    try {
      return await work();
    } finally {
      writing -= 1;
    }
  }

  async function current(type: ResourceType, id: string): Promise<OrDamaged<StoredVersion>> {
    return (isFhirId(id) ? await store.read(type, id) : undefined) ?? missing(type, id);
  }

  function missing(type: ResourceType, id: string): never {
    throw absent({ type, id }, erased);
  }

  /** What a change meets, where its conditions let it through. */
  async function revisionFor(operation: WriteOperation, request: ChangeRequest): Promise<Revision> {
    const { type, id } = request;
    try {
      const revision = (isFhirId(id) ? await store.revision(type, id) : undefined) ?? missing(type, id);
      checkConditions(type, request, revision.standing, requireIfMatch);
      if (operation === 'patch') whole<StoredVersion>(revision.standing);
      return revision;
    } catch (fault) {
      // That a text cannot be read is told before anything else.
      await run('checkReadable', [operation, request]);
      throw fault;
    }
  }

  /** Stores what a request makes of the current record; an unchanged one keeps its version. */
  async function revise(
    request: ChangeRequest,
    { operation, anyId = false, level = ownLevel }: Change,
  ): Promise<Written> {
    const { type, id, text, requestId } = request;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const { standing, issues, next: number } = await revisionFor(operation, request);
      const { version: expected, lastUpdated } = standing;
      const order: ChangeOrder = {
        ...{ operation, id, level, anyId, request: { type, text, requestId, ...authorshipIn(request) } },
        standing: { id, version: expected, lastUpdated, ...('text' in standing && { text: standing.text }) },
        ...{ issues, number, now: clock() },
      };
      const draft = await run('change', [order], writing > 1);
      if ('rows' in draft) {
        const { rows, ...said } = draft;
        await store.derived.mend(type, id, expected, rows, order.now);
        return { version: whole<StoredVersion>(standing), stored: false, ...said };
      }
      const { version, findings } = draft;
      if ((await store.replace(version, expected)) === 'stored') {
        onStored(version);
        return { version, stored: true, findings, ...(operation !== 'patch' && { sent: version.text }) };
      }
    }
    throw tooBusy();
  }

  return {
    ...createCompanions({ store, run, erased }),

    /** The current version, or what is left of it. */
    current,

    async read(type: ResourceType, id: string): Promise<StoredVersion> {
      return whole(await current(type, id));
    },

    /** The current version with its JSON in UTF-8, as an answer sends it. */
    async readBytes(type: ResourceType, id: string): Promise<StoredBytes> {
      return whole<StoredBytes>(
        (isFhirId(id) ? await store.readBytes(type, id) : undefined) ?? missing(type, id),
      );
    },

    /** A version's text as it was asked for, row 83; its digits are untouched. */
    async shaped(bytes: Buffer, { projection, pretty }: Shape): Promise<Buffer> {
      if (!projection && !pretty) return bytes;
      const text = bytes.toString();
      const part = projection ? await run('project', [text, projection]) : text;
      return Buffer.from(pretty ? await run('format', [part, '']) : part);
    },

    /** The document whose head a record is. */
    async document(request: DocumentRequest): Promise<Bundle> {
      const { bytes } = await this.readBytes(request.type, request.id);
      return documentOf(request, bytes, { store, run, clock, newId });
    },

    /** One version: FHIR R4 http.html#vread. */
    async readVersion(type: ResourceType, id: string, version: string): Promise<HistoryVersion> {
      const standing = await current(type, id);
      const number = /^[1-9][0-9]{0,14}$/.test(version) ? Number(version) : 0;
      const found = await store.readVersion(type, id, number);
      if (found) return whole(found);
      throw new FhirError('not-found', {
        text: `This ${type} has no such version; version ${standing.version} is current.`,
      });
    },

    /** The resourceType of a record, whatever it is; undefined where it has none. */
    typeOf(text: string): Later<string | undefined> {
      return run('typeOf', [text]);
    },

    /** What is wrong with a record that is not stored; refuses none for its content. */
    validate(type: ResourceType, text: string): Later<Finding[]> {
      return run('validate', [type, text, clock()]);
    },

    /** What is asked of `$validate` by a body that is Parameters; undefined where it is another resource. */
    validateParameters(text: string): Later<ValidateParameters | undefined> {
      return run('validateParameters', [text]);
    },

    /** Canonicals of the profiles that a record claims (FHIR R4 resource-definitions.html#Meta.profile). */
    claimedProfiles(text: string): Later<readonly string[]> {
      return run('claimedProfiles', [text]);
    },

    /** FHIR R4 http.html#create: an id in the body is ignored; with `unless`, http.html#ccreate. */
    create: ({ unless, ...request }: CreateRequest): Promise<Written> =>
      write(async () => {
        const order = { operation: 'create', request, now: clock(), level: ownLevel } as const;
        const { version, findings } = await run('first', [{ ...order, id: newId(), number: 1 }], writing > 1);
        const matches = unless ? await store.insertUnless(version, unless) : undefined;
        if (!matches) await store.insert(version);
        if (!matches || matches.total === 0) {
          onStored(version);
          return { version, stored: true, findings, sent: version.text };
        }
        const [match] = matches.records;
        if (matches.total > 1 || !match) throw manyMatches(matches.total);
        const { bytes, ...facts } = whole<StoredBytes>(match);
        return { version: { ...facts, text: bytes.toString() }, stored: false, findings };
      }),

    /** FHIR R4 http.html#update, of existing records alone. */
    update: (request: ChangeRequest): Promise<Written> =>
      write(() => revise(request, { operation: 'update' })),

    /** Puts a text that was stored before in the place of a damaged one; what is wrong with it refuses it not. */
    mend: (request: ChangeRequest): Promise<Written> =>
      write(() => revise(request, { operation: 'update', anyId: true, level: 'off' })),

    /**
     * Puts the version that another replaced in its place again, as a version of its own. The errors that the other
     * mended come back with it: it was stored here once (row 13a is about what a client writes anew).
     *
     * @throws FhirError as {@link readVersion}, and `stale` where If-Match does not name the one that stands.
     */
    async putBack({ version, ...request }: PutBackRequest): Promise<Written> {
      const { text } = await this.readVersion(request.type, request.id, String(version));
      return write(() => revise({ ...request, text }, { operation: 'update', level: 'off' }));
    },

    /** RFC 6902, replace alone: all operations or none, then an update whose faults of content are 422. */
    patch: (request: ChangeRequest): Promise<Written> =>
      write(async () => {
        try {
          return await revise(request, { operation: 'patch' });
        } catch (error) {
          throw error instanceof FhirError && error.kind === 'content' ? error.asUnprocessable() : error;
        }
      }),

    /**
     * Stores a record of an import, under its own id where asked. The same content again is `unchanged`.
     *
     * @throws FhirError `exists` where the id is taken by other content: nobody's version is overwritten; `gone` where
     *   it was erased.
     */
    async importRecord(asked: ImportRequest): Promise<Imported> {
      const { keepIds, dryRun = false, level = ownLevel, ...request } = asked;
      const { type, text } = request;
      // An id that is brought may have been there before.
      const number = keepIds ? await store.firstNumber() : 1;
      const order = { operation: 'import', request, now: clock(), level } as const;
      const { version, findings } = await run('first', [{ ...order, id: newId(), keepIds, number }]);
      const { id, lastUpdated } = version;
      if (erased.has({ type, id })) throw erasedRecord(type);
      const taken = dryRun ? await store.read(type, id) : undefined;
      const dryFate = taken ? 'exists' : 'stored';
      const fate = dryRun ? dryFate : await store.insert(version);
      if (fate === 'erased') throw erasedRecord(type);
      if (fate === 'stored') {
        if (!dryRun) onStored(version);
        return { result: 'stored', id, lastUpdated, findings: findings.length };
      }
      const standing = whole<StoredVersion>(taken ?? (await current(type, id)));
      if (await run('isSame', [type, text, standing])) return { result: 'unchanged', id };
      throw idTaken(type);
    },
  };
}
