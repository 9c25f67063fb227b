import { Button } from '@mantine/core';
import { text } from '../../ui/text.ts';
import { Notice } from './review/notice.tsx';
import type { RecordIo, RecordTarget } from './use-record-io.ts';

interface FoundNoticeProps {
  readonly target: RecordTarget;
  readonly io: RecordIo;
}

/** Above the editor: the server holds another version than the one that the unsaved text was made on, or none. */
export function FoundNotice({ target, io }: FoundNoticeProps) {
  const { found, base } = target.state;
  if (found === undefined) return null;
  if (found === 'gone') {
    return (
      <Notice title={text.record.gone} detail={text.record.goneDetail}>
        <Button onClick={() => void io.keepAsDraft(target)}>{text.conflict.keep}</Button>
      </Notice>
    );
  }
  return <Notice title={text.record.moved(found.version)} detail={text.record.movedDetail(base?.version)} />;
}
