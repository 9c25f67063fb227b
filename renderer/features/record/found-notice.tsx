import { writerOf } from '../../../core/app/authorship.ts';
import { Button } from '@mantine/core';
import { useHeard } from '../../platform/live.ts';
import { usePresent } from '../../ui/present.ts';
import { text } from '../../ui/text.ts';
import { relativeTime } from '../../ui/time.ts';
import { isUnsaved, isUnderReview } from './record-state.ts';
import { Notice } from './review/notice.tsx';
import type { RecordIo, RecordTarget } from './use-record-io.ts';

interface FoundNoticeProps {
  readonly target: RecordTarget;
  readonly io: RecordIo;
  /** Shows two versions beside each other. */
  readonly onCompare: (older: number, newer: number) => void;
}

/** Above the editor: the server holds another version than the one that the text was made on, or none. */
export function FoundNotice({ target, io, onCompare }: FoundNoticeProps) {
  const { type, id, found, base, phase } = target.state;
  const heard = useHeard(type, id);
  const now = usePresent();
  if (found === undefined || isUnderReview(phase)) return null;
  const unsaved = isUnsaved(target.state);
  if (found === 'gone') {
    return (
      <Notice title={text.record.gone} detail={unsaved ? text.record.goneDetail : text.record.goneShown}>
        {unsaved && <Button onClick={() => void io.keepAsDraft(target)}>{text.conflict.keep}</Button>}
      </Notice>
    );
  }
  const { version } = found;
  const own = base?.version;
  const by =
    heard && heard.version === version
      ? ([writerOf(heard), relativeTime(heard.lastUpdated, now)] as const)
      : undefined;
  return (
    <Notice
      tone="info"
      title={by ? text.record.movedBy(version, ...by) : text.record.moved(version)}
      detail={unsaved ? text.record.movedDetail(own) : text.record.shownDetail(own)}
    >
      {own !== undefined && version !== undefined && (
        <Button onClick={() => onCompare(own, version)}>{text.record.compare}</Button>
      )}
      {!unsaved && <Button onClick={() => void io.read(target)}>{text.record.show(version)}</Button>}
      {unsaved && phase.name !== 'invalid' && (
        <Button onClick={() => void io.merge(target)}>{text.record.merge}</Button>
      )}
    </Notice>
  );
}
