import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { writerOf } from '../../../core/app/authorship.ts';
import { isSameVersion } from '../../../core/api/same-version.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { equal, serializeNode, type JsonNode } from '../../../core/json/node.ts';
import { useLiveEvents } from '../../platform/live.ts';
import { usePerson } from '../../platform/people.ts';
import type { Version } from '../../platform/record-version.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { isTokenFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import type { PathMove } from './follow-paths.ts';
import { formatMessage, type PlacedIssues } from './patch-issues.ts';
import { nodeAt } from './patch-rows.ts';
import type { PatchState } from './patch-state.ts';
import styles from './patch.module.css';

interface PatchNoticeProps {
  readonly type: ResourceType;
  readonly id: string;
  readonly state: PatchState;
  /** Paths of the operations. */
  readonly paths: readonly string[];
  readonly placedIssues: PlacedIssues;
  readonly reading: boolean;
  readonly onReread: (sentResult: JsonNode | undefined) => void;
}

/** Banner for a rejected or unconfirmed request, with the next actions. */
export function PatchBanner({ type, id, state, paths, placedIssues, reading, onReread }: PatchNoticeProps) {
  const { phase, base } = state;
  const formatTitle = useConflictTitle(type, id);
  switch (phase.name) {
    case 'composing':
    case 'sending':
      return null;
    case 'refused': {
      const failure = { ...phase.failure, sentences: placedIssues.otherIssues.map(formatMessage) };
      const words = phase.issues.length === 0 ? phase.failure : failure;
      const title = isTokenFailure(phase.failure) ? text.patch.needsToken : text.patch.failed;
      return (
        <div className={styles.notice}>
          <FailureMessage title={title} failure={words} />
        </div>
      );
    }
    case 'conflict':
      return (
        <Notice title={formatTitle(phase.version)}>
          <p>{phase.unread ? text.patch.conflictUnread : text.patch.reading}</p>
          {phase.unread && (
            <Button loading={reading} onClick={() => onReread(undefined)}>
              {text.patch.readAgain}
            </Button>
          )}
        </Notice>
      );
    case 'moved':
      return (
        <Notice title={formatTitle(base?.version)}>
          <ElementChanges before={phase.before} now={base} paths={paths} moves={phase.moves} />
          {base && <p>{text.patch.conflictSend(base.version)}</p>}
        </Notice>
      );
    case 'unconfirmed': {
      const { serverVersion: currentVersion, sentResult } = phase;
      return (
        <Notice title={text.patch.unconfirmedTitle}>
          <p>
            {!currentVersion
              ? text.patch.unconfirmedDetail
              : base && isSameVersion(currentVersion, base)
                ? text.patch.unconfirmedNot(base.version)
                : text.patch.unconfirmedOther(currentVersion.version)}
          </p>
          {!currentVersion && (
            <Button loading={reading} onClick={() => onReread(sentResult)}>
              {text.patch.readAgain}
            </Button>
          )}
        </Notice>
      );
    }
  }
}

/** Returns a function that names who saved a version: the author if a live event reported that save. */
function useConflictTitle(type: ResourceType, id: string): (version: number | undefined) => string {
  const liveEvent = useLiveEvents(type, id);
  const person = usePerson();
  return (version) => {
    if (liveEvent === undefined || liveEvent.version !== version) return text.patch.conflictTitle(version);
    const author = writerOf(liveEvent);
    return author === person?.name
      ? text.patch.conflictOwn(liveEvent.version)
      : text.patch.conflictTitle(version, author);
  };
}

interface MovesProps {
  readonly before: Version;
  readonly now: Version | undefined;
  readonly paths: readonly string[];
  readonly moves: readonly PathMove[];
}

/** Lists changes of another client to the elements of the operations, with their current paths. */
function ElementChanges({ before, now, paths, moves }: MovesProps) {
  const unmovedPaths = paths
    .filter((path) => moves.every(({ to }) => to !== path))
    .map((path) => ({ from: path, to: path }));
  const changes = [...moves, ...unmovedPaths].flatMap(({ from, to }) => {
    const [previousNode, currentNode] = [
      nodeAt(before.root, from),
      to === undefined ? undefined : nodeAt(now?.root, to),
    ];
    const isSame =
      previousNode && currentNode ? equal(previousNode, currentNode) : previousNode === currentNode;
    const path = to === undefined || to === from ? from : text.changes.between(from, to);
    if (isSame && to === from) return [];
    return [
      {
        path,
        isSame,
        previousText: previousNode && serializeNode(previousNode),
        currentText: currentNode && serializeNode(currentNode),
      },
    ];
  });
  if (changes.length === 0) return <p>{text.patch.conflictSame}</p>;
  return (
    <>
      <p>{text.patch.conflictChanged}</p>
      <ul className={styles.moves}>
        {changes.map(({ path, isSame, previousText, currentText }) => (
          <li key={path}>
            <strong>{path}</strong>
            {!isSame && (
              <>
                <del>{previousText ?? text.patch.absent}</del>
                <ins>{currentText ?? text.patch.absent}</ins>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Notice({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={styles.notice}>
      <div className={styles.warning} role="alert">
        <IconAlertTriangle size={18} aria-hidden />
        <div>
          <strong>{title}</strong>
          {children}
        </div>
      </div>
    </div>
  );
}
