import { isUnstored, newLabel } from '../../../core/fhir/new-record.ts';
import { isSameVersion } from '../../../core/api/same-version.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { equal } from '../../../core/json/equal.ts';
import type { Choice } from '../../../core/json/merge.ts';
import type { Failure } from '../../ui/failure.ts';
import type { Version } from '../../platform/record-version.ts';
import type { Phase, RecordAction, RecordHead, RecordState } from './record-model.ts';
import { inspect } from '../../platform/read-json.ts';

export type * from './record-model.ts';

/** The state of a tab whose record is about to be read. */
export function openRecord(type: ResourceType, id: string): RecordState {
  return { type, id, text: '', phase: { name: 'loading' }, method: 'put' };
}

/** The next state of a record tab; pure. An action that does not fit the phase leaves the state as it is. */
export function recordReducer(state: RecordState, action: RecordAction): RecordState {
  switch (action.type) {
    case 'loading':
      return state.phase.name === 'loading' ? state : { ...state, phase: { name: 'loading' } };
    case 'loaded':
      return settled(state, action.version, { name: 'clean' });
    case 'unreadable':
      return { ...unfound(state), phase: { name: 'unreadable', failure: action.failure } };
    case 'edited':
      return edited(state, action.text);
    case 'weighed':
      return isEdited(state.phase) ? weighed(state) : state;
    case 'found':
      return found(state, action.now);
    case 'restored':
      return restored(state, action.text, action.base);
    case 'review':
      return reviewed(state);
    case 'send':
      return { ...state, method: action.as };
    case 'reasoned':
      return { ...state, reason: action.reason };
    case 'keepEditing':
      return state.phase.name === 'saving' ? state : { ...state, phase: phaseOf(state.base, state.text) };
    case 'sent':
      return canSend(state) ? { ...state, phase: { name: 'saving', sent: state.text } } : state;
    case 'saved':
      return saved(state, action.version);
    case 'refused':
      return refused(state, action.failure);
    case 'unanswered':
      return { ...state, phase: { name: 'unconfirmed' } };
    case 'compared':
      return compared(state, action.theirs);
    case 'chosen':
      return chosen(state, action.row, action.choice);
    case 'mergeEdited':
      return mergeEdited(state, action.text);
    case 'rebased':
      return rebased(state, action);
  }
}

/** The state after the server's own text took the place of the user's. */
function settled({ type, id: held, method }: RecordState, base: Version, phase: Phase): RecordState {
  // A record that is stored for the first time gets its id then.
  const id = isUnstored(held) && base.summary.id !== '' ? base.summary.id : held;
  return { type, id, method, base, text: base.text, phase };
}

function saved(state: RecordState, version: Version): RecordState {
  // What was typed while the answer was on its way is the user's still.
  if (state.phase.name === 'saving' && state.phase.sent !== state.text)
    return restored(state, state.text, version);
  return settled(state, version, { name: 'saved', version: version.version });
}

function refused(state: RecordState, failure: Failure): RecordState {
  if (failure.status !== 412) return { ...state, phase: { name: 'failed', failure } };
  return { ...state, phase: { name: 'conflict', current: failure.currentVersion, choices: new Map() } };
}

function restored(state: RecordState, text: string, base: Version): RecordState {
  return { ...settled(state, base, phaseOf(base, text)), text };
}

function unfound({ found: _, ...state }: RecordState): RecordState {
  return state;
}

function found(before: RecordState, now: Version | undefined): RecordState {
  const state = unfound(before);
  if (!state.base || (now && isSameVersion(now, state.base))) return state;
  return { ...state, found: now ? { version: now.version } : 'gone' };
}

function edited(state: RecordState, text: string): RecordState {
  if (text === state.text) return state;
  if (state.phase.name === 'saving') return { ...state, text };
  // A large text takes longer to read than a key may: the first key is taken for a change, and the text is weighed
  // when the keys rest. Broken text is read at each key, so that nothing is refused for what was mended.
  const read = !state.base || text === state.base.text || state.phase.name === 'invalid';
  return { ...state, text, phase: read ? phaseOf(state.base, text) : dirty };
}

const dirty: Phase = { name: 'dirty' };
const isEdited = ({ name }: Phase): boolean => name === 'dirty' || name === 'invalid';

/** Under review where the text as it stands now can be sent. */
function reviewed(state: RecordState): RecordState {
  if (!isEdited(state.phase)) return state;
  const phase = phaseOf(state.base, state.text);
  return { ...state, phase: phase.name === 'dirty' ? { name: 'reviewing' } : phase };
}

function weighed(state: RecordState): RecordState {
  const phase = phaseOf(state.base, state.text);
  return phase === state.phase ? state : { ...state, phase };
}

/** Clean, dirty or invalid: judged by value, so that white space and the order of keys change nothing. */
function phaseOf(base: Version | undefined, text: string): Phase {
  if (!base || text === base.text) return { name: 'clean' };
  const read = inspect(text);
  if (!read.valid) return { name: 'invalid', fault: read.fault };
  return equal(base.root, read.root) ? { name: 'clean' } : dirty;
}

/** Whether the text may be sent as it is: reviewed, and what an earlier sending did is known. */
export function canSend({ phase, base }: RecordState): boolean {
  if (phase.name === 'unconfirmed')
    return phase.theirs !== undefined && base !== undefined && isSameVersion(phase.theirs, base);
  return phase.name === 'reviewing' || phase.name === 'failed';
}

function compared(state: RecordState, theirs: Version): RecordState {
  const { phase } = state;
  if (phase.name === 'conflict') return { ...state, phase: { ...phase, theirs } };
  if (phase.name !== 'unconfirmed') return state;
  // The version that was sent upon is still the newest: the change did not arrive. Else somebody saved, or it was us.
  const { base } = state;
  if (base && isSameVersion(theirs, base)) return { ...state, phase: { ...phase, theirs } };
  return { ...state, phase: { name: 'conflict', theirs, choices: new Map() } };
}

function chosen(state: RecordState, row: number, choice: Choice): RecordState {
  const { phase } = state;
  if (phase.name !== 'conflict') return state;
  return { ...state, phase: { ...phase, choices: new Map(phase.choices).set(row, choice) } };
}

function mergeEdited(state: RecordState, text: string | undefined): RecordState {
  const { phase } = state;
  if (phase.name !== 'conflict' || phase.edited === text) return state;
  return { ...state, phase: { ...phase, edited: text } };
}

function rebased(
  state: RecordState,
  { onto, text, rebase, edit }: Extract<RecordAction, { type: 'rebased' }>,
): RecordState {
  const phase = phaseOf(onto, text);
  const next = { ...unfound(state), base: onto, text, rebase: { ...rebase, from: state.base } };
  return { ...next, phase: phase.name === 'dirty' && !edit ? { name: 'reviewing' } : phase };
}

/** Whether closing the tab would lose something that the user wrote. */
export function isUnsaved({ base, text, phase }: RecordState): boolean {
  if (!base || phase.name === 'clean' || phase.name === 'saved') return false;
  return isEdited(phase) || isUnderReview(phase) || text !== base.text;
}

/** What is written and not saved, and the version that it stands on: theirs where their merge was edited. */
export function writtenOf({ base, text, phase }: RecordState): { base?: Version | undefined; text: string } {
  if (phase.name === 'conflict' && phase.theirs && phase.edited !== undefined) {
    return { base: phase.theirs, text: phase.edited };
  }
  return { base, text };
}

/** Whether the review sheet is open. */
export function isUnderReview({ name }: Phase): boolean {
  return ['reviewing', 'saving', 'conflict', 'failed', 'unconfirmed'].includes(name);
}

/** What the tab is called: the record's title, else its id. */
export function titleOf({ type, base, id }: RecordHead): string {
  if (isUnstored(id)) return newLabel(type);
  const title = base?.summary.title ?? '';
  return title === '' ? id : title;
}
