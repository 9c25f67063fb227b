import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isJudging, percentOf, RebuildState } from '../../../core/app/rebuild.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { useChange } from '../../platform/use-change.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';

/** Whether the local server judges its records at this moment: what is listed may not be all. */
export function useJudging(): boolean {
  const { remote } = useConnection();
  const { data } = useOverview();
  return !remote && data?.rebuild.state === 'running' && isJudging(data.rebuild);
}

/** When the server judged its records and by which rules, and the way to have that done again. */
export function Judging() {
  const { remote } = useConnection();
  const queries = useQueryClient();
  const { data } = useOverview();
  const running = useJudging();
  const ran = useRef(false);
  const again = useChange(
    (client) => client.ask(RebuildState, 'POST', '/quality/judge', {}),
    () => void queries.invalidateQueries({ queryKey: ['quality'] }),
    // Which says whether it is running.
    ['overview'],
  );

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
