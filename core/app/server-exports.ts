/** Data of `/app/server-exports`: exports that this server requests from other servers (`$export`), to import their files. */
import * as v from 'valibot';
import { isR4Type } from '../fhir/r4-names.ts';
import { isFhirId } from '../fhir/resource.ts';
import { validationLevels } from '../fhir/validation/levels.ts';
import type { Shape } from '../json/shape.ts';
import { ImportEnd, ImportLine } from './transfer.ts';

/** Lines about refused parts that a server export lists, at most. */
export const maxListedProblems = 100;

const instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/),
);

/** Body of `POST /app/connections/{id}/server-exports`. */
export const NewServerExport = v.strictObject({
  /** Id of the group whose patients are exported. Absent for everything. */
  group: v.exactOptional(v.pipe(v.string(), v.check(isFhirId))),
  /** Only resources that changed since then. */
  since: v.exactOptional(instant),
  /** Types to request. Every type if absent. */
  types: v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.check(isR4Type))), v.minLength(1))),
  keepIds: v.exactOptional(v.boolean()),
  /** Validation of the import. The level of the server if absent. */
  level: v.exactOptional(v.picklist(validationLevels)),
});
export type NewServerExport = Shape<typeof NewServerExport>;

/**
 * `running`, also while the other server prepares files. `waiting`: a pause until `until`. `asking`: its files are on other
 * servers, which the user has to allow. The others have ended; a failed export can be resumed.
 */
export const serverExportStates = ['running', 'waiting', 'asking', 'stopped', 'failed', 'done'] as const;

/** Steps of a server export, in order. */
export const serverExportSteps = ['request', 'prepare', 'download', 'import'] as const;

/** Another server than that of the connection, which has files of an export. */
const FileServer = v.object({
  /** `https://files.example.org` */
  origin: v.string(),
  /** True if the server of the connection says that its files require the connection's token. */
  requiresToken: v.boolean(),
});

export const ServerExport = v.object({
  id: v.string(),
  connection: v.string(),
  /** Host of the connection's server. */
  host: v.string(),
  /** Instant of the request. */
  started: v.string(),
  group: v.exactOptional(v.string()),
  state: v.picklist(serverExportStates),
  step: v.picklist(serverExportSteps),
  /** Progress in the other server's words. */
  progress: v.exactOptional(v.string()),
  /** Instant at which a waiting export continues. */
  until: v.exactOptional(v.string()),
  /** Reason of a wait or failure, or a remark about the end, one sentence. */
  fault: v.exactOptional(v.string()),
  /** Servers that the user has to allow or refuse. */
  servers: v.exactOptional(v.array(FileServer)),
  /** Files of the export: all of them, and those that were read. */
  files: v.exactOptional(v.object({ total: v.number(), read: v.number() })),
  /** Bytes of the files that were read. */
  bytes: v.exactOptional(v.number()),
  /** Results so far, and at the end all of them. */
  result: v.exactOptional(ImportEnd),
  /** Lines about the first refused parts. */
  problems: v.exactOptional(v.array(ImportLine)),
});
export type ServerExport = Shape<typeof ServerExport>;
export type ServerExportState = ServerExport['state'];

/** `GET /app/server-exports`, newest first. */
export const ServerExportList = v.array(ServerExport);

/** Body of `POST /app/server-exports/{id}/servers`: what the user allows for each listed server. */
export const AllowedServers = v.strictObject({
  servers: v.pipe(
    v.array(v.strictObject({ origin: v.string(), sendsToken: v.boolean() })),
    v.minLength(1),
    v.maxLength(100),
  ),
});
export type AllowedServers = Shape<typeof AllowedServers>;

/** True if an export goes on by itself or after an answer of the user. */
export function isUnfinishedExport({ state }: Pick<ServerExport, 'state'>): boolean {
  return state !== 'stopped' && state !== 'done';
}
