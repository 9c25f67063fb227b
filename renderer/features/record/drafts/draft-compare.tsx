import { Button } from '@mantine/core';
import type { Draft } from '../../../../core/app/drafts.ts';
import { DiffView } from '../../../platform/diff-view.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { text } from '../../../ui/text.ts';
import { SheetFoot } from '../../../ui/sheet-foot.tsx';
import { clockTime } from '../../../ui/time.ts';
import frame from '../../../ui/view.module.css';
import type { Version } from '../record-state.ts';
import styles from './drafts.module.css';
import type { DraftOffer } from './use-draft-offer.ts';

interface DraftCompareProps {
  readonly draft: Draft;
  /** What the tab holds; absent where the record could not be read. */
  readonly current: Version | undefined;
  readonly offer: DraftOffer;
  readonly busy: boolean;
}

/** The record as it is beside the draft. */
export function DraftCompare({ draft, current, offer, busy }: DraftCompareProps) {
  return (
    <Sheet
      title={text.drafts.compareTitle(draft.title)}
      closeLabel={text.drafts.closeCompare}
      closeOnClickOutside
      onClose={offer.closeCompare}
    >
      <div className={frame.beside}>
        <DiffView
          original={current?.text ?? draft.base}
          modified={draft.text}
          originalLabel={current ? text.drafts.record(current.version) : text.drafts.noRecord}
          modifiedLabel={text.drafts.draft(clockTime(draft.saved))}
        />
      </div>
      <SheetFoot className={styles.compareFoot}>
        <Button onClick={() => offer.ask(draft)}>{text.drafts.discard}</Button>
        <Button variant="filled" data-autofocus disabled={busy} onClick={() => void offer.restore(draft)}>
          {text.drafts.restore}
        </Button>
      </SheetFoot>
    </Sheet>
  );
}
