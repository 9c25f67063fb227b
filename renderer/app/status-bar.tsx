import { memo, useEffect } from 'react';
import { isValidating, percentOf, type RebuildState } from '../../core/app/rebuild.ts';
import { DamageBanner } from '../features/damage/damage-notice.tsx';
import type { Phase } from '../features/record/record-state.ts';
import { useOverview } from '../platform/app-queries.ts';
import { useConnection } from '../platform/connection.ts';
import { useLink } from '../platform/live.ts';
import { useDates } from '../ui/date-language.ts';
import { clockTime } from '../ui/time.ts';
import { useAnnounce, useStatus } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';

interface StatusBarProps {
  /** Title of the active record, if loaded. */
  readonly title: string | undefined;
  readonly phase: Phase | undefined;
}

/** Status bar: server, last message (a live region) and the state of the active text. */
export const StatusBar = memo(function StatusBar({ title, phase }: StatusBarProps) {
  useDates();
  const overview = useOverview().data;
  const { host } = useConnection();
  const { message, facts, cursor } = useStatus();
  return (
    <footer className={styles.status} tabIndex={-1} aria-label={text.status.name} data-region="status">
      <span>{host}</span>
      <LinkStatus />
      <span role="status" className={styles.message} title={message}>
        {message}
      </span>
      {overview?.disk === 'full' && <span role="status">{text.status.diskFull}</span>}
      <DamageBanner />
      {overview?.rebuild.state === 'running' && (
        // Visible, but not announced at each percent.
        <span role="status" aria-live="off">
          {formatRebuild(overview.rebuild)}
        </span>
      )}
      {phase && (
        <>
          {Object.entries(facts).map(([name, fact]) => (
            <span key={name}>{fact}</span>
          ))}
          <span className={styles.state} data-phase={phase.name} title={title}>
            {formatPhase(phase)}
          </span>
          {cursor && <span className={styles.cursor}>{text.status.cursor(cursor.line, cursor.column)}</span>}
        </>
      )}
      {overview && <span title={text.status.level(overview.level)}>{overview.level}</span>}
    </footer>
  );
});

/** State of the link to the server. A lost link is also announced. */
function LinkStatus() {
  const link = useLink();
  const announce = useAnnounce();
  const since = 'since' in link ? clockTime(new Date(link.since).toISOString()) : '';
  const message = text.status.links[link.state](since);
  const isGone = link.state === 'gone';
  useEffect(() => {
    if (isGone) announce(message);
  }, [isGone, message, announce]);
  return (
    <span className={styles.link} data-state={link.state}>
      {message}
    </span>
  );
}

function formatRebuild(rebuild: RebuildState): string {
  const percent = percentOf(rebuild);
  return isValidating(rebuild) ? text.status.judging(percent) : text.status.indexing(percent);
}

function formatPhase(phase: Phase): string {
  if (phase.name !== 'invalid') return text.status.phases[phase.name];
  const { line, column, message } = phase.fault;
  return text.status.invalid(line, column, message);
}
