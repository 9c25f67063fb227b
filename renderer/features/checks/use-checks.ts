import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { narrow } from '../../../core/api/narrow.ts';
import {
  CheckList,
  SkippedRecords,
  CustomCheck,
  TrialResult,
  type CheckTrial,
} from '../../../core/app/checks.ts';
import { checksKey } from '../../platform/checks.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { pickCheckExpressions, serializeCheck, type CheckDraft } from './check-draft.ts';

/** Saves and removes checks, and reloads the worklist after each. */
export function useCheckWrites() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const reload = async () => {
    await queries.invalidateQueries({ queryKey: checksKey });
    await queries.invalidateQueries({ queryKey: ['quality'] });
  };
  const save = useMutation({
    mutationFn: async (draft: CheckDraft) =>
      narrow(await client.app('PUT', `/checks/${draft.id}`, serializeCheck(draft)), CustomCheck),
    onSuccess: reload,
  });
  const remove = useMutation({
    mutationFn: async (id: string) => narrow(await client.app('DELETE', `/checks/${id}`), CheckList),
    onSuccess: reload,
  });
  return { save, remove };
}

/** Tries a check on many records. The result is valid until the expressions change. */
export function useTrial(draft: CheckDraft) {
  const { client } = useConnection();
  const expressions = pickCheckExpressions(draft);
  const request = useMutation({
    mutationFn: async (trial: CheckTrial) =>
      narrow(await client.app('POST', '/checks/try', trial), TrialResult),
  });
  const isCurrent = JSON.stringify(request.variables) === JSON.stringify(expressions);
  return { request, result: isCurrent ? request.data : undefined, start: () => request.mutate(expressions) };
}

export type Trial = ReturnType<typeof useTrial>;

/** Evaluates a check on one text if `trial` is set. */
export function useLive(trial: CheckTrial | undefined) {
  const { client } = useConnection();
  return useQuery({
    queryKey: ['check live', trial],
    queryFn: async () => narrow(await client.app('POST', '/checks/try', trial), TrialResult),
    enabled: trial !== undefined,
    // The next input sends a new request.
    retry: false,
    gcTime: 0,
  });
}

/** Loads the records that a check could not evaluate. */
export function useSkipped(id: string) {
  return useAppQuery(`/checks/${id}/skipped`, SkippedRecords, { queryKey: [...checksKey, id, 'skipped'] });
}
