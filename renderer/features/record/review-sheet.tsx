import { Button, Modal } from '@mantine/core';
import { useMemo } from 'react';
import { pathOf } from '../../../core/api/contract.ts';
import { etagOf } from '../../../core/api/precondition.ts';
import { diff } from '../../../core/json/diff.ts';
import { useConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import { ChangeList } from './change-list.tsx';
import { DiffView } from './diff-view.tsx';
import { canSend, type Version } from './record-state.ts';
import { inspect } from './record-text.ts';
import { ReviewNotice } from './review-notice.tsx';
import styles from './record.module.css';
import type { RecordIo, RecordTarget } from './use-record-io.ts';

/** What the server sets itself on every save, whatever is sent. */
const serverStamped = new Set(['/meta/versionId', '/meta/lastUpdated']);

interface ReviewSheetProps {
  readonly target: RecordTarget;
  readonly base: Version;
  readonly io: RecordIo;
}

/** Before a save: what changes, path by path and as a diff, the exact request, and after it what the server said. */
export function ReviewSheet({ target, base, io }: ReviewSheetProps) {
  const { state, dispatch } = target;
  const { phase, type, id } = state;
  const { name } = useConnection();
  const theirs = phase.name === 'conflict' || phase.name === 'unconfirmed' ? phase.theirs : undefined;
  const shown = theirs ?? base;
  const changes = useMemo(() => {
    const mine = inspect(state.text);
    return mine.valid ? diff(shown.root, mine.root).filter(({ pointer }) => !serverStamped.has(pointer)) : [];
  }, [shown, state.text]);
  const saving = phase.name === 'saving';
  const keepEditing = () => dispatch({ type: 'keepEditing' });
  const sendable = saving || canSend(state);

  return (
    <Modal
      opened
      onClose={keepEditing}
      closeOnClickOutside={false}
      closeOnEscape={!saving}
      title={text.review.title}
      size="calc(100vw - 64px)"
      yOffset={24}
      classNames={{
        content: styles.sheet ?? '',
        body: styles.sheetBody ?? '',
        header: styles.sheetHeader ?? '',
      }}
      closeButtonProps={{ 'aria-label': text.review.close, disabled: saving }}
    >
      <ReviewNotice target={target} base={base} io={io} />
      <div className={styles.compare}>
        <ChangeList changes={changes} />
        <DiffView
          key={shown.version ?? 0}
          original={shown.text}
          modified={state.text}
          originalLabel={text.review.serverVersion(shown.version)}
        />
      </div>
      <footer className={styles.sheetFoot}>
        <code className={styles.request} aria-label={text.review.request}>
          {`PUT ${pathOf(type, id)}`}
          {base.version !== undefined && <span>{`If-Match: ${etagOf(base.version)}`}</span>}
        </code>
        <Button onClick={keepEditing} disabled={saving}>
          {text.review.keepEditing}
        </Button>
        <Button
          variant="filled"
          data-autofocus
          loading={saving}
          disabled={!sendable}
          onClick={() => void io.save(target)}
        >
          {text.review.save}
        </Button>
        {sendable && <span className={styles.saveAs}>{text.review.saveAs(base.version, name)}</span>}
      </footer>
    </Modal>
  );
}
