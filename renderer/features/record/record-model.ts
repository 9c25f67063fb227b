/**
 * features/record shows, edits, reviews and saves one record. The app shell mounts it and holds its state.
 * Invariant: the user's text is never lost or renumbered; it is replaced only by an answer that the user asked for.
 */
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Choice } from '../../../core/json/merge.ts';
import type { Failure } from '../../ui/failure.ts';
import type { TextFault } from '../../platform/read-json.ts';
import type { Version } from '../../platform/record-version.ts';

export type Phase =
  | { readonly name: 'loading' }
  | { readonly name: 'unreadable'; readonly failure: Failure }
  | { readonly name: 'clean' }
  | { readonly name: 'dirty' }
  | { readonly name: 'invalid'; readonly fault: TextFault }
  | { readonly name: 'reviewing' }
  | { readonly name: 'saving'; readonly sent: string }
  | { readonly name: 'saved'; readonly version: number | undefined }
  | Conflict
  | { readonly name: 'failed'; readonly failure: Failure }
  | { readonly name: 'unconfirmed'; readonly theirs?: Version };

/** Another client saved a version: theirs once it was read, and what was chosen where the two differ. */
export interface Conflict {
  readonly name: 'conflict';
  /** Version that the server said it holds. */
  readonly current?: number | undefined;
  readonly theirs?: Version;
  /** By row of the merge; an overlap that is not here is open. */
  readonly choices: ReadonlyMap<number, Choice>;
  /** The merged text as it was edited in the sheet. */
  readonly edited?: string | undefined;
}

export type Method = 'put' | 'patch';

/** Why a record is changed, and when that was written: an instant. */
interface Reason {
  readonly text: string;
  readonly at: string;
}

/** How the text came onto a version that another client saved, until it is saved itself. */
export interface Rebase {
  readonly how: 'merged' | 'overwriting';
  readonly version?: number | undefined;
  /** How many paths they changed. */
  readonly theirs: number;
  /** What both sides began with. */
  readonly from?: Version | undefined;
}

/** The state of one record tab: what the server holds as far as is known, what the user has made of it, and where they stand. */
export interface RecordState {
  readonly type: ResourceType;
  readonly id: string;
  readonly base?: Version;
  readonly text: string;
  readonly phase: Phase;
  /** How the steward wants it sent; where replace operations cannot say the edit, it is PUT all the same. */
  readonly method: Method;
  /** Why it is changed. */
  readonly reason?: Reason;
  readonly rebase?: Rebase;
  /** What the server holds behind the text: another version than it was made on, or none. */
  readonly found?: { readonly version: number | undefined } | 'gone';
}

/** What does not change with a key: which record, and what the server holds of it. */
export type RecordHead = Pick<RecordState, 'type' | 'id'> & { readonly base?: Version | undefined };

/** What a reading comes to. */
export type ReadOutcome =
  | { readonly type: 'loaded'; readonly version: Version }
  | { readonly type: 'unreadable'; readonly failure: Failure };

export type RecordAction =
  | { readonly type: 'loading' }
  | ReadOutcome
  | { readonly type: 'edited'; readonly text: string }
  /** The keys rest: time to read the whole text. */
  | { readonly type: 'weighed' }
  /** The server was asked behind the text. */
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
      /** To the editor instead of to the review. */
      readonly edit?: true;
    };

/** What a tab is to the requests made for it: its state, where its text lives, and where answers go. */
export interface RecordTarget {
  readonly state: RecordState;
  readonly modelPath: string;
  readonly dispatch: (action: RecordAction) => void;
}
