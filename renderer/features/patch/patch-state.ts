import { isSameVersion } from '../../../core/api/same-version.ts';
import type { OutcomeIssue } from '../../../core/fhir/outcome.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import type { Version } from '../../platform/record-version.ts';
import type { Failure } from '../../ui/failure.ts';
import { followPaths, type PathMove } from './follow-paths.ts';
import { rowsOf } from './patch-json.ts';
import { pathsOf } from './patch-paths.ts';
import { bodyOf, type PatchRow } from './patch-rows.ts';

type PatchPhase =
  | { readonly name: 'composing' }
  | { readonly name: 'sending' }
  | { readonly name: 'refused'; readonly failure: Failure; readonly issues: readonly OutcomeIssue[] }
  /** The server holds another version; it is being read, or could not be. */
  | { readonly name: 'conflict'; readonly version: number | undefined; readonly unread: boolean }
  /**
   * The newer version was read and is the base now; `before` is the one that was composed for, and `moves` are the paths
   * that name another place there.
   */
  | { readonly name: 'moved'; readonly before: Version; readonly moves: readonly PathMove[] }
  /** Sent, and no answer came; `found` is what was read since. */
  | { readonly name: 'unconfirmed'; readonly sent: JsonNode | undefined; readonly found?: Version };

/** The composer's state: operations as rows or as JSON, the version they are for, and how the sending stands. */
export interface PatchState {
  /** The version that the patch is composed for. */
  readonly base: Version | undefined;
  readonly rows: readonly PatchRow[];
  /** The operations that it opened with, of an edit that the record's tab keeps. */
  readonly begun: readonly PatchRow[] | undefined;
  readonly nextKey: number;
  /** The row that was worked on last; what is picked from the tree goes there where its path is empty. */
  readonly active: number;
  /** Counts the picks, so that each moves the focus to its row. */
  readonly picks: number;
  /** Present while the array is shown as JSON. */
  readonly json?: { readonly text: string; readonly edited: boolean; readonly refusal?: string };
  readonly phase: PatchPhase;
}

export type PatchAction =
  | { readonly type: 'changed'; readonly row: PatchRow }
  | { readonly type: 'added' }
  | { readonly type: 'removed'; readonly key: number }
  | { readonly type: 'activated'; readonly key: number }
  | { readonly type: 'picked'; readonly path: string }
  | { readonly type: 'showJson' }
  | { readonly type: 'jsonEdited'; readonly text: string }
  | { readonly type: 'showRows' }
  | { readonly type: 'sent' }
  | {
      readonly type: 'refused';
      readonly failure: Failure;
      readonly issues: readonly OutcomeIssue[];
    }
  | { readonly type: 'stale'; readonly version: number | undefined }
  | { readonly type: 'unanswered'; readonly sent: JsonNode | undefined }
  | { readonly type: 'reread'; readonly found: Version }
  | { readonly type: 'rereadFailed' };

/**
 * The composer as it opens: with the operations of an edit, a JSON array, or at the element of `path`, where a patch may
 * replace what stands there.
 */
export function startPatch(base: Version | undefined, path = '', operations?: string): PatchState {
  const read = operations === undefined ? undefined : rowsOf(operations, 0);
  const begun = read && 'rows' in read ? read.rows : undefined;
  const known = base !== undefined && pathsOf(base.root).includes(path);
  const rows = begun ?? [{ key: 0, path: known ? path : '', value: '' }];
  return { base, rows, begun, nextKey: rows.length, active: 0, picks: 0, phase: { name: 'composing' } };
}

/** Whether something was written that closing the composer would lose. */
export function isComposed({ rows, json, begun }: PatchState): boolean {
  return json?.edited === true || (rows !== begun && rows.some(({ value }) => value.trim() !== ''));
}

/** The next state of the composer; pure. The operations change by the user's hand alone. */
export function patchReducer(state: PatchState, action: PatchAction): PatchState {
  switch (action.type) {
    case 'changed':
      return edited(state, {
        rows: state.rows.map((row) => (row.key === action.row.key ? action.row : row)),
        active: action.row.key,
      });
    case 'added':
      return edited(state, append(state, ''));
    case 'removed':
      return edited(state, { rows: state.rows.filter(({ key }) => key !== action.key) });
    case 'activated':
      return { ...state, active: action.key };
    case 'picked':
      return edited(state, { ...pick(state, action.path), picks: state.picks + 1 });
    case 'showJson':
      return { ...state, json: { text: bodyOf(state.rows), edited: false } };
    case 'jsonEdited':
      return edited(state, { json: { text: action.text, edited: true } });
    case 'showRows':
      return showRows(state);
    case 'sent':
      return canSend(state.phase) ? { ...state, phase: { name: 'sending' } } : state;
    case 'refused':
      return { ...state, phase: { name: 'refused', failure: action.failure, issues: action.issues } };
    case 'stale':
      return { ...state, phase: { name: 'conflict', version: action.version, unread: false } };
    case 'unanswered':
      return { ...state, phase: { name: 'unconfirmed', sent: action.sent } };
    case 'reread':
      return reread(state, action.found);
    case 'rereadFailed':
      return state.phase.name === 'conflict' ? { ...state, phase: { ...state.phase, unread: true } } : state;
  }
}

/** What the server said of the operations is over as soon as they change; what is not known of a sending stays. */
function edited(state: PatchState, change: Partial<PatchState>): PatchState {
  const phase: PatchPhase = state.phase.name === 'refused' ? { name: 'composing' } : state.phase;
  return { ...state, ...change, phase };
}

function append({ rows, nextKey }: PatchState, path: string): Partial<PatchState> {
  return {
    rows: [...rows, { key: nextKey, path, value: '' }],
    nextKey: nextKey + 1,
    active: nextKey,
  };
}

/** A path from the tree goes to the row in work where it has none yet, else to a row of its own. */
function pick(state: PatchState, path: string): Partial<PatchState> {
  const existing = state.rows.find((row) => row.path.trim() === path);
  if (existing) return { active: existing.key };
  const empty =
    state.rows.find((row) => row.key === state.active && row.path.trim() === '') ??
    state.rows.find((row) => row.path.trim() === '' && row.value.trim() === '');
  if (!empty) return append(state, path);
  return {
    rows: state.rows.map((row) => (row.key === empty.key ? { ...row, path } : row)),
    active: empty.key,
  };
}

function showRows(state: PatchState): PatchState {
  const { json, ...rest } = state;
  if (!json?.edited) return rest;
  const read = rowsOf(json.text, state.nextKey);
  if ('reason' in read) return { ...state, json: { ...json, refusal: read.reason } };
  if (read.rows.length === 0) return { ...rest, ...append({ ...rest, rows: [] }, '') };
  return { ...rest, rows: read.rows, nextKey: state.nextKey + read.rows.length };
}

function reread(state: PatchState, found: Version): PatchState {
  const { phase, base } = state;
  if (phase.name === 'conflict') {
    return base ? movedTo(state, base, found) : { ...state, base: found, phase: { name: 'composing' } };
  }
  if (phase.name !== 'unconfirmed') return state;
  if (!base || isSameVersion(found, base)) return { ...state, phase: { ...phase, found } };
  return movedTo(state, base, found);
}

/** Each operation stays with its element: its path is the one that the newer version has for it. */
function movedTo(state: PatchState, before: Version, found: Version): PatchState {
  const { moves, ...operations } = followPaths(state, before.root, found.root);
  return { ...state, ...operations, base: found, phase: { name: 'moved', before, moves } };
}

/** Whether the operations may be sent now: an earlier sending is answered, or known not to have arrived. */
export function canSend(phase: PatchPhase): boolean {
  switch (phase.name) {
    case 'composing':
    case 'refused':
    case 'moved':
      return true;
    case 'unconfirmed':
      return phase.found !== undefined;
    case 'sending':
    case 'conflict':
      return false;
  }
}
