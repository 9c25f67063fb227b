import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import type { Version } from './record-state.ts';
import styles from './record.module.css';
import type { RecordIo, RecordTarget } from './use-record-io.ts';

interface ReviewNoticeProps {
  readonly target: RecordTarget;
  readonly base: Version;
  readonly io: RecordIo;
}

/** What the server said of the save, where it was not a plain yes, and what can be done now. */
export function ReviewNotice({ target, base, io }: ReviewNoticeProps) {
  const { phase } = target.state;
  switch (phase.name) {
    case 'failed':
      return (
        <div className={styles.notice}>
          <FailureMessage title={text.review.failedTitle} failure={phase.failure} />
        </div>
      );
    case 'conflict': {
      const current = phase.theirs?.version ?? phase.failure.currentVersion;
      return (
        <Notice title={text.review.conflictTitle(current)} detail={conflictDetail(phase.theirs)}>
          {phase.theirs ? (
            <Rebase target={target} theirs={phase.theirs} io={io} />
          ) : (
            <Button onClick={() => void io.compare(target)}>{text.review.reloadCompare}</Button>
          )}
        </Notice>
      );
    }
    case 'unconfirmed':
      return (
        <Notice title={text.review.unconfirmedTitle} detail={unconfirmedDetail(phase.theirs, base)}>
          {phase.theirs && phase.theirs.version !== base.version ? (
            <Rebase target={target} theirs={phase.theirs} io={io} />
          ) : (
            !phase.theirs && <Button onClick={() => void io.compare(target)}>{text.review.reread}</Button>
          )}
        </Notice>
      );
    case 'loading':
    case 'unreadable':
    case 'clean':
    case 'dirty':
    case 'invalid':
    case 'reviewing':
    case 'saving':
    case 'saved':
      return null;
  }
}

function conflictDetail(theirs: Version | undefined): string {
  return theirs ? text.review.comparing(theirs.version) : text.review.conflictDetail;
}

function unconfirmedDetail(theirs: Version | undefined, base: Version): string {
  if (!theirs) return text.review.unconfirmedDetail;
  return theirs.version === base.version
    ? text.review.notArrived(base.version)
    : text.review.comparing(theirs.version);
}

interface RebaseProps {
  readonly target: RecordTarget;
  readonly theirs: Version;
  readonly io: RecordIo;
}

/** The two ways on after a comparison: keep mine on top of theirs, or take theirs; both are explicit. */
function Rebase({ target, theirs, io }: RebaseProps) {
  return (
    <>
      <Button onClick={() => target.dispatch({ type: 'rebased', onto: theirs })}>
        {text.review.rebase(theirs.version)}
      </Button>
      <Button color="red" variant="outline" onClick={() => void io.read(target)}>
        {text.review.takeTheirs(theirs.version)}
      </Button>
    </>
  );
}

function Notice(props: { readonly title: string; readonly detail: string; readonly children: ReactNode }) {
  return (
    <div className={styles.notice}>
      <div className={styles.warning} role="alert">
        <IconAlertTriangle size={18} aria-hidden />
        <div>
          <strong>{props.title}</strong>
          <p>{props.detail}</p>
        </div>
        <div className={styles.noticeActions}>{props.children}</div>
      </div>
    </div>
  );
}
