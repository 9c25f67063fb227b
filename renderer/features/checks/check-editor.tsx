import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { ruleOfCheck, type CustomCheck, type TrialResult } from '../../../core/app/checks.ts';
import { parseLimit } from '../../../core/app/thresholds.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage, RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import type { CheckDraft } from './check-draft.ts';
import { CheckFields } from './check-fields.tsx';
import { describeProgress } from './check-list.tsx';
import styles from './checks.module.css';
import { LivePart, ElementExpression } from './live-part.tsx';
import { useCheckWrites, useTrial, useSkipped, type Trial } from './use-checks.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

interface NamedRecordsProps {
  readonly title: string;
  readonly type: ResourceType;
  readonly records: TrialResult['broken'];
  /** Called before a record is opened. */
  readonly onLeave: () => void;
}

/** Records with the result of a check. Each opens at its element. Renders nothing if there are none. */
function NamedRecords({ title, type, records, onLeave }: NamedRecordsProps) {
  const { openRecord } = useWorkbenchActions();
  if (records.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles.named}>
        {records.map(({ id, pointers, why: reason }) => (
          <li key={id}>
            <LinkButton
              title={id}
              onClick={() => {
                onLeave();
                openRecord({ type, id, title: id, ...(pointers?.[0] && { pointer: pointers[0] }) });
              }}
            >
              {id}
            </LinkButton>
            <span>
              {reason}
              {pointers?.[0] !== undefined && <ElementExpression pointer={pointers[0]} type={type} />}{' '}
              {pointers && pointers.length > 1 && messages.elements(pointers.length - 1)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface SkippedPartProps extends Pick<NamedRecordsProps, 'onLeave'> {
  readonly id: string;
}

/** Records that a check could not evaluate. */
function SkippedPart({ id, onLeave }: SkippedPartProps) {
  const query = useSkipped(id);
  return (
    <section aria-label={messages.unasked}>
      <QueryContent query={query} failureTitle={messages.failed}>
        {({ type, ids }) => (
          <NamedRecords
            title={messages.unasked}
            type={type}
            records={ids.map((recordId) => ({ id: recordId }))}
            onLeave={onLeave}
          />
        )}
      </QueryContent>
    </section>
  );
}

interface TrialPartProps {
  readonly draft: Pick<CheckDraft, 'type' | 'holds'>;
  readonly trial: Trial;
  /** Called before a record is opened. */
  readonly onLeave: () => void;
}

/** Result of the check for many records, before it is activated. */
function TrialPart({ draft: { type, holds: holdsExpression }, trial, onLeave }: TrialPartProps) {
  const { request, result, start } = trial;
  return (
    <section className={styles.trial} aria-label={messages.trial}>
      <Button loading={request.isPending} disabled={holdsExpression.trim() === ''} onClick={start}>
        {messages.trial}
      </Button>
      <RequestFailure title={messages.trialFailed} query={request} />
      {result && (
        <>
          <p role="status">{messages.tried(result.records, result)}</p>
          <NamedRecords title={messages.some} type={type} records={result.broken} onLeave={onLeave} />
          <NamedRecords title={messages.someUnasked} type={type} records={result.unasked} onLeave={onLeave} />
        </>
      )}
    </section>
  );
}

const messages = text.checks;

interface CheckEditorProps {
  /** Stored check; undefined for a new check. */
  readonly check: CustomCheck | undefined;
  readonly draft: CheckDraft;
  readonly isChanged: boolean;
  readonly onChange: (draft: CheckDraft) => void;
  readonly onSaved: (id: string) => void;
  readonly onRemoved: () => void;
  readonly onLeave: () => void;
}

/** Editor of one check: fields, trial and activation. */
export function CheckEditor(props: CheckEditorProps) {
  const { check, draft, isChanged, onChange, onSaved, onRemoved, onLeave } = props;
  const { save, remove } = useCheckWrites();
  const trial = useTrial(draft);
  const announce = useAnnounce();
  const writeError = save.error ?? remove.error;
  const failure = writeError ? toFailure(writeError) : undefined;
  const faultOf = (name: string) => failure?.issues?.find(({ expression }) => expression === name)?.text;

  function saveDraft(next: CheckDraft, message: string) {
    // Not in callbacks of the mutation: after the list reloads, another editor may show the check.
    save.mutateAsync(next).then(
      ({ id }) => {
        announce(message);
        onSaved(id);
      },
      () => undefined,
    );
  }
  const isUntried = !draft.active && !trial.result;
  return (
    <div className={styles.editor}>
      <div className={styles.main}>
        {check && <p className={styles.stand}>{describeProgress(check).join(' · ')}</p>}
        {failure && <FailureMessage title={messages.saveFailed} failure={failure} />}
        <CheckFields draft={draft} onChange={onChange} faultOf={faultOf} />
        <LivePart draft={draft} />
        <TrialPart draft={draft} trial={trial} onLeave={onLeave} />
        {check?.progress && check.progress.skipped > 0 && <SkippedPart id={check.id} onLeave={onLeave} />}
      </div>
      <SheetFooter>
        {check && <RemoveButton check={check} remove={remove} onRemoved={onRemoved} />}
        {check?.progress && check.progress.findings > 0 && <FindingsButton check={check} onLeave={onLeave} />}
        <ActivationButton
          draft={draft}
          disabledReason={
            isChanged || !check ? messages.saveFirst : isUntried ? messages.tryFirst : undefined
          }
          onTurn={saveDraft}
        />
        <Button
          variant="filled"
          loading={save.isPending}
          disabled={!isChanged || !isSound(draft)}
          onClick={() => saveDraft(draft, messages.saved(draft.title))}
        >
          {messages.save}
        </Button>
      </SheetFooter>
    </div>
  );
}

interface RemovalProps {
  readonly check: CustomCheck;
  readonly remove: ReturnType<typeof useCheckWrites>['remove'];
  readonly onRemoved: () => void;
}

/** Removes a check after a confirmation. */
function RemoveButton({ check: { id, title }, remove, onRemoved }: RemovalProps) {
  const announce = useAnnounce();
  const [isConfirming, setConfirming] = useState(false);
  const confirm = () =>
    remove.mutateAsync(id).then(
      () => {
        announce(messages.removed(title));
        onRemoved();
      },
      () => setConfirming(false),
    );
  return (
    <>
      <Button className={styles.apart} color="red" variant="outline" onClick={() => setConfirming(true)}>
        {messages.remove}
      </Button>
      {isConfirming && (
        <Question
          title={messages.removeTitle}
          confirm={messages.remove}
          keep={messages.keep}
          busy={remove.isPending}
          onKeep={() => setConfirming(false)}
          onConfirm={() => void confirm()}
        >
          {messages.removeWhat(title)}
        </Question>
      )}
    </>
  );
}

function FindingsButton({ check, onLeave }: { readonly check: CustomCheck; readonly onLeave: () => void }) {
  const { worklistOf } = useWorkbenchActions();
  return (
    <Button
      onClick={() => {
        onLeave();
        worklistOf({ type: check.type, rule: ruleOfCheck(check.id) });
      }}
    >
      {messages.findings}
    </Button>
  );
}

interface ActivationProps {
  readonly draft: CheckDraft;
  /** Reason why the check can't be switched; undefined if it can. */
  readonly disabledReason: string | undefined;
  readonly onTurn: (draft: CheckDraft, message: string) => void;
}

/** Switches a check on or off. */
function ActivationButton({ draft, disabledReason, onTurn }: ActivationProps) {
  const { title, active } = draft;
  const reason = useId();
  const turn = () =>
    onTurn({ ...draft, active: !active }, active ? messages.switchedOff(title) : messages.switchedOn(title));
  return (
    <>
      {disabledReason !== undefined && (
        <span id={reason} className={styles.dim}>
          {disabledReason}
        </span>
      )}
      <Button
        {...(disabledReason !== undefined && { 'data-disabled': true, 'aria-describedby': reason })}
        aria-disabled={disabledReason !== undefined}
        onClick={() => disabledReason === undefined && turn()}
      >
        {active ? messages.off : messages.on}
      </Button>
    </>
  );
}

/** Returns true if the draft can be saved. */
function isSound({ id, title, holds: holdsExpression, warnAbove, failAbove }: CheckDraft): boolean {
  const isWritten = [holdsExpression.trim(), title.trim(), id].every((value) => value !== '');
  return isWritten && [warnAbove, failAbove].every((thresholdText) => parseLimit(thresholdText) !== 'wrong');
}
