import { Button, Menu } from '@mantine/core';
import { IconChevronUp } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { format } from '../../../../core/json/print.ts';
import { DiffView } from '../../../platform/diff-view.tsx';
import { replaceModelText } from '../../../platform/monaco-text.ts';
import { Question } from '../../../ui/question.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { SheetFoot } from '../../../ui/sheet-foot.tsx';
import { text } from '../../../ui/text.ts';
import type { Version } from '../../../platform/record-version.ts';
import { titleOf, type Conflict, type Rebase } from '../record-state.ts';
import { inspect } from '../../../platform/read-json.ts';
import { Notice } from '../review/notice.tsx';
import { SavedBy, useAuthor } from '../saved-by.tsx';
import type { UnderReview } from '../use-record-io.ts';
import frame from '../../../ui/view.module.css';
import styles from './conflict.module.css';
import { isOpen, mergeOf, previewChoices, rebaseOf } from './merge-record.ts';
import { MergeTable } from './merge-table.tsx';

interface ConflictSheetProps extends UnderReview {
  readonly theirs: Version;
  readonly choices: Conflict['choices'];
  /** The merged text as it was edited here; kept as a draft on their version. */
  readonly edited: string | undefined;
}

/** Mine, base and theirs, path by path, and what comes of it. Nothing is sent from here: every way leads to the review. */
export function ConflictSheet({ target, base, theirs, choices, edited, io }: ConflictSheetProps) {
  const { state, dispatch, modelPath } = target;
  const merged = useMemo(() => mergeOf(base, state.text, theirs), [base, state.text, theirs]);
  const made = useMemo(() => merged && format(merged.resolve(choices)), [merged, choices]);
  const preview = useMemo(
    () => merged && format(merged.resolve(previewChoices(merged, choices))),
    [merged, choices],
  );
  const author = useAuthor({ type: state.type, id: state.id, base: theirs });
  const valid = useMemo(() => edited === undefined || inspect(edited).valid, [edited]);
  const keepEditing = () => dispatch({ type: 'keepEditing' });
  if (!merged || made === undefined || preview === undefined) return null;
  const overlaps = merged.rows.filter(({ by }) => by === 'overlap').length;
  const open = merged.rows.filter((row) => isOpen(row, choices)).length;
  const result = edited ?? made;
  const rebase = (how: Rebase['how'], json: string, edit?: true) => {
    const rebased = rebaseOf(how, merged, theirs);
    dispatch({ type: 'rebased', onto: theirs, text: json, rebase: rebased, ...(edit && { edit }) });
  };
  const takeMerged = (edit?: true) => {
    rebase('merged', result, edit);
    replaceModelText(modelPath, result);
  };
  return (
    <Sheet title={text.conflict.title} closeLabel={text.conflict.close} onClose={keepEditing}>
      <Notice
        title={text.conflict.found(theirs.version, author)}
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
      <Result
        {...{ theirs, made: preview, edited, valid, settled: open === 0 }}
        onEdit={(typed) => dispatch({ type: 'mergeEdited', text: typed })}
      />
      <SheetFoot className={frame.actions}>
        <Others
          {...{ target, theirs, io }}
          onEdit={() => takeMerged(true)}
          onOverwrite={() => rebase('overwriting', state.text)}
        />
        <span className={styles.space} />
        {open > 0 && <span className={styles.open}>{text.conflict.open(open)}</span>}
        <Button variant="subtle" onClick={keepEditing}>
          {text.conflict.keepEditing}
        </Button>
        <Button variant="filled" disabled={!valid || open > 0} onClick={() => takeMerged()}>
          {text.conflict.review}
        </Button>
      </SheetFoot>
    </Sheet>
  );
}

interface ResultProps extends Pick<ConflictSheetProps, 'theirs' | 'edited'> {
  /** The merged text as the choices make it; without a choice as theirs. */
  readonly made: string;
  readonly valid: boolean;
  /** Whether nothing is open. */
  readonly settled: boolean;
  /** Takes what is typed; undefined where that is the merged text itself. */
  readonly onEdit: (typed: string | undefined) => void;
}

/** Their version beside what comes of both, to be edited. */
function Result({ theirs, made, edited, valid, settled, onEdit }: ResultProps) {
  const [undone, setUndone] = useState(0);
  // What the editor begins with; what is typed there is not given back to it.
  const [begun, setBegun] = useState(edited);
  const take = (typed: string) => {
    const own = typed === made ? undefined : typed;
    if (own === undefined) setBegun(undefined);
    onEdit(own);
  };
  const undo = () => {
    take(made);
    setUndone(undone + 1);
  };
  return (
    <>
      <div className={styles.result}>
        <DiffView
          key={undone}
          original={theirs.text}
          modified={begun ?? made}
          originalLabel={text.conflict.theirText(theirs.version)}
          modifiedLabel={text.conflict.result(theirs.version)}
          // Choosing would undo what was typed, so that it comes first.
          {...(settled && { onEdit: take })}
        />
      </div>
      {edited !== undefined && (
        <div className={styles.edited} role="status">
          <span>{valid ? text.conflict.edited : text.conflict.invalid}</span>
          <Button onClick={undo}>{text.conflict.undoEdits}</Button>
        </div>
      )}
    </>
  );
}

interface OthersProps extends Pick<ConflictSheetProps, 'target' | 'theirs' | 'io'> {
  readonly onEdit: () => void;
  readonly onOverwrite: () => void;
}

/** The ways out that are seldom taken. */
function Others({ target, theirs: { version }, io, onEdit, onOverwrite }: OthersProps) {
  const [discarding, setDiscarding] = useState(false);
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
          <Menu.Item onClick={() => void io.keepAsDraft(target)}>{text.conflict.keep}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={onOverwrite}>
            {text.conflict.overwrite(version)}
          </Menu.Item>
          <Menu.Item color="red" onClick={() => setDiscarding(true)}>
            {text.conflict.discard}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {discarding && (
        <Question
          title={text.conflict.discardTitle}
          confirm={text.conflict.discardConfirm}
          keep={text.conflict.discardKeep}
          onConfirm={() => void io.read(target)}
          onKeep={() => setDiscarding(false)}
        >
          <p>{text.conflict.discardDetail(titleOf(target.state), version)}</p>
        </Question>
      )}
    </>
  );
}
