import { IconSquare, IconSquareCheckFilled } from '@tabler/icons-react';
import type { HistoryEntry } from '../../../core/app/history.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { wordsOfChange } from '../../platform/change-words.ts';
import { useDates } from '../../ui/date-language.ts';
import { text } from '../../ui/text.ts';
import { byline } from '../../ui/text/byline.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import styles from './history.module.css';

interface VersionLineProps {
  readonly id: string;
  readonly type: ResourceType;
  readonly entry: HistoryEntry;
  readonly current: boolean;
  readonly atCursor: boolean;
  readonly ticked: boolean;
  readonly onMove: () => void;
  readonly onTick: () => void;
  readonly onShow: () => void;
}

/** One version: number, time, author, operation and changes. */
export function VersionLine(props: VersionLineProps) {
  useDates();
  const { id, type, entry, current, atCursor, ticked, onMove, onTick, onShow } = props;
  const { version, lastUpdated, author, reason, operation } = entry;
  const Tick = ticked ? IconSquareCheckFilled : IconSquare;
  return (
    <li
      id={id}
      role="option"
      aria-selected={ticked}
      data-cursor={atCursor}
      className={styles.line}
      onClick={onMove}
      onDoubleClick={onShow}
    >
      <span
        className={styles.tick}
        title={text.history.tick(version)}
        onClick={(event) => {
          event.stopPropagation();
          onTick();
        }}
      >
        <Tick size={16} aria-hidden />
      </span>
      <span className={styles.number}>{text.history.version(version)}</span>
      {current && <span className={styles.badge}>{text.history.current}</span>}
      <time dateTime={lastUpdated} title={exactTime(lastUpdated)} className={styles.time}>
        {localTime(lastUpdated)}
      </time>
      <span className={styles.fact}>
        {author === ''
          ? text.history.operations[operation]
          : text.history.operationsBy[operation](byline(entry))}
      </span>
      {reason !== undefined && <q className={styles.why}>{reason}</q>}
      {version > 1 && <span className={styles.paths}>{formatChanges(type, entry)}</span>}
    </li>
  );
}

function formatChanges(type: ResourceType, { changes, paths, named: namedChanges }: HistoryEntry): string {
  if (changes === 0) return text.history.same;
  return text.history.changes(changes, namedChanges?.map((change) => wordsOfChange(type, change)) ?? paths);
}
