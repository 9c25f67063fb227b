import { useQuery } from '@tanstack/react-query';
import { narrow } from '../../core/api/narrow.ts';
import { CheckList, type StewardCheck } from '../../core/app/checks.ts';
import { useConnection } from './connection.ts';

export const checksKey = ['checks'];

/** Milliseconds between two looks at checks that are on their way through the records. */
const lookAgain = 1000;

const isUnderWay = ({ active, progress }: StewardCheck) =>
  active && (!progress || progress.done < progress.total);

/** The checks, looked at again while one of them is on its way. */
export function useChecks() {
  const { client } = useConnection();
  return useQuery({
    queryKey: checksKey,
    queryFn: async () => narrow(await client.app('GET', '/checks'), CheckList),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? lookAgain : false),
  });
}
