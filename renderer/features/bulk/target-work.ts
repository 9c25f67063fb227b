import type { Client, RecordVersion } from '../../../core/api/client.ts';
import { ApiFailure, UnexpectedFormatError } from '../../../core/api/failure.ts';
import { versionIdOf } from '../../../core/api/precondition.ts';
import type { BulkOperation, BulkTarget } from '../../../core/app/bulk.ts';
import type { HistoryEntry } from '../../../core/app/history.ts';
import type { ExamineOptions } from '../../../core/app/bulk-replace.ts';
import { hasSameContent } from '../../../core/fhir/record.ts';
import { scan } from '../../../core/json/scan.ts';
import type { Target } from './bulk-state.ts';
import { pauseOf } from './pause.ts';

/**
 * Processes one record and returns its result.
 *
 * @throws ApiFailure if the server is unreachable; that is no result of the record.
 */
export type TargetWork = (target: Target, options: WorkOptions) => Promise<Target>;

export interface WorkOptions {
  readonly client: Pick<Client, 'read' | 'readVersion' | 'patch' | 'update' | 'history'>;
  readonly operations: readonly BulkOperation[];
  readonly examineOptions: ExamineOptions;
  /** Asks the server to revert a record. Set for an undo on the own server. */
  readonly revert?: (() => Promise<RecordVersion>) | undefined;
  /** Host that the user confirmed for the run. */
  readonly confirmed?: string | undefined;
  /** Provenance header with the reason, sent with each write. */
  readonly provenance?: string | undefined;
}

export interface RunWork {
  /** Writes a record that is ready. */
  readonly writeTarget: TargetWork;
  /** Finds out without a write if an interrupted record was written. */
  readonly resolveInterrupted: TargetWork;
}

/** Responses that stop the run, because the next record would fail too. */
const halting = new Set([401, 428, 502, 504]);

/**
 * Returns the message of a rejected request.
 *
 * @throws the error itself if the server did not answer, requires a token or asks to wait.
 */
export function formatMessage(error: unknown): string {
  if (!(error instanceof ApiFailure) || halting.has(error.status) || pauseOf(error) !== undefined)
    throw error;
  const sentences = (error.outcome?.issue ?? []).map(({ details }) => details?.text ?? '').filter(Boolean);
  return sentences.length > 0 ? sentences.join(' ') : error.message;
}

export type TargetVersion = Pick<BulkTarget, 'version' | 'etag'>;

/** Returns the version and ETag of a response or of a target. */
export function pickVersion({ version, etag }: TargetVersion | RecordVersion): TargetVersion {
  return { ...(version !== undefined && { version }), ...(etag !== undefined && { etag }) };
}

/** Returns the ID that requests the version; undefined if the server sent none. */
export function getVersionId({ version, etag }: TargetVersion): number | string | undefined {
  return (etag === undefined ? undefined : versionIdOf(etag)) ?? version;
}

/** Returns the two latest entries of a history; empty if the server has no history. */
export async function lastVersions(
  { type, id }: BulkTarget,
  { client }: Pick<WorkOptions, 'client'>,
): Promise<readonly HistoryEntry[]> {
  try {
    return (await client.history(type, id, { count: 2 })).versions;
  } catch (error) {
    // An invalid history must not stop a run: only the author stays unknown.
    if (!(error instanceof UnexpectedFormatError)) formatMessage(error);
    return [];
  }
}

/** Returns true if two texts of a record have the same content, ignoring versions. */
export function isSameContent(leftText: string, rightText: string): boolean {
  const [leftRoot, rightRoot] = [scan(leftText).root, scan(rightText).root];
  return leftRoot.kind === 'object' && rightRoot.kind === 'object' && hasSameContent(leftRoot, rightRoot);
}
