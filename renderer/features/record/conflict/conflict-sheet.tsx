import { Button, Menu } from '@mantine/core';
import { IconChevronUp } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { DiffView } from '../../../platform/diff-view.tsx';
import { replaceModelText } from '../../../platform/monaco-text.ts';
import { Sheet } from '../../../ui/sheet.tsx';
import { SheetFoot } from '../../../ui/sheet-foot.tsx';
import { text } from '../../../ui/text.ts';
import { titleOf, type Conflict, type Version } from '../record-state.ts';
import { inspect } from '../record-text.ts';
import { Notice } from '../review/notice.tsx';
import { SavedBy } from '../saved-by.tsx';
import type { RecordIo, RecordTarget } from '../use-record-io.ts';
import { ConflictDiscard } from './conflict-discard.tsx';
import frame from '../../../ui/view.module.css';
import styles from './conflict.module.css';
import { isOpen, mergedText, mergeOf, rebaseOf } from './merge-record.ts';
import { MergeTable } from './merge-table.tsx';

interface ConflictSheetProps {
  readonly target: RecordTarget;
  readonly base: Version;
  readonly theirs: Version;
  readonly choices: Conflict['choices'];
  /** The merged text as it was edited here; kept as a draft on their version. */
  readonly edited: string | undefined;
  readonly io: RecordIo;
}

/** Mine, base and theirs, path by path, and what comes of it. Nothing is sent from here: every way leads to the review. */
export function ConflictSheet({ target, base, theirs, choices, edited, io }: ConflictSheetProps) {
  const { state, dispatch, modelPath } = target;
  const [discarding, setDiscarding] = useState(false);
  const merged = useMemo(() => mergeOf(base, state.text, theirs), [base, state.text, theirs]);
  const made = useMemo(() => merged && mergedText(merged, choices), [merged, choices]);
  const [undone, setUndone] = useState(0);
  // What the editor begins with; what is typed there is not given back to it.
  const [begun, setBegun] = useState(edited);
  const result = edited ?? made;
  const valid = useMemo(() => edited === undefined || inspect(edited).valid, [edited]);
  const keepEditing = () => dispatch({ type: 'keepEditing' });
  if (!merged || result === undefined) return null;
  const take = (typed: string) => {
    const own = typed === made ? undefined : typed;
    if (own === undefined) setBegun(undefined);
    dispatch({ type: 'mergeEdited', text: own });
  };
  const undoEdits = () => {
    take(made ?? '');
    setUndone(undone + 1);
  };
  const overlaps = merged.rows.filter(({ by }) => by === 'overlap').length;
  const open = merged.rows.filter((row) => isOpen(row, choices)).length;

  function takeMerged(edit: boolean) {
    if (!merged || result === undefined) return;
    const rebase = rebaseOf('merged', merged, theirs);
    dispatch({ type: 'rebased', onto: theirs, text: result, rebase, ...(edit && { edit }) });
    replaceModelText(modelPath, result);
  }
  function overwrite() {
    if (!merged) return;
    const rebase = rebaseOf('overwriting', merged, theirs);
    dispatch({ type: 'rebased', onto: theirs, text: state.text, rebase });
  }

  return (
    <Sheet title={text.conflict.title} closeLabel={text.conflict.close} onClose={keepEditing}>
      <Notice
        title={text.conflict.found(theirs.version)}
        detail={text.conflict.detail(overlaps, merged.rows.length - overlaps)}
      >
        <SavedBy type={state.type} id={state.id} base={theirs} />
      </Notice>
      <MergeTable
        type={state.type}
        rows={merged.rows}
        choices={choices}
        base={base.version}
        theirs={theirs.version}
        onChoose={(row, choice) => dispatch({ type: 'chosen', row, choice })}
        fixed={edited !== undefined}
      />
      <div className={styles.result}>
        <DiffView
          key={undone}
          original={theirs.text}
          modified={begun ?? made ?? ''}
          originalLabel={text.conflict.theirText(theirs.version)}
          modifiedLabel={text.conflict.result(theirs.version)}
          // Choosing would undo what was typed, so that it comes first.
          {...(open === 0 && { onEdit: take })}
        />
      </div>
      {edited !== undefined && (
        <div className={styles.edited} role="status">
          <span>{valid ? text.conflict.edited : text.conflict.invalid}</span>
          <Button onClick={undoEdits}>{text.conflict.undoEdits}</Button>
        </div>
      )}
      <SheetFoot className={frame.actions}>
        <Menu position="top-start">
          <Menu.Target>
            <Button variant="subtle" rightSection={<IconChevronUp size={14} aria-hidden />}>
              {text.conflict.others}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => takeMerged(true)}>{text.conflict.edit}</Menu.Item>
            <Menu.Item onClick={() => void io.keepAsDraft(target)}>{text.conflict.keep}</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={overwrite}>
              {text.conflict.overwrite(theirs.version)}
            </Menu.Item>
            <Menu.Item color="red" onClick={() => setDiscarding(true)}>
              {text.conflict.discard}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <span className={styles.space} />
        {open > 0 && <span className={styles.open}>{text.conflict.open(open)}</span>}
        <Button variant="subtle" onClick={keepEditing}>
          {text.conflict.keepEditing}
        </Button>
        <Button variant="filled" disabled={!valid || open > 0} onClick={() => takeMerged(false)}>
          {text.conflict.review}
        </Button>
      </SheetFoot>
      {discarding && (
        <ConflictDiscard
          title={titleOf(state)}
          version={theirs.version}
          onClose={() => setDiscarding(false)}
          onDiscard={() => void io.read(target)}
        />
      )}
    </Sheet>
  );
}
