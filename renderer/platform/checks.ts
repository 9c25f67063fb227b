import { CheckList } from '../../core/app/checks.ts';
import { useAnswer } from './use-answer.ts';

export const checksKey = ['checks'];

/** The checks; the stream of changes tells how far each has come. */
export function useChecks() {
  return useAnswer('/checks', CheckList, { queryKey: checksKey });
}
