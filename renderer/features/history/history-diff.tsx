import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { serverStamped } from '../../../core/fhir/record.ts';
import { recordChanges } from '../../../core/fhir/record-changes.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { format } from '../../../core/json/print.ts';
import { useConnection } from '../../platform/connection.ts';
import { ChangeList } from '../../platform/change-list.tsx';
import { DiffView, placeOfChange, type DiffPlace } from '../../platform/diff-view.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';
import { text } from '../../ui/text.ts';
import styles from './history.module.css';
import type { VersionPair } from './history-state.ts';
import { versionOptions, type Subject } from './use-history.ts';

interface HistoryDiffProps {
  readonly subject: Subject;
  readonly pair: VersionPair;
}

/** Two versions side by side, and how many places differ apart from the server's own stamp. */
export function HistoryDiff({ subject, pair: { older, newer } }: HistoryDiffProps) {
  const [stamped, setStamped] = useState(false);
  const connection = useConnection();
  const before = useQuery(versionOptions(connection, subject, older));
  const after = useQuery(versionOptions(connection, subject, newer));
  const [was, is] = [before.data, after.data];
  const changes = useMemo(() => (was && is ? recordChanges(was, is) : []), [was, is]);
  const [shown, setShown] = useState<DiffPlace>();
  // The stamp differs between any two versions, and their numbers and times stand beside: it is shown where asked for.
  const texts = useMemo(() => {
    const written = stamped ? format : unstamped;
    return { before: was ? written(was) : '', after: is ? written(is) : '' };
  }, [was, is, stamped]);
  const failed = [before, after].find(({ isError }) => isError);
  if (failed) {
    return (
      <div className={styles.padded}>
        <RequestFailure title={text.history.diffFailed} of={failed} />
      </div>
    );
  }
  if (was === undefined || is === undefined) return <RecordSkeleton />;
  return (
    <>
      <div className={`${styles.count} ${styles.compared}`}>
        <p>{text.history.changed(changes.length)}</p>
        <Switch
          size="xs"
          label={text.history.stamp}
          checked={stamped}
          onChange={({ currentTarget: { checked } }) => setStamped(checked)}
        />
      </div>
      {changes.length > 0 && older > 0 && (
        <div className={styles.changes}>
          <ChangeList
            type={subject.type}
            changes={changes}
            name={text.review.changes}
            onGo={(change) => setShown(placeOfChange(change))}
          />
        </div>
      )}
      <DiffView
        key={`${older}-${newer}`}
        shown={shown}
        original={texts.before}
        modified={texts.after}
        originalLabel={older === 0 ? text.history.before : text.history.version(older)}
        modifiedLabel={text.history.version(newer)}
      />
    </>
  );
}

/** The text of a version without what the server stamps on each. */
function unstamped(root: JsonNode): string {
  if (root.kind !== 'object') return format(root);
  const members = root.members.flatMap((one) => {
    if (one.key !== 'meta' || one.value.kind !== 'object') return [one];
    const kept = one.value.members.filter(({ key }) => !serverStamped.has(`/meta/${key}`));
    return kept.length === 0 ? [] : [{ ...one, value: { ...one.value, members: kept } }];
  });
  return format({ ...root, members });
}
