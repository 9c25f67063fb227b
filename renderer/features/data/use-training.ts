import { DemoLoaded } from '../../../core/app/models.ts';
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
    (client, set: TrainingSet) => client.ask(DemoLoaded, 'POST', `/training/${set}`, {}),
    (loaded, set) => onLoaded(set, loaded),
  );
}

/** Starts the busy ward at a pace in seconds, or stops it. */
export function useWardWriter(onChanged: (running: boolean) => void) {
  return useChange(
    (client, seconds: number | undefined) =>
      seconds === undefined
        ? client.ask(WriterState, 'DELETE', '/training/writer')
        : client.ask(WriterState, 'POST', '/training/writer', { seconds }),
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
    (client, others: number) => client.ask(TrainingEmptied, 'POST', '/training/reset', { others }),
    onEmptied,
  );
}
