import { Button, Menu } from '@mantine/core';
import { IconChevronUp } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { formatNode } from '../../../../core/json/node.ts';
import { DiffView } from '../../../platform/diff-view.tsx';
import { Question } from '../../../ui/question.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { SheetFooter } from '../../../ui/sheet-footer.tsx';
import { text } from '../../../ui/text.ts';
import type { Version } from '../../../platform/record-version.ts';
import { titleOf, type Conflict, type Rebase } from '../record-state.ts';
import { inspect } from '../../../platform/read-json.ts';
import { Banner } from '../review/notice.tsx';
import { SaveTime, useSavedMessage } from '../saved-by.tsx';
import type { RecordReview } from '../use-record-requests.ts';
import frame from '../../../ui/view.module.css';
import styles from './conflict.module.css';
import { isOpen, mergeOf, previewChoices, rebaseOf } from './merge-record.ts';
import { MergeTable } from './merge-table.tsx';

interface ConflictSheetProps extends RecordReview {
  readonly theirs: Version;
  readonly choices: Conflict['choices'];
  /** Merged text as edited here. It is stored as a draft on their version. */
  readonly editedText: string | undefined;
}

/**
 * Shows ours, base and theirs by path, and the merged text. It sends nothing: every button leads to the
 * review.
 */
export function ConflictSheet({ target, base, theirs, choices, editedText, requests }: ConflictSheetProps) {
  const { state, dispatch } = target;
  const mergeResult = useMemo(() => mergeOf(base, state.text, theirs), [base, state.text, theirs]);
  const mergedText = useMemo(
    () => mergeResult && formatNode(mergeResult.resolve(choices)),
    [mergeResult, choices],
  );
  const preview = useMemo(
    () => mergeResult && formatNode(mergeResult.resolve(previewChoices(mergeResult, choices))),
    [mergeResult, choices],
  );
  const savedMessage = useSavedMessage({ type: state.type, id: state.id, base: theirs });
  const isValid = useMemo(() => editedText === undefined || inspect(editedText).valid, [editedText]);
  const keepEditing = () => dispatch({ type: 'keepEditing' });
  if (!mergeResult || mergedText === undefined || preview === undefined) return null;
  const overlapCount = mergeResult.rows.filter(({ side }) => side === 'overlap').length;
  const openCount = mergeResult.rows.filter((row) => isOpen(row, choices)).length;
  const result = editedText ?? mergedText;
  const rebase = (method: Rebase['method'], json: string, edit?: true) => {
    const rebased = rebaseOf(method, mergeResult, theirs);
    dispatch({ type: 'rebased', onto: theirs, text: json, rebase: rebased, ...(edit && { edit }) });
  };
  return (
    <Sheet title={text.conflict.title} closeLabel={text.conflict.close} onClose={keepEditing}>
      <Banner
        title={savedMessage}
        detail={text.conflict.detail(overlapCount, mergeResult.rows.length - overlapCount)}
      >
        <SaveTime type={state.type} id={state.id} base={theirs} />
      </Banner>
      <MergeTable
        type={state.type}
        rows={mergeResult.rows}
        choices={choices}
        base={base.version}
        theirs={theirs.version}
        onSelect={(row, choice) => dispatch({ type: 'chosen', row, choice })}
        fixed={editedText !== undefined}
      />
      <Result
        theirs={theirs}
        mergedText={preview}
        editedText={editedText}
        valid={isValid}
        isResolved={openCount === 0}
        onEdit={(typedText) => dispatch({ type: 'mergeEdited', text: typedText })}
      />
      <SheetFooter className={frame.actions}>
        <MoreActions
          target={target}
          theirs={theirs}
          requests={requests}
          onEdit={() => rebase('merged', result, true)}
          onOverwrite={() => rebase('overwriting', state.text)}
        />
        <span className={styles.space} />
        {openCount > 0 && <span className={styles.open}>{text.conflict.open(openCount)}</span>}
        <Button variant="subtle" onClick={keepEditing}>
          {text.conflict.keepEditing}
        </Button>
        <Button
          variant="filled"
          disabled={!isValid || openCount > 0}
          onClick={() => rebase('merged', result)}
        >
          {text.conflict.review}
        </Button>
      </SheetFooter>
    </Sheet>
  );
}

interface ResultProps extends Pick<ConflictSheetProps, 'theirs' | 'editedText'> {
  /** Merged text after the choices. An open choice uses their value. */
  readonly mergedText: string;
  readonly valid: boolean;
  /** True if no choice is open. */
  readonly isResolved: boolean;
  /** Receives the edited text; undefined if it equals the merged text. */
  readonly onEdit: (typedText: string | undefined) => void;
}

/** The version of the other client next to the editable merged text. */
function Result({ theirs, mergedText, editedText, valid, isResolved, onEdit }: ResultProps) {
  const [undoCount, setUndone] = useState(0);
  // Initial text of the editor. Typed text is not written back to the editor.
  const [initialText, setBegun] = useState(editedText);
  const handleEdit = (typedText: string) => {
    const changedText = typedText === mergedText ? undefined : typedText;
    if (changedText === undefined) setBegun(undefined);
    onEdit(changedText);
  };
  const undo = () => {
    handleEdit(mergedText);
    setUndone(undoCount + 1);
  };
  return (
    <>
      <div className={styles.result}>
        <DiffView
          key={undoCount}
          original={theirs.text}
          modified={initialText ?? mergedText}
          originalLabel={text.conflict.theirText(theirs.version)}
          modifiedLabel={text.conflict.result(theirs.version)}
          // Editable only when no choice is open, because a choice replaces edits.
          {...(isResolved && { onEdit: handleEdit })}
        />
      </div>
      {editedText !== undefined && (
        <div className={styles.edited} role="status">
          <span>{valid ? text.conflict.edited : text.conflict.invalid}</span>
          <Button onClick={undo}>{text.conflict.undoEdits}</Button>
        </div>
      )}
    </>
  );
}

interface MoreActionsProps extends Pick<ConflictSheetProps, 'target' | 'theirs' | 'requests'> {
  readonly onEdit: () => void;
  readonly onOverwrite: () => void;
}

/** Menu of the rare actions. */
function MoreActions({ target, theirs: { version }, requests, onEdit, onOverwrite }: MoreActionsProps) {
  const [isDiscarding, setDiscarding] = useState(false);
  return (
    <>
      <Menu position="top-start">
        <Menu.Target>
          <Button variant="subtle" rightSection={<IconChevronUp size={14} aria-hidden />}>
            {text.conflict.others}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onEdit}>{text.conflict.edit}</Menu.Item>
          <Menu.Item onClick={() => void requests.keepAsDraft(target)}>{text.conflict.keep}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={onOverwrite}>
            {text.conflict.overwrite(version)}
          </Menu.Item>
          <Menu.Item color="red" onClick={() => setDiscarding(true)}>
            {text.conflict.discard}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDiscarding && (
        <Question
          title={text.conflict.discardTitle}
          confirm={text.conflict.discardConfirm}
          keep={text.conflict.discardKeep}
          onConfirm={() => void requests.loadRecord(target)}
          onKeep={() => setDiscarding(false)}
        >
          <p>{text.conflict.discardDetail(titleOf(target.state), version)}</p>
        </Question>
      )}
    </>
  );
}
