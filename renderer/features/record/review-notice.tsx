import { Button } from '@mantine/core';
import { isNewRecord } from '../../../core/fhir/new-record.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { isTokenFailure, type Failure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { isGone } from './record-reading.ts';
import type { Version } from '../../platform/record-version.ts';
import type { Rebase, RecordHead } from './record-state.ts';
import { IssueList } from './review/issue-list.tsx';
import { Banner } from './review/notice.tsx';
import styles from './review/review.module.css';
import { SaveTime, useSavedMessage } from './saved-by.tsx';
import type { RecordReview } from './use-record-requests.ts';

interface ReviewNoticeProps extends RecordReview {
  readonly onGo: (pointer: string) => void;
}

/** Banner above the review: the last failure, conflict or merge, and the possible actions. */
export function ReviewBanner({ target, base, requests, onGo }: ReviewNoticeProps) {
  const { phase, rebase } = target.state;
  switch (phase.name) {
    case 'failed':
      return <RejectionBanner target={target} failure={phase.failure} requests={requests} onGo={onGo} />;
    case 'unconfirmed':
      return (
        <Banner
          title={text.review.unconfirmedTitle}
          detail={phase.theirs ? formatNotArrived(target.state.id, base) : text.review.unconfirmedDetail}
        >
          {!phase.theirs && (
            <Button onClick={() => void requests.compareVersions(target)}>{text.review.reread}</Button>
          )}
        </Banner>
      );
    case 'conflict':
      return (
        <Banner title={text.conflict.found(phase.current)} detail={text.conflict.unread}>
          <Button onClick={() => void requests.compareVersions(target)}>
            {text.conflict.read(phase.current)}
          </Button>
        </Banner>
      );
    case 'reviewing':
    case 'saving':
      return rebase ? <RebaseBanner rebase={rebase} recordHead={target.state} /> : null;
    case 'loading':
    case 'unreadable':
    case 'clean':
    case 'dirty':
    case 'invalid':
    case 'saved':
      return null;
  }
}

function formatNotArrived(id: string, { version }: Version): string {
  return isNewRecord(id) ? text.review.notStored : text.review.notArrived(version);
}

function RebaseBanner({ rebase, recordHead }: { readonly rebase: Rebase; readonly recordHead: RecordHead }) {
  const { method, version, theirs } = rebase;
  const savedMessage = useSavedMessage(recordHead);
  return (
    <Banner
      {...(method === 'merged' && { tone: 'info' })}
      title={method === 'merged' ? savedMessage : text.review.overwritingTitle(version)}
      detail={text.review[`${method}Detail`](theirs)}
    >
      <SaveTime {...recordHead} />
    </Banner>
  );
}

interface RejectionBannerProps extends Omit<ReviewNoticeProps, 'base'> {
  readonly failure: Failure;
}

function RejectionBanner({ target, failure, requests, onGo }: RejectionBannerProps) {
  const { issues } = failure;
  return (
    <div className={styles.notice}>
      <FailureMessage title={formatTitle(failure)} failure={issues ? { ...failure, sentences: [] } : failure}>
        {issues && <IssueList issues={issues} severity="error" onGo={onGo} />}
        {isGone(failure) && (
          <Button onClick={() => void requests.keepAsDraft(target)}>{text.conflict.keep}</Button>
        )}
      </FailureMessage>
    </div>
  );
}

function formatTitle(failure: Failure): string {
  if (isGone(failure)) return text.review.goneTitle;
  return isTokenFailure(failure) ? text.review.tokenTitle : text.review.failedTitle;
}
