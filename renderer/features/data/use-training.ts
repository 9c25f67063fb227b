import { DemoLoaded } from '../../../core/app/models.ts';
import {
  TrainingDefects,
  TrainingEmptied,
  TrainingState,
  WriterState,
  type TrainingSet,
} from '../../../core/app/training.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

const stateKey = ['training'];

/** Polling interval while the ward works, in milliseconds. */
const pollIntervalMs = 1000;

/** Loads the state of sets and the ward. Polls while the ward works and the view is active. */
export function useTrainingState(isActive: boolean) {
  return useAppQuery('/training', TrainingState, {
    queryKey: stateKey,
    refetchInterval: ({ state }) => (isActive && state.data?.writer.running ? pollIntervalMs : false),
  });
}

/** Loads a training set and reloads all queries. */
export function useLoadSet(onLoaded: (set: TrainingSet, loaded: DemoLoaded) => void) {
  return useChange(
    (client, set: TrainingSet) => client.requestAs(DemoLoaded, 'POST', `/training/${set}`, {}),
    (loaded, set) => onLoaded(set, loaded),
  );
}

/** Starts the busy ward at an interval in seconds, or stops it. */
export function useWardWriter(onChanged: (running: boolean) => void) {
  return useChange(
    (client, seconds: number | undefined) =>
      seconds === undefined
        ? client.requestAs(WriterState, 'DELETE', '/training/writer')
        : client.requestAs(WriterState, 'POST', '/training/writer', { seconds }),
    ({ running }) => onChanged(running),
    stateKey,
  );
}

/** Loads the seeded defects on request. */
export function useDefects(isRequested: boolean) {
  return useAppQuery('/training/migration/defects', TrainingDefects, {
    queryKey: [...stateKey, 'defects'],
    enabled: isRequested,
    staleTime: Infinity,
  });
}

/** Backs up and empties the records. `others` is the number of other records that the user has confirmed. */
export function useReset(onEmptied: (emptied: TrainingEmptied) => void) {
  return useChange(
    (client, otherCount: number) =>
      client.requestAs(TrainingEmptied, 'POST', '/training/reset', { others: otherCount }),
    onEmptied,
  );
}
