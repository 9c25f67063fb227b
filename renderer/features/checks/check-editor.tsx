import { Button, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { ruleOfCheck, type StewardCheck } from '../../../core/app/checks.ts';
import { boundOf } from '../../../core/app/thresholds.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { SheetFoot } from '../../ui/sheet-foot.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import type { CheckDraft } from './check-draft.ts';
import { CheckFields } from './check-fields.tsx';
import { standOf } from './check-list.tsx';
import styles from './checks.module.css';
import { LivePart } from './live-part.tsx';
import { SkippedPart } from './named-records.tsx';
import { TrialPart } from './trial-part.tsx';
import { useCheckWrites, useTrial } from './use-checks.ts';

const words = text.checks;

interface CheckEditorProps {
  /** As it is kept; undefined for a new one. */
  readonly check: StewardCheck | undefined;
  readonly draft: CheckDraft;
  readonly changed: boolean;
  readonly onChange: (draft: CheckDraft) => void;
  readonly onSaved: (id: string) => void;
  readonly onRemoved: () => void;
  readonly onLeave: () => void;
}

/** One check as it is written, tried and switched on. */
export function CheckEditor(props: CheckEditorProps) {
  const { check, draft, changed, onChange, onSaved, onRemoved, onLeave } = props;
  const { save, remove } = useCheckWrites();
  const trial = useTrial(draft);
  const announce = useAnnounce();
  const refused = save.error ?? remove.error;
  const failure = refused ? toFailure(refused) : undefined;
  /** What the server says of a field. */
  const faultOf = (name: string) => failure?.issues?.find(({ expression }) => expression === name)?.text;

  function keep(next: CheckDraft, said: string) {
    // Not by the mutation's own callbacks: the list that is read anew may show the check in another editor by then.
    save.mutateAsync(next).then(
      ({ id }) => {
        announce(said);
        onSaved(id);
      },
      () => undefined,
    );
  }
  const untried = !draft.active && !trial.result;
  return (
    <div className={styles.editor}>
      <div className={styles.main}>
        {check && <p className={styles.stand}>{standOf(check).join(' · ')}</p>}
        {failure && <FailureMessage title={words.saveFailed} failure={failure} />}
        <CheckFields draft={draft} onChange={onChange} faultOf={faultOf} />
        <LivePart draft={draft} />
        <TrialPart draft={draft} trial={trial} onLeave={onLeave} />
        {check?.progress && check.progress.skipped > 0 && <SkippedPart id={check.id} onLeave={onLeave} />}
      </div>
      <SheetFoot>
        {check && <Removal check={check} remove={remove} onRemoved={onRemoved} />}
        {check?.progress && check.progress.findings > 0 && <ToFindings check={check} onLeave={onLeave} />}
        <Turn
          draft={draft}
          why={changed || !check ? words.saveFirst : untried ? words.tryFirst : undefined}
          onTurn={keep}
        />
        <Button
          variant="filled"
          loading={save.isPending}
          disabled={!changed || !isSound(draft)}
          onClick={() => keep(draft, words.saved(draft.title))}
        >
          {words.save}
        </Button>
      </SheetFoot>
    </div>
  );
}

interface RemovalProps {
  readonly check: StewardCheck;
  readonly remove: ReturnType<typeof useCheckWrites>['remove'];
  readonly onRemoved: () => void;
}

/** Removes a check, once somebody has said so twice. */
function Removal({ check: { id, title }, remove, onRemoved }: RemovalProps) {
  const announce = useAnnounce();
  const [asks, ask] = useState(false);
  const confirm = () =>
    remove.mutateAsync(id).then(
      () => {
        announce(words.removed(title));
        onRemoved();
      },
      () => ask(false),
    );
  return (
    <>
      <Button className={styles.apart} color="red" variant="outline" onClick={() => ask(true)}>
        {words.remove}
      </Button>
      {asks && (
        <Question
          title={words.removeTitle}
          confirm={words.remove}
          keep={words.keep}
          busy={remove.isPending}
          onKeep={() => ask(false)}
          onConfirm={() => void confirm()}
        >
          {words.removeWhat(title)}
        </Question>
      )}
    </>
  );
}

function ToFindings({ check, onLeave }: { readonly check: StewardCheck; readonly onLeave: () => void }) {
  const { worklistOf } = useWorkbenchActions();
  return (
    <Button
      onClick={() => {
        onLeave();
        worklistOf({ type: check.type, rule: ruleOfCheck(check.id) });
      }}
    >
      {words.findings}
    </Button>
  );
}

interface TurnProps {
  readonly draft: CheckDraft;
  /** Why it cannot be turned; undefined where it can. */
  readonly why: string | undefined;
  readonly onTurn: (turned: CheckDraft, said: string) => void;
}

/** Switches a check on or off. */
function Turn({ draft, why, onTurn }: TurnProps) {
  const { title, active } = draft;
  const turn = () =>
    onTurn({ ...draft, active: !active }, active ? words.switchedOff(title) : words.switchedOn(title));
  return (
    <Tooltip label={why} disabled={why === undefined}>
      <Button
        {...(why !== undefined && { 'data-disabled': true })}
        aria-disabled={why !== undefined}
        onClick={() => why === undefined && turn()}
      >
        {active ? words.off : words.on}
      </Button>
    </Tooltip>
  );
}

/** Whether it can be saved as it is written. */
function isSound({ id, title, holds, warnAbove, failAbove }: CheckDraft): boolean {
  const isWritten = [holds.trim(), title.trim(), id].every((one) => one !== '');
  return isWritten && [warnAbove, failAbove].every((one) => boundOf(one) !== 'wrong');
}
