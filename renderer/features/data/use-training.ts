import { DemoLoaded } from '../../../core/app/models.ts';
import { narrow } from '../../../core/api/narrow.ts';
import {
  TrainingDefects,
  TrainingEmptied,
  TrainingState,
  WriterState,
  type TrainingSet,
} from '../../../core/app/training.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

const stateKey = ['training'];

/** Milliseconds between two looks at the ward while it works. */
const watchTime = 1000;

/** What is loaded, and the busy ward; watched while the ward works and the view is in front. */
export function useTrainingState(front: boolean) {
  return useAnswer('/training', TrainingState, {
    queryKey: stateKey,
    refetchInterval: ({ state }) => (front && state.data?.writer.running ? watchTime : false),
  });
}

/** Loads a set; everything that is shown is then read anew. */
export function useLoadSet(onLoaded: (set: TrainingSet, loaded: DemoLoaded) => void) {
  return useChange(
    async (client, set: TrainingSet) => narrow(await client.app('POST', `/training/${set}`, {}), DemoLoaded),
    (loaded, set) => onLoaded(set, loaded),
  );
}

/** Starts the busy ward at a pace in seconds, or stops it. */
export function useWardWriter(onChanged: (running: boolean) => void) {
  return useChange(
    async (client, seconds: number | undefined) => {
      const answer =
        seconds === undefined
          ? await client.app('DELETE', '/training/writer')
          : await client.app('POST', '/training/writer', { seconds });
      return narrow(answer, WriterState);
    },
    ({ running }) => onChanged(running),
    stateKey,
  );
}

/** The list of planted defects, once it is asked for. */
export function useDefects(wanted: boolean) {
  return useAnswer('/training/migration/defects', TrainingDefects, {
    queryKey: [...stateKey, 'defects'],
    enabled: wanted,
    staleTime: Infinity,
  });
}

/** Backs up and empties the records; `others` is how many of them the user knows to be no training data. */
export function useReset(onEmptied: (emptied: TrainingEmptied) => void) {
  return useChange(
    async (client, others: number) =>
      narrow(await client.app('POST', '/training/reset', { others }), TrainingEmptied),
    onEmptied,
  );
}
