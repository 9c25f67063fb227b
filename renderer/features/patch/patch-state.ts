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
  /** Another version is current. It is being read, or could not be read. */
  | { readonly name: 'conflict'; readonly version: number | undefined; readonly unread: boolean }
  /**
   * The newer version was read and is the base now. `before` is the version of the composed patch, and `moves` are
   * the paths that changed.
   */
  | { readonly name: 'moved'; readonly before: Version; readonly moves: readonly PathMove[] }
  /** The request was sent without a response. `serverVersion` was read since. */
  | {
      readonly name: 'unconfirmed';
      readonly sentResult: JsonNode | undefined;
      readonly serverVersion?: Version;
    };

/** State of the composer: operations as rows or JSON, their base version, and the phase of the request. */
export interface PatchState {
  /** Version for which the patch is composed. */
  readonly base: Version | undefined;
  readonly rows: readonly PatchRow[];
  /** Initial operations of an edit that the record tab keeps. */
  readonly initialRows: readonly PatchRow[] | undefined;
  readonly nextKey: number;
  /** Key of the last edited row. A picked path goes to this row if its path is empty. */
  readonly active: number;
  /** Number of picks. Each pick moves the focus to its row. */
  readonly picks: number;
  /** Set while the array is shown as JSON. */
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
  | { readonly type: 'unanswered'; readonly sentResult: JsonNode | undefined }
  | { readonly type: 'reread'; readonly serverVersion: Version }
  | { readonly type: 'rereadFailed' };

/**
 * Creates the initial state, with the JSON operations of an edit, or with the element at `path` if a patch may
 * replace it.
 */
export function startPatch(base: Version | undefined, path = '', operations?: string): PatchState {
  const parsed = operations === undefined ? undefined : rowsOf(operations, 0);
  const initialRows = parsed && 'rows' in parsed ? parsed.rows : undefined;
  const isReplaceable = base !== undefined && pathsOf(base.root).includes(path);
  const rows = initialRows ?? [{ key: 0, path: isReplaceable ? path : '', value: '' }];
  return { base, rows, initialRows, nextKey: rows.length, active: 0, picks: 0, phase: { name: 'composing' } };
}

/** Returns true if closing the composer would lose entered values. */
export function isComposed({ rows, json, initialRows }: PatchState): boolean {
  return json?.edited === true || (rows !== initialRows && rows.some(({ value }) => value.trim() !== ''));
}

/** Returns the next state of the composer. Only the user changes the operations. */
export function patchReducer(state: PatchState, action: PatchAction): PatchState {
  switch (action.type) {
    case 'changed':
      return applyEdit(state, {
        rows: state.rows.map((row) => (row.key === action.row.key ? action.row : row)),
        active: action.row.key,
      });
    case 'added':
      return applyEdit(state, append(state, ''));
    case 'removed':
      return applyEdit(state, { rows: state.rows.filter(({ key }) => key !== action.key) });
    case 'activated':
      return { ...state, active: action.key };
    case 'picked':
      return applyEdit(state, { ...pick(state, action.path), picks: state.picks + 1 });
    case 'showJson':
      return { ...state, json: { text: bodyOf(state.rows), edited: false } };
    case 'jsonEdited':
      return applyEdit(state, { json: { text: action.text, edited: true } });
    case 'showRows':
      return showRows(state);
    case 'sent':
      return canSend(state.phase) ? { ...state, phase: { name: 'sending' } } : state;
    case 'refused':
      return { ...state, phase: { name: 'refused', failure: action.failure, issues: action.issues } };
    case 'stale':
      return { ...state, phase: { name: 'conflict', version: action.version, unread: false } };
    case 'unanswered':
      return { ...state, phase: { name: 'unconfirmed', sentResult: action.sentResult } };
    case 'reread':
      return reread(state, action.serverVersion);
    case 'rereadFailed':
      return state.phase.name === 'conflict' ? { ...state, phase: { ...state.phase, unread: true } } : state;
  }
}

/** An edit clears a rejection, but keeps an unconfirmed request. */
function applyEdit(state: PatchState, change: Partial<PatchState>): PatchState {
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

/** Puts a picked path into the active row if its path is empty, otherwise into a new row. */
function pick(state: PatchState, path: string): Partial<PatchState> {
  const existing = state.rows.find((row) => row.path.trim() === path);
  if (existing) return { active: existing.key };
  const emptyRow =
    state.rows.find((row) => row.key === state.active && row.path.trim() === '') ??
    state.rows.find((row) => row.path.trim() === '' && row.value.trim() === '');
  if (!emptyRow) return append(state, path);
  return {
    rows: state.rows.map((row) => (row.key === emptyRow.key ? { ...row, path } : row)),
    active: emptyRow.key,
  };
}

function showRows(state: PatchState): PatchState {
  const { json, ...remainingState } = state;
  if (!json?.edited) return remainingState;
  const parsed = rowsOf(json.text, state.nextKey);
  if ('reason' in parsed) return { ...state, json: { ...json, refusal: parsed.reason } };
  if (parsed.rows.length === 0) return { ...remainingState, ...append({ ...remainingState, rows: [] }, '') };
  return { ...remainingState, rows: parsed.rows, nextKey: state.nextKey + parsed.rows.length };
}

function reread(state: PatchState, newVersion: Version): PatchState {
  const { phase, base } = state;
  if (phase.name === 'conflict') {
    return base
      ? rebase(state, base, newVersion)
      : { ...state, base: newVersion, phase: { name: 'composing' } };
  }
  if (phase.name !== 'unconfirmed') return state;
  if (!base || isSameVersion(newVersion, base))
    return { ...state, phase: { ...phase, serverVersion: newVersion } };
  return rebase(state, base, newVersion);
}

/** Each operation stays with its element: its path becomes the path in the newer version. */
function rebase(state: PatchState, before: Version, newVersion: Version): PatchState {
  const { moves, ...operations } = followPaths(state, before.root, newVersion.root);
  return { ...state, ...operations, base: newVersion, phase: { name: 'moved', before, moves } };
}

/** Returns true if the operations can be sent: earlier requests were answered or did not arrive. */
export function canSend(phase: PatchPhase): boolean {
  switch (phase.name) {
    case 'composing':
    case 'refused':
    case 'moved':
      return true;
    case 'unconfirmed':
      return phase.serverVersion !== undefined;
    case 'sending':
    case 'conflict':
      return false;
  }
}
