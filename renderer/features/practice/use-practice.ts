import { narrow } from '../../../core/api/narrow.ts';
import { ExerciseState, PracticeState, type Exercise } from '../../../core/app/practice.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

const stateKey = ['practice'];

/** Loads the state of each exercise. Reloads when a record changes. */
export function usePracticeState(isRequested: boolean) {
  return useAppQuery('/practice', PracticeState, { queryKey: stateKey, enabled: isRequested });
}

/** Starts or restarts an exercise and reloads all queries. */
export function useBegin(onBegun: () => void) {
  return useChange(
    async (client, exercise: Exercise) =>
      narrow(await client.app('POST', `/practice/${exercise}`, {}), ExerciseState),
    onBegun,
  );
}

/** Saves a change as the simulated colleague. */
export function useColleague(onSaved: () => void) {
  return useChange(
    async (client) => narrow(await client.app('POST', '/practice/conflict/colleague', {}), ExerciseState),
    onSaved,
    stateKey,
  );
}
