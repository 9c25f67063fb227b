import { narrow } from '../../../core/api/narrow.ts';
import { ExerciseState, PracticeState, type Exercise } from '../../../core/app/practice.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

const stateKey = ['practice'];

/** What became of each exercise; read anew whenever a record changes. */
export function usePracticeState(wanted: boolean) {
  return useAnswer('/practice', PracticeState, { queryKey: stateKey, enabled: wanted });
}

/** Begins an exercise, or begins it anew; everything that is shown is then read anew. */
export function useBegin(onBegun: () => void) {
  return useChange(
    async (client, exercise: Exercise) =>
      narrow(await client.app('POST', `/practice/${exercise}`, {}), ExerciseState),
    onBegun,
  );
}

/** Has the colleague save. */
export function useColleague(onSaved: () => void) {
  return useChange(
    async (client) => narrow(await client.app('POST', '/practice/conflict/colleague', {}), ExerciseState),
    onSaved,
    stateKey,
  );
}
