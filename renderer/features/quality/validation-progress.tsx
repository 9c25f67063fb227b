import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isValidating, percentOf, RebuildState } from '../../../core/app/rebuild.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { useChange } from '../../platform/use-change.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';

/** Returns true while the local server validates its records. The list may then be incomplete. */
export function useIsValidating(): boolean {
  const { remote } = useConnection();
  const { data } = useOverview();
  return !remote && data?.rebuild.state === 'running' && isValidating(data.rebuild);
}

/** Time of the last validation and its rules, with a button that starts another. */
export function ValidationStatus() {
  const { remote } = useConnection();
  const queries = useQueryClient();
  const { data } = useOverview();
  const isRunning = useIsValidating();
  const wasRunning = useRef(false);
  const revalidation = useChange(
    (client) => client.requestAs(RebuildState, 'POST', '/quality/judge', {}),
    () => void queries.invalidateQueries({ queryKey: ['quality'] }),
    // The overview reports if the validation is running.
    ['overview'],
  );

  useEffect(() => {
    if (wasRunning.current && !isRunning) void queries.invalidateQueries({ queryKey: ['quality'] });
    wasRunning.current = isRunning;
  }, [queries, isRunning]);

  if (!data || remote) return null;
  const { at: validatedAt, rules } = data.judged;
  return (
    <div className={styles.judged}>
      <span title={text.quality.judged.rules(rules)}>
        {isRunning ? (
          text.status.judging(percentOf(data.rebuild))
        ) : validatedAt === undefined ? (
          text.quality.judged.never
        ) : (
          <MessageNodes
            message={text.quality.judged.at}
            nodes={{ time: <RelativeTime instant={validatedAt} /> }}
          />
        )}
      </span>
      <Button
        size="compact-xs"
        disabled={isRunning || revalidation.isPending}
        onClick={() => revalidation.mutate()}
      >
        {text.quality.judged.again}
      </Button>
      <RequestFailure title={text.quality.judged.failed} query={revalidation} />
    </div>
  );
}
