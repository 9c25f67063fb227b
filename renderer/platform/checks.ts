import { CheckList } from '../../core/app/checks.ts';
import { useAppQuery } from './use-answer.ts';

export const checksKey = ['checks'];

/** Returns the custom checks. The change stream reports their progress. */
export function useChecks() {
  return useAppQuery('/checks', CheckList, { queryKey: checksKey });
}
