import type { Client, RecordVersion } from '../../../core/api/client.ts';
import { ApiFailure } from '../../../core/api/failure.ts';
import { versionIdOf } from '../../../core/api/precondition.ts';
import type { BulkOperation, BulkTarget } from '../../../core/app/bulk.ts';
import type { ExamineOptions } from '../../../core/app/bulk-replace.ts';
import { saysTheSame } from '../../../core/fhir/record.ts';
import { scan } from '../../../core/json/scan.ts';
import type { Target } from './bulk-state.ts';
import { pauseOf } from './pause.ts';

/** What is done with one record, and what became of it. Rejects where the server is away: that is no record's outcome. */
export type Work = (target: Target, options: WorkOptions) => Promise<Target>;

export interface WorkOptions {
  readonly client: Pick<Client, 'read' | 'readVersion' | 'patch' | 'update' | 'history'>;
  readonly operations: readonly BulkOperation[];
  readonly judge: ExamineOptions;
  /** Of an undo here: has the server put back the version before by itself. */
  readonly putBack?: (() => Promise<RecordVersion>) | undefined;
  /** The host that the steward confirmed the run to. */
  readonly confirmed?: string | undefined;
  /** Why, as the header of each write says it. */
  readonly provenance?: string | undefined;
}

/** What a run does with its records. */
export interface RunWork {
  /** Writes a record that is ready. */
  readonly send: Work;
  /** Finds out, without a write, what became of a record that was ready as the run was interrupted. */
  readonly settle: Work;
}

/** A token, a server behind the gateway that is away, or a confirmation is missing for the next record too. */
const halting = new Set([401, 428, 502, 504]);

/** @throws what was thrown where the server did not answer, asks for a token, or asks to wait: no outcome of a record. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiFailure) || halting.has(error.status) || pauseOf(error) !== undefined)
    throw error;
  const sentences = (error.outcome?.issue ?? []).map(({ details }) => details?.text ?? '').filter(Boolean);
  return sentences.length > 0 ? sentences.join(' ') : error.message;
}

export type Held = Pick<BulkTarget, 'version' | 'etag'>;

/** Which version an answer, or a record of a run, is of. */
export function heldOf({ version, etag }: Held | RecordVersion): Held {
  return { ...(version !== undefined && { version }), ...(etag !== undefined && { etag }) };
}

/** What a version is asked for by; undefined where the server did not say. */
export function nameOf({ version, etag }: Held): number | string | undefined {
  return (etag === undefined ? undefined : versionIdOf(etag)) ?? version;
}

/** Whether two texts of a record say the same, whatever versions they are. */
export function isSameContent(one: string, other: string): boolean {
  const [first, second] = [scan(one).root, scan(other).root];
  return first.kind === 'object' && second.kind === 'object' && saysTheSame(first, second);
}
