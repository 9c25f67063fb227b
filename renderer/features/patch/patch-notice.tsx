import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isSameVersion } from '../../../core/api/same-version.ts';
import { equal } from '../../../core/json/equal.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { print } from '../../../core/json/print.ts';
import type { Version } from '../../platform/record-version.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { isTokenFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import type { PathMove } from './follow-paths.ts';
import { sentenceOf, type PlacedIssues } from './patch-issues.ts';
import { nodeAt } from './patch-rows.ts';
import type { PatchState } from './patch-state.ts';
import styles from './patch.module.css';

interface PatchNoticeProps {
  readonly state: PatchState;
  /** The paths of the operations. */
  readonly paths: readonly string[];
  readonly placed: PlacedIssues;
  readonly reading: boolean;
  readonly onReread: (sent: JsonNode | undefined) => void;
}

/** What the server said of the sending, where it was not a plain yes, and what can be done now. */
export function PatchNotice({ state, paths, placed, reading, onReread }: PatchNoticeProps) {
  const { phase, base } = state;
  switch (phase.name) {
    case 'composing':
    case 'sending':
      return null;
    case 'refused': {
      const failure = { ...phase.failure, sentences: placed.rest.map(sentenceOf) };
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
        <Notice title={text.patch.conflictTitle(phase.version)}>
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
        <Notice title={text.patch.conflictTitle(base?.version)}>
          <Moves before={phase.before} now={base} paths={paths} moves={phase.moves} />
          {base && <p>{text.patch.conflictSend(base.version)}</p>}
        </Notice>
      );
    case 'unconfirmed': {
      const { found, sent } = phase;
      return (
        <Notice title={text.patch.unconfirmedTitle}>
          <p>
            {!found
              ? text.patch.unconfirmedDetail
              : base && isSameVersion(found, base)
                ? text.patch.unconfirmedNot(base.version)
                : text.patch.unconfirmedOther(found.version)}
          </p>
          {!found && (
            <Button loading={reading} onClick={() => onReread(sent)}>
              {text.patch.readAgain}
            </Button>
          )}
        </Notice>
      );
    }
  }
}

interface MovesProps {
  readonly before: Version;
  readonly now: Version | undefined;
  readonly paths: readonly string[];
  readonly moves: readonly PathMove[];
}

/** What another client changed at the elements of the operations, and where these stand now. */
function Moves({ before, now, paths, moves }: MovesProps) {
  const stayed = paths
    .filter((path) => moves.every(({ to }) => to !== path))
    .map((path) => ({ from: path, to: path }));
  const moved = [...moves, ...stayed].flatMap(({ from, to }) => {
    const [was, is] = [nodeAt(before.root, from), to === undefined ? undefined : nodeAt(now?.root, to)];
    const same = was && is ? equal(was, is) : was === is;
    const path = to === undefined || to === from ? from : text.changes.between(from, to);
    if (same && to === from) return [];
    return [{ path, same, was: was && print(was), is: is && print(is) }];
  });
  if (moved.length === 0) return <p>{text.patch.conflictSame}</p>;
  return (
    <>
      <p>{text.patch.conflictChanged}</p>
      <ul className={styles.moves}>
        {moved.map(({ path, same, was, is }) => (
          <li key={path}>
            <strong>{path}</strong>
            {!same && (
              <>
                <del>{was ?? text.patch.absent}</del>
                <ins>{is ?? text.patch.absent}</ins>
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
