import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { narrow } from '../../../core/api/narrow.ts';
import { percentOf, RebuildState } from '../../../core/app/rebuild.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';
import { useJudging } from './use-judging.ts';

/** When the server judged its records and by which rules, and the way to have that done again. */
export function Judging() {
  const { client, remote } = useConnection();
  const queries = useQueryClient();
  const { data } = useOverview();
  const running = useJudging();
  const ran = useRef(false);
  const again = useMutation({
    mutationFn: async () => narrow(await client.app('POST', '/quality/judge', {}), RebuildState),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['overview'] });
      await queries.invalidateQueries({ queryKey: ['quality'] });
    },
  });

  useEffect(() => {
    if (ran.current && !running) void queries.invalidateQueries({ queryKey: ['quality'] });
    ran.current = running;
  }, [queries, running]);

  if (!data || remote) return null;
  const { at, rules } = data.judged;
  return (
    <div className={styles.judged}>
      <span title={text.quality.judged.rulesHint}>
        {running ? (
          text.status.judging(percentOf(data.rebuild))
        ) : (
          <>
            {at === undefined ? text.quality.judged.never : text.quality.judged.at}{' '}
            {at !== undefined && <RelativeTime instant={at} />} {text.quality.judged.rules(rules)}
          </>
        )}
      </span>
      <Button size="compact-xs" disabled={running || again.isPending} onClick={() => again.mutate()}>
        {text.quality.judged.again}
      </Button>
      <RequestFailure title={text.quality.judged.failed} of={again} />
    </div>
  );
}
