import { writerOf } from '../../../core/app/authorship.ts';
import { Button } from '@mantine/core';
import { useLiveEvents } from '../../platform/live.ts';
import { usePerson } from '../../platform/people.ts';
import { usePresent } from '../../ui/present.ts';
import { text } from '../../ui/text.ts';
import { relativeTime } from '../../ui/time.ts';
import { isUnsaved, isUnderReview } from './record-state.ts';
import { Banner } from './review/notice.tsx';
import type { RecordRequests, RecordTarget } from './use-record-requests.ts';

interface FoundNoticeProps {
  readonly target: RecordTarget;
  readonly requests: RecordRequests;
  /** Compares two versions. */
  readonly onCompare: (older: number, newer: number) => void;
}

/** Banner above the editor if the server has another version than the text is based on, or none. */
export function FoundNotice({ target, requests, onCompare }: FoundNoticeProps) {
  const { type, id, serverVersion, base, phase } = target.state;
  const liveEvent = useLiveEvents(type, id);
  const now = usePresent();
  const currentPerson = usePerson();
  if (serverVersion === undefined || isUnderReview(phase)) return null;
  const hasUnsavedText = isUnsaved(target.state);
  if (serverVersion === 'gone') {
    return (
      <Banner
        title={text.record.gone}
        detail={hasUnsavedText ? text.record.goneDetail : text.record.goneShown}
      >
        {hasUnsavedText && (
          <Button onClick={() => void requests.keepAsDraft(target)}>{text.conflict.keep}</Button>
        )}
      </Banner>
    );
  }
  const { version } = serverVersion;
  const ownVersion = base?.version;
  const formatTitle = () => {
    if (liveEvent?.version !== version || liveEvent === undefined) return text.record.moved(version);
    const [author, age] = [writerOf(liveEvent), relativeTime(liveEvent.lastUpdated, now)];
    return author === currentPerson?.name
      ? text.record.movedByYou(liveEvent.version, age)
      : text.record.movedBy(liveEvent.version, author, age);
  };
  return (
    <Banner
      tone="info"
      title={formatTitle()}
      detail={hasUnsavedText ? text.record.movedDetail(ownVersion) : text.record.shownDetail(ownVersion)}
    >
      {ownVersion !== undefined && version !== undefined && (
        <Button onClick={() => onCompare(ownVersion, version)}>{text.record.compare}</Button>
      )}
      {!hasUnsavedText && (
        <Button onClick={() => void requests.loadRecord(target)}>{text.record.show(version)}</Button>
      )}
      {hasUnsavedText && phase.name !== 'invalid' && (
        <Button onClick={() => void requests.mergeVersions(target)}>{text.record.merge}</Button>
      )}
    </Banner>
  );
}
