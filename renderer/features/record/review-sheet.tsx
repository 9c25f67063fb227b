import { Button } from '@mantine/core';
import { isNewRecord } from '../../../core/fhir/new-record.ts';
import { useId, useMemo, useState } from 'react';
import { recordChanges } from '../../../core/fhir/record-changes.ts';
import { ChangeList } from '../../platform/change-list.tsx';
import { placeOf, useConnection } from '../../platform/connection.ts';
import { DiffView, locateChange, type DiffLocation } from '../../platform/diff-view.tsx';
import { useIsReasonMissing } from '../../platform/people.ts';
import { useSavePreview } from '../../platform/use-verdict.ts';
import { WhyFields } from '../../platform/reason-fields.tsx';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { consentOf, sendLabel } from '../../platform/write-consent.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { text } from '../../ui/text.ts';
import { ConflictSheet } from './conflict/conflict-sheet.tsx';
import { canSend, type RecordState, type Rebase, type RecordHead } from './record-state.ts';
import { inspect } from '../../platform/read-json.ts';
import frame from '../../ui/view.module.css';
import { Banner } from './review/notice.tsx';
import { RequestPane } from './review/request-pane.tsx';
import styles from './review/review.module.css';
import { SavePreviewPane } from './review/verdict-pane.tsx';
import type { RecordReview } from './use-record-requests.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { isTokenFailure, type Failure } from '../../ui/failure.ts';
import { isGone } from './record-reading.ts';
import type { Version } from '../../platform/record-version.ts';
import { IssueList } from './review/issue-list.tsx';
import { SaveTime, useSavedMessage } from './saved-by.tsx';

/**
 * Sheet before a save: changes, preview and request. After the save, it shows the failure or the conflict.
 */
export function ReviewSheet({ target, base, requests }: RecordReview) {
  const { state, dispatch, modelPath } = target;
  const { phase } = state;
  const { remote } = useConnection();
  if (phase.name === 'conflict' && phase.theirs) {
    const { theirs, choices, editedText } = phase;
    return (
      <ConflictSheet
        target={target}
        base={base}
        theirs={theirs}
        choices={choices}
        editedText={editedText}
        requests={requests}
      />
    );
  }
  const isSaving = phase.name === 'saving';
  const keepEditing = () => dispatch({ type: 'keepEditing' });
  const goTo = (pointer: string) => {
    keepEditing();
    // After the sheet has closed, because it restores the focus when it closes.
    requestAnimationFrame(() => revealPointer(modelPath, pointer));
  };

  return (
    <Sheet title={text.review.title} closeLabel={text.review.close} busy={isSaving} onClose={keepEditing}>
      <ReviewBanner target={target} base={base} requests={requests} onGo={goTo} />
      {remote && base.etag === undefined && !isNewRecord(state.id) && (
        <Banner tone="info" title={text.review.noEtag} detail={text.review.noEtagDetail} />
      )}
      <Changes target={target} base={base} />
      <div className={styles.below}>
        <SavePreviewPane state={state} onGo={goTo} />
        <RequestPane target={target} disabled={!isSaving && !canSend(state)} />
      </div>
      <ReasonPane target={target} requests={requests} />
      <ReviewFoot target={target} base={base} requests={requests} onClose={keepEditing} />
    </Sheet>
  );
}

function Changes({ target: { state }, base }: Pick<RecordReview, 'target' | 'base'>) {
  const [visibleChange, setVisibleChange] = useState<DiffLocation>();
  const changes = useMemo(() => {
    const ours = inspect(state.text);
    return ours.valid ? recordChanges(base.root, ours.root) : [];
  }, [base, state.text]);
  const previousBase = state.rebase?.from;
  const theirs = useMemo(
    () => (previousBase ? recordChanges(previousBase.root, base.root) : []),
    [previousBase, base],
  );
  return (
    <div className={frame.beside}>
      <div className={frame.side}>
        <ChangeList
          type={state.type}
          changes={changes}
          name={text.review.changes}
          heading={text.review.changeCount(changes.length)}
          onGo={(change) => setVisibleChange(locateChange(change))}
        />
        {theirs.length > 0 && (
          <ChangeList
            type={state.type}
            changes={theirs}
            name={text.review.theirChanges}
            heading={text.review.ofTheirs(theirs.length)}
            onGo={({ pointer, after }) =>
              // A removed element is in neither text: its parent is shown.
              setVisibleChange({
                side: 'original',
                pointer: after === undefined ? holderOf(pointer) : pointer,
              })
            }
          />
        )}
      </div>
      <DiffView
        key={base.etag ?? base.version ?? 0}
        original={base.text}
        modified={state.text}
        originalLabel={
          isNewRecord(state.id) ? text.review.nothingYet : text.review.serverVersion(base.version)
        }
        modifiedLabel={text.review.yours}
        revealedLocation={visibleChange}
      />
    </div>
  );
}

function holderOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** Field for the reason of the change. Enter saves, unless each write needs consent. */
function ReasonPane({ target, requests }: Pick<RecordReview, 'target' | 'requests'>) {
  const { state, dispatch } = target;
  const { remote } = useConnection();
  const disabledReason = useDisabledReason(state);
  const announce = useAnnounce();
  const needsConsent = consentOf(remote).confirmed !== undefined;
  return (
    <WhyFields
      reason={state.reason?.text ?? ''}
      disabled={state.phase.name === 'saving'}
      onReason={(reasonText) =>
        dispatch({ type: 'reasoned', reason: { text: reasonText, writtenAt: new Date().toISOString() } })
      }
      onEnter={() => {
        if (disabledReason !== undefined) announce(disabledReason);
        else if (!needsConsent && canSend(state)) void requests.saveRecord(target);
      }}
    />
  );
}

/** Returns the reason why the save would be rejected; undefined if none is known. */
function useDisabledReason(state: RecordState): string | undefined {
  const { data: preview } = useSavePreview(state);
  const isReasonMissing = useIsReasonMissing(state.reason?.text ?? '');
  const { length: rejectedCount } = preview?.rejected ?? [];
  if (rejectedCount > 0) return text.review.off(rejectedCount);
  return isReasonMissing ? text.why.first : undefined;
}

function ReviewFoot({ target, base, requests, onClose }: RecordReview & { readonly onClose: () => void }) {
  const { state } = target;
  const reasonId = useId();
  const connection = useConnection();
  const { remote } = connection;
  // If each write needs consent, Enter must not send.
  const needsConsent = consentOf(remote).confirmed !== undefined;
  const isSaving = state.phase.name === 'saving';
  const isSendable = isSaving || canSend(state);
  const announce = useAnnounce();
  const reason = useDisabledReason(state);
  const disabledReason = isSaving ? undefined : reason;
  return (
    <SheetFooter>
      <Button onClick={onClose} disabled={isSaving} data-autofocus={needsConsent || undefined}>
        {text.review.keepEditing}
      </Button>
      <Button
        variant="filled"
        data-autofocus={!needsConsent || undefined}
        loading={isSaving}
        disabled={!isSendable}
        // Save may have the focus when the preview arrives, so it stays focusable and announces the reason.
        aria-disabled={disabledReason !== undefined || undefined}
        {...(disabledReason !== undefined && { 'data-disabled': true })}
        aria-describedby={disabledReason === undefined ? undefined : reasonId}
        onClick={() =>
          disabledReason === undefined ? void requests.saveRecord(target) : announce(disabledReason)
        }
      >
        {sendLabel(remote, text.review.save, text.consent.save)}
      </Button>
      {isSendable && (
        <span className={styles.saveAs} id={reasonId}>
          {disabledReason ??
            (isNewRecord(state.id)
              ? text.review.createAt(placeOf(connection))
              : text.review.saveAs(base.version, placeOf(connection)))}
        </span>
      )}
    </SheetFooter>
  );
}

interface ReviewNoticeProps extends RecordReview {
  readonly onGo: (pointer: string) => void;
}

/** Banner above the review: the last failure, conflict or merge, and the possible actions. */
function ReviewBanner({ target, base, requests, onGo }: ReviewNoticeProps) {
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
