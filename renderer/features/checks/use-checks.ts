import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { narrow } from '../../../core/api/narrow.ts';
import {
  CheckList,
  SkippedRecords,
  StewardCheck,
  TrialResult,
  type CheckTrial,
} from '../../../core/app/checks.ts';
import { checksKey } from '../../platform/checks.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { askedBy, writtenOf, type CheckDraft } from './check-draft.ts';

/** Keeps and removes checks; the worklist is read anew behind each. */
export function useCheckWrites() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const changed = async () => {
    await queries.invalidateQueries({ queryKey: checksKey });
    await queries.invalidateQueries({ queryKey: ['quality'] });
  };
  const save = useMutation({
    mutationFn: async (draft: CheckDraft) =>
      narrow(await client.app('PUT', `/checks/${draft.id}`, writtenOf(draft)), StewardCheck),
    onSuccess: changed,
  });
  const remove = useMutation({
    mutationFn: async (id: string) => narrow(await client.app('DELETE', `/checks/${id}`), CheckList),
    onSuccess: changed,
  });
  return { save, remove };
}

/** Tries a check on many records; what came of it counts until something else is asked. */
export function useTrial(draft: CheckDraft) {
  const { client } = useConnection();
  const question = askedBy(draft);
  const request = useMutation({
    mutationFn: async (trial: CheckTrial) =>
      narrow(await client.app('POST', '/checks/try', trial), TrialResult),
  });
  const isAsked = JSON.stringify(request.variables) === JSON.stringify(question);
  return { request, result: isAsked ? request.data : undefined, start: () => request.mutate(question) };
}

export type Trial = ReturnType<typeof useTrial>;

/** What a check says of one text; asked where `trial` is given. */
export function useLive(trial: CheckTrial | undefined) {
  const { client } = useConnection();
  return useQuery({
    queryKey: ['check live', trial],
    queryFn: async () => narrow(await client.app('POST', '/checks/try', trial), TrialResult),
    enabled: trial !== undefined,
    // What is typed next asks again by itself.
    retry: false,
    gcTime: 0,
  });
}

/** Records for which a check could not be asked. */
export function useSkipped(id: string) {
  return useAnswer(`/checks/${id}/skipped`, SkippedRecords, { queryKey: [...checksKey, id, 'skipped'] });
}
