import { CheckList, type StewardCheck } from '../../core/app/checks.ts';
import { useAnswer } from './use-answer.ts';

export const checksKey = ['checks'];

/** Milliseconds between two looks at checks that are on their way through the records. */
const lookAgain = 1000;

const isUnderWay = ({ active, progress }: StewardCheck) =>
  active && (!progress || progress.done < progress.total);

/** The checks, looked at again while one of them is on its way. */
export function useChecks() {
  return useAnswer('/checks', CheckList, {
    queryKey: checksKey,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? lookAgain : false),
  });
}
