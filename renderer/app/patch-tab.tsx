import { PatchDialog } from '../features/patch/patch-dialog.tsx';
import type { RecordIo, RecordTarget } from '../features/record/use-record-io.ts';
import type { RecordTab } from './tabs-state.ts';

interface PatchTabProps {
  readonly tab: RecordTab;
  readonly target: RecordTarget;
  readonly io: RecordIo;
  readonly onClose: () => void;
}

/** The patch composer over a tab's record: its answer becomes the tab's text. */
export function PatchTab({ tab, target, io, onClose }: PatchTabProps) {
  const { base, type, id } = tab.record;
  if (!base) return null;
  return (
    <PatchDialog
      type={type}
      id={id}
      version={base.version}
      recordText={base.text}
      onClose={onClose}
      onApplied={(answer) => {
        io.takeSaved(target, answer, base.version);
        onClose();
      }}
    />
  );
}
