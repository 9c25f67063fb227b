/**
 * The record service: the operations as functions of a request's parts, and the only place with write rules. Called
 * by the HTTP routes, the importer and the demo loader; knows neither Express nor SQL. Invariant: POST, PUT, PATCH and
 * import all end in the same two store calls, and each version's text is what was sent, stamped.
 */
import type { WriteOperation } from '../../core/app/history.ts';
import { carried, dayOf, derive, issueRows } from '../../core/derive/derive.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { applyPatch } from '../../core/fhir/patch.ts';
import { checkType, isSubsetted, readJson, readRecord, stamp, unchanged } from '../../core/fhir/record.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import { refusals, type ValidationLevel } from '../../core/fhir/validation/levels.ts';
import { copy, stringMember, type JsonObject } from '../../core/json/node.ts';
import { print } from '../../core/json/print.ts';
import type {
  Erased,
  HistoryVersion,
  OrDamaged,
  RecordStore,
  StoredBytes,
  StoredVersion,
} from '../store/store.ts';
import { checkConditions } from './conditions.ts';
import {
  absent,
  erasedRecord,
  idTaken,
  manyMatches,
  nothingErased,
  otherId,
  subsetted,
  tooBusy,
  whole,
  withoutId,
} from './faults.ts';
import { judge, judgeBefore, narrativeFindings, newTo, refuse } from './judge.ts';
import type {
  ChangeRequest,
  CreateRequest,
  ImportRequest,
  WriteRequest,
  Written,
} from './service-requests.ts';
import { nextInstant, parseStored, versionOf } from './version.ts';

/** What the service needs of the store. */
export type ServiceStore = Pick<
  RecordStore,
  'read' | 'readBytes' | 'readVersion' | 'issuesOf' | 'nextNumber' | 'insert' | 'insertUnless' | 'replace'
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
  /** Characters of the largest stored text that is parsed here; of any where absent. */
  readonly most?: number;
  /** None where absent. */
  readonly erased?: Pick<Erased, 'has'>;
}

export type ImportResult = 'stored' | 'unchanged';

/** A result that is there at once, or comes from a thread. */
export type Later<Result> = Result | Promise<Result>;

export type RecordService = ReturnType<typeof createService>;

/**
 * How often a write without If-Match is tried again when another write came between reading and storing: of writes
 * that are committed together, one wins and the others start anew.
 */
const attempts = 100;

export function createService(options: ServiceOptions) {
  const { store, clock, newId, level: ownLevel, requireIfMatch } = options;
  const { most = Infinity, erased = nothingErased } = options;

  async function current(type: ResourceType, id: string): Promise<OrDamaged<StoredVersion>> {
    return (isFhirId(id) ? await store.read(type, id) : undefined) ?? missing(type, id);
  }

  function missing(type: ResourceType, id: string): never {
    throw absent({ type, id }, erased);
  }

  /** Judges a new record and makes its first version. */
  function firstVersion(
    record: JsonObject,
    id: string,
    operation: WriteOperation,
    request: WriteRequest,
    level: ValidationLevel,
    number = 1,
  ) {
    const now = clock();
    checkType(record, request.type);
    const next = { id, version: number, lastUpdated: new Date(now).toISOString() };
    // First the stamp: what it overwrites is not judged.
    stamp(record, next);
    const { findings, ...derived } = derive(request.type, record, { today: dayOf(now) });
    refuse(findings, [], level);
    return { version: versionOf(record, next, derived, operation, request), findings };
  }

  /** Stores what `change` makes of the current record, or of the fault in its place; an unchanged one keeps its version. */
  async function revise(
    operation: WriteOperation,
    request: ChangeRequest,
    change: (content: JsonObject | FhirError) => JsonObject,
    level = ownLevel,
  ): Promise<Written> {
    const { type, id } = request;
    const isWhole = operation !== 'patch';
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const standing = await current(type, id);
      checkConditions(type, request, standing, requireIfMatch);
      const content = 'fault' in standing ? standing.fault : parseStored(standing, most);
      const before = content instanceof FhirError ? undefined : content;
      const record = change(content);
      checkType(record, type);
      if (isSubsetted(record)) throw subsetted(type);
      const now = clock();
      const same = before !== undefined && unchanged(record, before, standing);
      const { findings, ...derived } = derive(type, record, { today: dayOf(now) });
      const issues = await store.issuesOf(type, id);
      // Only a record that would be refused is worth a look at the errors it had before.
      if (refusals(findings, level).length > 0) {
        refuse(
          before ? findings : newTo(issues, findings),
          before ? judgeBefore(before, type, now) : [],
          level,
        );
      }
      if (same && 'text' in standing) {
        const rows = { ...derived, issues: [...derived.issues, ...carried(issues)] };
        await store.derived.mend(type, id, standing.version, rows);
        return { version: standing, stored: false, findings, ...(isWhole && { sent: print(record) }) };
      }
      if (before) findings.push(...narrativeFindings(before, record, type, issues));
      const number = await store.nextNumber(standing.version);
      const next = { id, version: number, lastUpdated: nextInstant(standing.lastUpdated, now) };
      const rows = { ...derived, issues: issueRows(findings) };
      const version = versionOf(record, next, rows, operation, request);
      if ((await store.replace(version, standing.version)) === 'stored')
        return { version, stored: true, findings, ...(isWhole && { sent: version.text }) };
    }
    throw tooBusy();
  }

  return {
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
      return stringMember(readJson(text, 'Record'), 'resourceType');
    },

    /** What is wrong with a record that is not stored; refuses none for its content. */
    validate(type: ResourceType, text: string): Later<Finding[]> {
      const record = readRecord(text, type);
      checkType(record, type);
      return judge(record, type, clock());
    },

    /** FHIR R4 http.html#create: an id in the body is ignored; with `unless`, http.html#ccreate. */
    async create(request: CreateRequest): Promise<Written> {
      const record = readRecord(request.text, request.type);
      const { version, findings } = firstVersion(record, newId(), 'create', request, ownLevel);
      const matches = request.unless ? await store.insertUnless(version, request.unless) : undefined;
      if (!matches) await store.insert(version);
      if (!matches || matches.total === 0) return { version, stored: true, findings, sent: version.text };
      const [match] = matches.records;
      if (matches.total > 1 || !match) throw manyMatches(matches.total);
      const { bytes, ...facts } = whole<StoredBytes>(match);
      return { version: { ...facts, text: bytes.toString() }, stored: false, findings };
    },

    /** FHIR R4 http.html#update, of existing records alone. */
    async update(request: ChangeRequest): Promise<Written> {
      const { type, id } = request;
      const record = readRecord(request.text, type);
      return revise('update', request, () => {
        const sent = stringMember(record, 'id');
        if (sent === undefined && ownLevel === 'strict') throw withoutId(type);
        if (sent !== undefined && sent !== id) throw otherId(type);
        return record;
      });
    },

    /** Puts a text that was stored before in the place of a damaged one; what is wrong with it refuses it not. */
    async mend(request: ChangeRequest): Promise<Written> {
      const record = readRecord(request.text, request.type);
      return revise('update', request, () => record, 'off');
    },

    /** RFC 6902, replace alone: all operations or none, then an update whose faults of content are 422. */
    async patch(request: ChangeRequest): Promise<Written> {
      const operations = readJson(request.text, 'Patch');
      try {
        return await revise('patch', request, (content) => {
          if (content instanceof FhirError) throw content;
          const record = copy(content);
          applyPatch(record, request.type, operations);
          return record;
        });
      } catch (error) {
        throw error instanceof FhirError && error.kind === 'content' ? error.asUnprocessable() : error;
      }
    },

    /**
     * Stores a record of an import, under its own id where asked. The same content again is `unchanged`.
     *
     * @throws FhirError `exists` where the id is taken by other content: nobody's version is overwritten; `gone` where
     *   it was erased.
     */
    async importRecord(request: ImportRequest): Promise<ImportResult> {
      const { type, text, keepIds, dryRun = false, level = ownLevel } = request;
      const record = readRecord(text, type);
      const id = (keepIds ? stringMember(record, 'id') : undefined) ?? newId();
      if (!isFhirId(id)) {
        throw new FhirError('value', {
          text: 'The id is not a FHIR id: 1 to 64 letters, digits, hyphens and dots.',
          expression: `${type}.id`,
        });
      }
      if (erased.has({ type, id })) throw erasedRecord(type);
      // An id that is brought may have been there before.
      const number = keepIds ? await store.nextNumber(0) : 1;
      const { version } = firstVersion(record, id, 'import', request, level, number);
      const taken = dryRun ? await store.read(type, id) : undefined;
      if (dryRun ? !taken : (await store.insert(version)) === 'stored') return 'stored';
      const standing = whole<StoredVersion>(taken ?? (await current(type, id)));
      if (unchanged(record, parseStored(standing, most), standing)) return 'unchanged';
      throw idTaken(type);
    },
  };
}
