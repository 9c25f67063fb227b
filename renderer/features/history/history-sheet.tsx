import { Sheet } from '../../ui/sheet.tsx';
import { text } from '../../ui/text.ts';
import { HistoryActions, type Restore } from './history-actions.tsx';
import frame from '../../ui/view.module.css';
import styles from './history.module.css';
import type { VersionPair } from './history-state.ts';
import { useChosen, versionOptions, type Subject } from './use-history.ts';
import { VersionList } from './version-list.tsx';
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { serverAssignedPaths } from '../../../core/fhir/record.ts';
import { recordChanges } from '../../../core/fhir/record-changes.ts';
import { formatNode, type JsonNode } from '../../../core/json/node.ts';
import { useConnection } from '../../platform/connection.ts';
import { ChangeList } from '../../platform/change-list.tsx';
import { DiffView, locateChange, type DiffLocation } from '../../platform/diff-view.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';

interface HistorySheetProps {
  readonly subject: Subject;
  readonly name: string;
  readonly initialPair?: VersionPair;
  readonly onRestore: Restore;
  readonly onClose: () => void;
}

/** History in a large sheet: versions on the left, their differences on the right. */
export function HistorySheet({ subject, name, initialPair, onRestore, onClose }: HistorySheetProps) {
  const { list, selectedVersion, current, pair } = useChosen(subject, initialPair);
  return (
    <Sheet
      title={text.history.titleOf(name)}
      closeLabel={text.history.close}
      closeOnClickOutside
      onClose={onClose}
    >
      <div className={frame.beside}>
        <div className={styles.side}>
          <VersionList {...list} autoFocus onShow={() => undefined} />
          {selectedVersion !== undefined && pair && (
            <HistoryActions
              subject={subject}
              selectedVersion={selectedVersion}
              current={current}
              pair={pair}
              onRestore={onRestore}
            />
          )}
        </div>
        <div className={frame.column}>{pair && <HistoryDiff subject={subject} pair={pair} />}</div>
      </div>
    </Sheet>
  );
}

interface HistoryDiffProps {
  readonly subject: Subject;
  readonly pair: VersionPair;
}

/** Two versions side by side, with the number of differences apart from the server metadata. */
export function HistoryDiff({ subject, pair: { older, newer } }: HistoryDiffProps) {
  const [showsMetadata, setShowsMetadata] = useState(false);
  const connection = useConnection();
  const olderQuery = useQuery(versionOptions(connection, subject, older));
  const newerQuery = useQuery(versionOptions(connection, subject, newer));
  const [olderRoot, newerRoot] = [olderQuery.data, newerQuery.data];
  const changes = useMemo(
    () => (olderRoot && newerRoot ? recordChanges(olderRoot, newerRoot) : []),
    [olderRoot, newerRoot],
  );
  const [visiblePlace, setVisiblePlace] = useState<DiffLocation>();
  // Server metadata differs between any two versions, so it appears only on request.
  const texts = useMemo(() => {
    const formatVersion = showsMetadata ? formatNode : formatWithoutMetadata;
    return {
      before: olderRoot ? formatVersion(olderRoot) : '',
      after: newerRoot ? formatVersion(newerRoot) : '',
    };
  }, [olderRoot, newerRoot, showsMetadata]);
  const failedQuery = [olderQuery, newerQuery].find(({ isError }) => isError);
  if (failedQuery) {
    return (
      <div className={styles.padded}>
        <RequestFailure title={text.history.diffFailed} query={failedQuery} />
      </div>
    );
  }
  if (olderRoot === undefined || newerRoot === undefined) return <RecordSkeleton />;
  return (
    <>
      <div className={`${styles.count} ${styles.compared}`}>
        <p>{text.history.changed(changes.length)}</p>
        <Switch
          size="xs"
          label={text.history.stamp}
          checked={showsMetadata}
          onChange={({ currentTarget: { checked } }) => setShowsMetadata(checked)}
        />
      </div>
      {changes.length > 0 && older > 0 && (
        <div className={styles.changes}>
          <ChangeList
            type={subject.type}
            changes={changes}
            name={text.review.changes}
            onGo={(change) => setVisiblePlace(locateChange(change))}
          />
        </div>
      )}
      <DiffView
        key={`${older}-${newer}`}
        revealedLocation={visiblePlace}
        original={texts.before}
        modified={texts.after}
        originalLabel={older === 0 ? text.history.before : text.history.version(older)}
        modifiedLabel={text.history.version(newer)}
      />
    </>
  );
}

/** Formats a version without its server metadata. */
function formatWithoutMetadata(root: JsonNode): string {
  if (root.kind !== 'object') return formatNode(root);
  const members = root.members.flatMap((rootMember) => {
    if (rootMember.key !== 'meta' || rootMember.value.kind !== 'object') return [rootMember];
    const metaMembers = rootMember.value.members.filter(
      ({ key }) => !serverAssignedPaths.has(`/meta/${key}`),
    );
    return metaMembers.length === 0
      ? []
      : [{ ...rootMember, value: { ...rootMember.value, members: metaMembers } }];
  });
  return formatNode({ ...root, members });
}
