import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { RecordSummary } from '../../../core/fhir/summary.ts';
import { equal } from '../../../core/json/equal.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import type { Failure } from '../../ui/failure.ts';
import { inspect, type TextFault } from './record-text.ts';

/** A version as the server gave it: formatted text, its value, and the number that If-Match names. */
export interface Version {
  readonly text: string;
  readonly root: JsonNode;
  readonly version: number | undefined;
  readonly summary: RecordSummary;
}

export type Phase =
  | { readonly name: 'loading' }
  | { readonly name: 'unreadable'; readonly failure: Failure }
  | { readonly name: 'clean' }
  | { readonly name: 'dirty' }
  | { readonly name: 'invalid'; readonly fault: TextFault }
  | { readonly name: 'reviewing' }
  | { readonly name: 'saving' }
  | { readonly name: 'saved'; readonly version: number | undefined }
  | { readonly name: 'conflict'; readonly failure: Failure; readonly theirs?: Version }
  | { readonly name: 'failed'; readonly failure: Failure }
  | { readonly name: 'unconfirmed'; readonly theirs?: Version };

/** The state of one record tab: what the server holds as far as is known, what the user has made of it, and where they stand. */
export interface RecordState {
  readonly type: ResourceType;
  readonly id: string;
  readonly base?: Version;
  readonly text: string;
  readonly phase: Phase;
}

export type RecordAction =
  | { readonly type: 'loading' }
  | { readonly type: 'loaded'; readonly version: Version }
  | { readonly type: 'unreadable'; readonly failure: Failure }
  | { readonly type: 'edited'; readonly text: string }
  | { readonly type: 'review' }
  | { readonly type: 'keepEditing' }
  | { readonly type: 'sent' }
  | { readonly type: 'saved'; readonly version: Version }
  | { readonly type: 'refused'; readonly failure: Failure }
  | { readonly type: 'unanswered' }
  | { readonly type: 'compared'; readonly theirs: Version }
  | { readonly type: 'rebased'; readonly onto: Version };

/** The state of a tab whose record is about to be read. */
export function openRecord(type: ResourceType, id: string): RecordState {
  return { type, id, text: '', phase: { name: 'loading' } };
}

/** The next state of a record tab; pure. An action that does not fit the phase leaves the state as it is. */
export function recordReducer(state: RecordState, action: RecordAction): RecordState {
  switch (action.type) {
    case 'loading':
      return { ...state, phase: { name: 'loading' } };
    case 'loaded':
      return { ...state, base: action.version, text: action.version.text, phase: { name: 'clean' } };
    case 'unreadable':
      return { ...state, phase: { name: 'unreadable', failure: action.failure } };
    case 'edited':
      return edited(state, action.text);
    case 'review':
      return state.phase.name === 'dirty' ? { ...state, phase: { name: 'reviewing' } } : state;
    case 'keepEditing':
      return { ...state, phase: phaseOf(state.base, state.text) };
    case 'sent':
      return canSend(state) ? { ...state, phase: { name: 'saving' } } : state;
    case 'saved': {
      const { version } = action;
      return {
        ...state,
        base: version,
        text: version.text,
        phase: { name: 'saved', version: version.version },
      };
    }
    case 'refused': {
      const { failure } = action;
      return { ...state, phase: { name: failure.status === 412 ? 'conflict' : 'failed', failure } };
    }
    case 'unanswered':
      return { ...state, phase: { name: 'unconfirmed' } };
    case 'compared':
      return compared(state, action.theirs);
    case 'rebased':
      return rebased(state, action.onto);
  }
}

function edited(state: RecordState, text: string): RecordState {
  if (text === state.text) return state;
  return { ...state, text, phase: phaseOf(state.base, text) };
}

/** Clean, dirty or invalid: judged by value, so that white space and the order of keys change nothing. */
function phaseOf(base: Version | undefined, text: string): Phase {
  if (!base || text === base.text) return { name: 'clean' };
  const read = inspect(text);
  if (!read.valid) return { name: 'invalid', fault: read.fault };
  return { name: equal(base.root, read.root) ? 'clean' : 'dirty' };
}

/** Whether the text may be sent as it is: reviewed, and what an earlier sending did is known. */
export function canSend({ phase, base }: RecordState): boolean {
  if (phase.name === 'unconfirmed')
    return phase.theirs !== undefined && phase.theirs.version === base?.version;
  return phase.name === 'reviewing' || phase.name === 'failed';
}

function compared(state: RecordState, theirs: Version): RecordState {
  const { phase } = state;
  if (phase.name !== 'conflict' && phase.name !== 'unconfirmed') return state;
  return { ...state, phase: { ...phase, theirs } };
}

function rebased(state: RecordState, onto: Version): RecordState {
  const phase = phaseOf(onto, state.text);
  return { ...state, base: onto, phase: phase.name === 'dirty' ? { name: 'reviewing' } : phase };
}

/** Whether closing the tab would lose something that the user wrote. */
export function isUnsaved({ base, text, phase }: RecordState): boolean {
  if (!base) return false;
  switch (phase.name) {
    case 'clean':
    case 'saved':
      return false;
    case 'loading':
    case 'unreadable':
      return text !== base.text;
    case 'dirty':
    case 'invalid':
    case 'reviewing':
    case 'saving':
    case 'conflict':
    case 'failed':
    case 'unconfirmed':
      return true;
  }
}

/** Whether the review sheet is open. */
export function isUnderReview({ name }: Phase): boolean {
  return (
    name === 'reviewing' ||
    name === 'saving' ||
    name === 'conflict' ||
    name === 'failed' ||
    name === 'unconfirmed'
  );
}

/** What the tab is called: the record's title, else its id. */
export function titleOf({ base, id }: RecordState): string {
  const title = base?.summary.title ?? '';
  return title === '' ? id : title;
}
