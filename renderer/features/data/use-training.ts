import { useQuery } from '@tanstack/react-query';
import { DemoLoaded } from '../../../core/app/models.ts';
import { narrow } from '../../../core/api/narrow.ts';
import {
  TrainingDefects,
  TrainingEmptied,
  TrainingState,
  WriterState,
  type TrainingDefect,
  type TrainingSet,
} from '../../../core/app/training.ts';
import { useConnection } from '../../platform/connection.ts';
import { useChange } from '../../platform/use-change.ts';

const stateKey = ['training'];

/** Milliseconds between two looks at the ward while it works. */
const watchTime = 1000;

/** What is loaded, and the busy ward; watched while the ward works and the view is in front. */
export function useTrainingState(front: boolean) {
  const { client } = useConnection();
  return useQuery({
    queryKey: stateKey,
    queryFn: async (): Promise<TrainingState> => narrow(await client.app('GET', '/training'), TrainingState),
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
  const { client } = useConnection();
  return useQuery({
    queryKey: [...stateKey, 'defects'],
    enabled: wanted,
    staleTime: Infinity,
    queryFn: async (): Promise<readonly TrainingDefect[]> =>
      narrow(await client.app('GET', '/training/migration/defects'), TrainingDefects),
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
