import { Button } from '@mantine/core';
import { isUnstored } from '../../../core/fhir/new-record.ts';
import type { ReactNode } from 'react';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { isTokenFailure, type Failure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { isGone } from './record-reading.ts';
import type { Version } from '../../platform/record-version.ts';
import type { Rebase } from './record-state.ts';
import { IssueList } from './review/issue-list.tsx';
import { Notice } from './review/notice.tsx';
import styles from './review/review.module.css';
import { SavedBy } from './saved-by.tsx';
import type { UnderReview } from './use-record-io.ts';

interface ReviewNoticeProps extends UnderReview {
  readonly onGo: (pointer: string) => void;
}

/** What has happened to the text that is under review, where that is not a plain edit, and what can be done now. */
export function ReviewNotice({ target, base, io, onGo }: ReviewNoticeProps) {
  const { phase, rebase } = target.state;
  switch (phase.name) {
    case 'failed':
      return <Refused target={target} failure={phase.failure} io={io} onGo={onGo} />;
    case 'unconfirmed':
      return (
        <Notice
          title={text.review.unconfirmedTitle}
          detail={phase.theirs ? notArrived(target.state.id, base) : text.review.unconfirmedDetail}
        >
          {!phase.theirs && <Button onClick={() => void io.compare(target)}>{text.review.reread}</Button>}
        </Notice>
      );
    case 'conflict':
      return (
        <Notice title={text.conflict.found(phase.current)} detail={text.conflict.unread}>
          <Button onClick={() => void io.compare(target)}>{text.conflict.read(phase.current)}</Button>
        </Notice>
      );
    case 'reviewing':
    case 'saving':
      return rebase ? (
        <Rebased {...rebase}>
          <SavedBy {...target.state} />
        </Rebased>
      ) : null;
    case 'loading':
    case 'unreadable':
    case 'clean':
    case 'dirty':
    case 'invalid':
    case 'saved':
      return null;
  }
}

function notArrived(id: string, { version }: Version): string {
  return isUnstored(id) ? text.review.notStored : text.review.notArrived(version);
}

function Rebased({ how, version, theirs, children }: Rebase & { readonly children: ReactNode }) {
  return (
    <Notice
      {...(how === 'merged' && { tone: 'info' })}
      title={text.review[`${how}Title`](version)}
      detail={text.review[`${how}Detail`](theirs)}
    >
      {children}
    </Notice>
  );
}

interface RefusedProps extends Omit<ReviewNoticeProps, 'base'> {
  readonly failure: Failure;
}

function Refused({ target, failure, io, onGo }: RefusedProps) {
  const { issues } = failure;
  return (
    <div className={styles.notice}>
      <FailureMessage title={titleOf(failure)} failure={issues ? { ...failure, sentences: [] } : failure}>
        {issues && <IssueList issues={issues} severity="error" onGo={onGo} />}
        {isGone(failure) && <Button onClick={() => void io.keepAsDraft(target)}>{text.conflict.keep}</Button>}
      </FailureMessage>
    </div>
  );
}

function titleOf(failure: Failure): string {
  if (isGone(failure)) return text.review.goneTitle;
  return isTokenFailure(failure) ? text.review.tokenTitle : text.review.failedTitle;
}
