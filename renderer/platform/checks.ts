import { CheckList } from '../../core/app/checks.ts';
import { useAnswer } from './use-answer.ts';

export const checksKey = ['checks'];

/** Returns the custom checks. The change stream reports their progress. */
export function useChecks() {
  return useAnswer('/checks', CheckList, { queryKey: checksKey });
}
