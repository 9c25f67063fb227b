/**
 * Shows, edits, reviews and saves one record. The app shell mounts it and owns its state.
 * Invariant: the user's text is never lost or reformatted. It is replaced only by a response that the user
 * requested.
 */
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Choice } from '../../../core/json/merge.ts';
import type { Failure } from '../../ui/failure.ts';
import type { EditOrigin } from '../../platform/text-binding.ts';
import type { TextProblem } from '../../platform/read-json.ts';
import type { Version } from '../../platform/record-version.ts';

export type Phase =
  | { readonly name: 'loading' }
  | { readonly name: 'unreadable'; readonly failure: Failure }
  | { readonly name: 'clean' }
  | { readonly name: 'dirty' }
  | { readonly name: 'invalid'; readonly fault: TextProblem }
  | { readonly name: 'reviewing' }
  | { readonly name: 'saving'; readonly sentText: string }
  | { readonly name: 'saved'; readonly version: number | undefined }
  | Conflict
  | { readonly name: 'failed'; readonly failure: Failure }
  | { readonly name: 'unconfirmed'; readonly theirs?: Version };

/** Another client saved a version: their version once it was read, and the choices of the merge. */
export interface Conflict {
  readonly name: 'conflict';
  /** Number of the current version, as the server reported it. */
  readonly current?: number | undefined;
  readonly theirs?: Version;
  /** Choices by merge row. An overlap without a choice is open. */
  readonly choices: ReadonlyMap<number, Choice>;
  /** Merged text as edited in the sheet. */
  readonly editedText?: string | undefined;
}

export type Method = 'put' | 'patch';

/** Reason for a change, and the instant of its entry. */
interface Reason {
  readonly text: string;
  readonly writtenAt: string;
}

/** Origin of a text that was merged into another client's version, until it is saved. */
export interface Rebase {
  readonly method: 'merged' | 'overwriting';
  readonly version?: number | undefined;
  /** Number of paths that they changed. */
  readonly theirs: number;
  /** Version that both sides began with. */
  readonly from?: Version | undefined;
}

/** State of a record tab: the known version of the server, the user's text and the phase. */
export interface RecordState {
  readonly type: ResourceType;
  readonly id: string;
  readonly base?: Version;
  readonly text: string;
  /** Number of the last edit in the editor that the state has received. */
  readonly lastEdit: number;
  readonly phase: Phase;
  /** Preferred method. PUT is used if replace operations can't express the edit. */
  readonly method: Method;
  /** Reason for the change. */
  readonly reason?: Reason;
  readonly rebase?: Rebase;
  /** Version on the server if it differs from the base; 'gone' if the record was deleted. */
  readonly serverVersion?: { readonly version: number | undefined } | 'gone';
}

/** The parts that don't change while typing: the record and its server version. */
export type RecordHead = Pick<RecordState, 'type' | 'id'> & { readonly base?: Version | undefined };

export type ReadOutcome =
  | { readonly type: 'loaded'; readonly version: Version }
  | { readonly type: 'unreadable'; readonly failure: Failure };

export type RecordAction =
  | { readonly type: 'loading' }
  | ReadOutcome
  /** Without an origin, the program changed the text. */
  | { readonly type: 'edited'; readonly text: string; readonly origin?: EditOrigin | undefined }
  /** Typing paused: parse the whole text. */
  | { readonly type: 'weighed' }
  /** The server was asked for its current version. */
  | { readonly type: 'found'; readonly now: Version | undefined }
  | { readonly type: 'restored'; readonly text: string; readonly base: Version }
  | { readonly type: 'review' }
  | { readonly type: 'send'; readonly as: Method }
  | { readonly type: 'reasoned'; readonly reason: Reason }
  | { readonly type: 'keepEditing' }
  | { readonly type: 'sent' }
  | { readonly type: 'saved'; readonly version: Version }
  | { readonly type: 'refused'; readonly failure: Failure }
  | { readonly type: 'unanswered' }
  | { readonly type: 'compared'; readonly theirs: Version }
  | { readonly type: 'chosen'; readonly row: number; readonly choice: Choice }
  /** The merged text was edited in the sheet, or its edits were undone. */
  | { readonly type: 'mergeEdited'; readonly text: string | undefined }
  | {
      readonly type: 'rebased';
      readonly onto: Version;
      readonly text: string;
      readonly rebase: Rebase;
      /** Opens the editor instead of the review. */
      readonly edit?: true;
    };

/** Target of a record's requests: its state, the path of its text model and its dispatch. */
export interface RecordTarget {
  readonly state: RecordState;
  readonly modelPath: string;
  readonly dispatch: (action: RecordAction) => void;
}
