import { useReducer } from 'react';
import { historyReducer, pairOf, startHistory, type VersionPair } from './history-state.ts';
import { useHistory, type Subject } from './use-history.ts';

/** A record's versions and which of them are chosen: the newest, until somebody moves; `opened` begins with two. */
export function useChosen(subject: Subject, opened?: VersionPair) {
  const [state, dispatch] = useReducer(historyReducer, opened, startHistory);
  const history = useHistory(subject);
  const newest = history.versions[0]?.version;
  const chosen = state.cursor ?? newest;
  const pair = pairOf(chosen === undefined ? state : { ...state, cursor: chosen });
  return { list: { subject, history, state, dispatch }, chosen, current: subject.version ?? newest, pair };
}
