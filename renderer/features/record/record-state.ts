import { isNewRecord } from '../../../core/fhir/new-record.ts';
import { isSameVersion } from '../../../core/api/same-version.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { equal } from '../../../core/json/node.ts';
import type { Choice } from '../../../core/json/merge.ts';
import type { Failure } from '../../ui/failure.ts';
import type { Version } from '../../platform/record-version.ts';
import type { Phase, RecordAction, RecordHead, RecordState } from './record-model.ts';
import { inspect } from '../../platform/read-json.ts';
import type { EditOrigin } from '../../platform/text-binding.ts';
import { types } from '../../ui/text/types.ts';

export type * from './record-model.ts';

/** Returns the state of a tab before its record is read. */
export function openRecord(type: ResourceType, id: string): RecordState {
  return { type, id, text: '', lastEdit: 0, phase: { name: 'loading' }, method: 'put' };
}

/**
 * Returns the next state of a record tab. Pure. An action that does not fit the phase returns the same state.
 */
export function recordReducer(state: RecordState, action: RecordAction): RecordState {
  switch (action.type) {
    case 'loading':
      return state.phase.name === 'loading' ? state : { ...state, phase: { name: 'loading' } };
    case 'loaded':
      return applyVersion(state, action.version, { name: 'clean' });
    case 'unreadable':
      return { ...clearServerVersion(state), phase: { name: 'unreadable', failure: action.failure } };
    case 'edited':
      return applyEdit(state, action.text, action.origin);
    case 'weighed':
      return isEdited(state.phase) ? updatePhase(state) : state;
    case 'found':
      return applyServerVersion(state, action.now);
    case 'restored':
      return restoreText(state, action.text, action.base);
    case 'review':
      return startReview(state);
    case 'send':
      return { ...state, method: action.as };
    case 'reasoned':
      return { ...state, reason: action.reason };
    case 'keepEditing':
      return state.phase.name === 'saving'
        ? state
        : { ...state, phase: computePhase(state.base, state.text) };
    case 'sent':
      return canSend(state) ? { ...state, phase: { name: 'saving', sentText: state.text } } : state;
    case 'saved':
      return applySaved(state, action.version);
    case 'refused':
      return applyRejection(state, action.failure);
    case 'unanswered':
      return { ...state, phase: { name: 'unconfirmed' } };
    case 'compared':
      return applyComparison(state, action.theirs);
    case 'chosen':
      return applyChoice(state, action.row, action.choice);
    case 'mergeEdited':
      return applyMergeEdit(state, action.text);
    case 'rebased':
      return applyRebase(state, action);
  }
}

/** Returns the state after the server's text replaced the user's. */
function applyVersion(
  { type, id: currentId, method, lastEdit }: RecordState,
  base: Version,
  phase: Phase,
): RecordState {
  // A new record gets its id when it is stored.
  const id = isNewRecord(currentId) && base.summary.id !== '' ? base.summary.id : currentId;
  return { type, id, method, lastEdit, base, text: base.text, phase };
}

function applySaved(state: RecordState, version: Version): RecordState {
  // Text typed during the save stays unsaved.
  if (state.phase.name === 'saving' && state.phase.sentText !== state.text)
    return restoreText(state, state.text, version);
  return applyVersion(state, version, { name: 'saved', version: version.version });
}

function applyRejection(state: RecordState, failure: Failure): RecordState {
  if (failure.status !== 412) return { ...state, phase: { name: 'failed', failure } };
  return { ...state, phase: { name: 'conflict', current: failure.currentVersion, choices: new Map() } };
}

function restoreText(state: RecordState, text: string, base: Version): RecordState {
  return { ...applyVersion(state, base, computePhase(base, text)), text };
}

function clearServerVersion({ serverVersion: _, ...state }: RecordState): RecordState {
  return state;
}

function applyServerVersion(previousState: RecordState, version: Version | undefined): RecordState {
  const state = clearServerVersion(previousState);
  if (!state.base || (version && isSameVersion(version, state.base))) return state;
  return { ...state, serverVersion: version ? { version: version.version } : 'gone' };
}

function applyEdit(previousState: RecordState, text: string, origin?: EditOrigin): RecordState {
  const state = origin ? { ...previousState, lastEdit: origin.number } : previousState;
  // A key in a text that was replaced before the editor showed the new one would put the old text back.
  const isOutdated = origin !== undefined && origin.before !== state.text;
  if (text === state.text || isOutdated) return state;
  if (state.phase.name === 'saving') return { ...state, text };
  // Parsing a large text takes longer than a key may: the first key marks it dirty, and it is parsed when
  // typing pauses. Invalid text is parsed at each key, so that the error disappears at once.
  const isParsed = !state.base || text === state.base.text || state.phase.name === 'invalid';
  return { ...state, text, phase: isParsed ? computePhase(state.base, text) : dirty };
}

const dirty: Phase = { name: 'dirty' };
const isEdited = ({ name }: Phase): boolean => name === 'dirty' || name === 'invalid';

/** Starts the review if the text can be sent. */
function startReview(state: RecordState): RecordState {
  if (!isEdited(state.phase)) return state;
  const phase = computePhase(state.base, state.text);
  return { ...state, phase: phase.name === 'dirty' ? { name: 'reviewing' } : phase };
}

function updatePhase(state: RecordState): RecordState {
  const phase = computePhase(state.base, state.text);
  return phase === state.phase ? state : { ...state, phase };
}

/**
 * Returns clean, dirty or invalid. Texts are compared by value: white space and the order of keys are
 * ignored.
 */
function computePhase(base: Version | undefined, text: string): Phase {
  if (!base || text === base.text) return { name: 'clean' };
  const inspected = inspect(text);
  if (!inspected.valid) return { name: 'invalid', fault: inspected.fault };
  return equal(base.root, inspected.root) ? { name: 'clean' } : dirty;
}

/** Returns true if the text is reviewed and no earlier request is unconfirmed. */
export function canSend({ phase, base }: RecordState): boolean {
  if (phase.name === 'unconfirmed')
    return phase.theirs !== undefined && base !== undefined && isSameVersion(phase.theirs, base);
  return phase.name === 'reviewing' || phase.name === 'failed';
}

function applyComparison(state: RecordState, theirs: Version): RecordState {
  const { phase } = state;
  if (phase.name === 'conflict') return { ...state, phase: { ...phase, theirs } };
  if (phase.name !== 'unconfirmed') return state;
  // The base is still current: the change did not arrive. Otherwise another client saved, or our save
  // arrived.
  const { base } = state;
  if (base && isSameVersion(theirs, base)) return { ...state, phase: { ...phase, theirs } };
  return { ...state, phase: { name: 'conflict', theirs, choices: new Map() } };
}

function applyChoice(state: RecordState, row: number, choice: Choice): RecordState {
  const { phase } = state;
  if (phase.name !== 'conflict') return state;
  return { ...state, phase: { ...phase, choices: new Map(phase.choices).set(row, choice) } };
}

function applyMergeEdit(state: RecordState, text: string | undefined): RecordState {
  const { phase } = state;
  if (phase.name !== 'conflict' || phase.editedText === text) return state;
  return { ...state, phase: { ...phase, editedText: text } };
}

function applyRebase(
  state: RecordState,
  { onto, text, rebase, edit }: Extract<RecordAction, { type: 'rebased' }>,
): RecordState {
  const phase = computePhase(onto, text);
  const next = { ...clearServerVersion(state), base: onto, text, rebase: { ...rebase, from: state.base } };
  return { ...next, phase: phase.name === 'dirty' && !edit ? { name: 'reviewing' } : phase };
}

/** Returns true if closing the tab would lose the user's text. */
export function isUnsaved({ base, text, phase }: RecordState): boolean {
  if (!base || phase.name === 'clean' || phase.name === 'saved') return false;
  return isEdited(phase) || isUnderReview(phase) || text !== base.text;
}

/** Returns the unsaved text and its base. An edited merge is based on their version. */
export function getUnsavedText({ base, text, phase }: RecordState): {
  base?: Version | undefined;
  text: string;
} {
  if (phase.name === 'conflict' && phase.theirs && phase.editedText !== undefined) {
    return { base: phase.theirs, text: phase.editedText };
  }
  return { base, text };
}

/** Returns true if the review sheet is open. */
export function isUnderReview({ name }: Phase): boolean {
  return ['reviewing', 'saving', 'conflict', 'failed', 'unconfirmed'].includes(name);
}

/** Returns the title of the tab: the record's title, otherwise its id. */
export function titleOf({ type, base, id }: RecordHead): string {
  if (isNewRecord(id)) return types.newRecord(type);
  const title = base?.summary.title ?? '';
  return title === '' ? id : title;
}
