import { Button, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { ruleOfCheck, type StewardCheck } from '../../../core/app/checks.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure, type Failure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { SheetFoot } from '../../ui/sheet-foot.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { boundOf } from '../../../core/app/thresholds.ts';
import { askedBy, type CheckDraft } from './check-draft.ts';
import { CheckFields } from './check-fields.tsx';
import { standOf } from './check-list.tsx';
import styles from './checks.module.css';
import { LivePart } from './live-part.tsx';
import { SkippedPart } from './skipped-part.tsx';
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
  const trial = useTrial();
  const announce = useAnnounce();
  const { worklistOf } = useWorkbenchActions();
  const [tried, setTried] = useState<CheckDraft>();
  const [asks, ask] = useState(false);
  const refused = save.error ?? remove.error;
  const failure = refused ? toFailure(refused) : undefined;
  const isTried = tried !== undefined && sameQuestion(tried, draft) && trial.isSuccess;
  const isWritten = draft.holds.trim() !== '' && draft.title.trim() !== '' && draft.id !== '';
  const sound = isWritten && [draft.warnAbove, draft.failAbove].every((one) => boundOf(one) !== 'wrong');

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
  const turn = () => {
    const { title, active } = draft;
    keep({ ...draft, active: !active }, active ? words.switchedOff(title) : words.switchedOn(title));
  };
  const why = changed || !check ? words.saveFirst : !draft.active && !isTried ? words.tryFirst : undefined;
  return (
    <div className={styles.editor}>
      <div className={styles.main}>
        {check && <p className={styles.stand}>{standOf(check).join(' · ')}</p>}
        {failure && <FailureMessage title={words.saveFailed} failure={failure} />}
        <CheckFields draft={draft} onChange={onChange} faultOf={(name) => faultOf(failure, name)} />
        <LivePart draft={draft} />
        <TrialPart
          type={draft.type}
          result={isTried ? trial.data : undefined}
          error={trial.error}
          pending={trial.isPending}
          disabled={draft.holds.trim() === ''}
          onTry={() => {
            setTried(draft);
            trial.mutate(askedBy(draft));
          }}
          onLeave={onLeave}
        />
        {check?.progress && check.progress.skipped > 0 && <SkippedPart id={check.id} onLeave={onLeave} />}
      </div>
      <SheetFoot>
        {check && (
          <Button className={styles.apart} color="red" variant="outline" onClick={() => ask(true)}>
            {words.remove}
          </Button>
        )}
        {check && (check.progress?.findings ?? 0) > 0 && (
          <Button
            onClick={() => {
              onLeave();
              worklistOf({ type: check.type, rule: ruleOfCheck(check.id) });
            }}
          >
            {words.findings}
          </Button>
        )}
        <Tooltip label={why} disabled={why === undefined}>
          <Button
            {...(why !== undefined && { 'data-disabled': true })}
            aria-disabled={why !== undefined}
            onClick={() => why === undefined && turn()}
          >
            {draft.active ? words.off : words.on}
          </Button>
        </Tooltip>
        <Button
          variant="filled"
          loading={save.isPending}
          disabled={!changed || !sound}
          onClick={() => keep(draft, words.saved(draft.title))}
        >
          {words.save}
        </Button>
      </SheetFoot>
      {asks && check && (
        <Question
          title={words.removeTitle}
          confirm={words.remove}
          keep={words.keep}
          busy={remove.isPending}
          onKeep={() => ask(false)}
          onConfirm={() => {
            remove.mutateAsync(check.id).then(
              () => {
                announce(words.removed(check.title));
                onRemoved();
              },
              () => ask(false),
            );
          }}
        >
          {words.removeWhat(check.title)}
        </Question>
      )}
    </div>
  );
}

function sameQuestion(one: CheckDraft, other: CheckDraft): boolean {
  return JSON.stringify(askedBy(one)) === JSON.stringify(askedBy(other));
}

/** What the server says of a field. */
function faultOf(failure: Failure | undefined, name: string): string | undefined {
  return failure?.issues?.find(({ expression }) => expression === name)?.text;
}
