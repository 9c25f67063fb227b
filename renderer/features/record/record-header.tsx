import { Button, Tooltip, Menu } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCode,
  IconGitCompare,
  IconHistory,
  IconPencilBolt,
  IconLock,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconBan,
  IconCopy,
  IconCopyPlus,
  IconDots,
  IconListTree,
  IconRefresh,
  IconShieldCheck,
  IconTerminal2,
} from '@tabler/icons-react';
import { memo, Fragment, type ComponentType, type ReactNode } from 'react';
import { isMac } from '../../platform/desktop.ts';
import { useStore } from '../../ui/store.ts';
import { userKeys, keysOf } from '../../ui/keys.ts';
import { text } from '../../ui/text.ts';
import type { ActionName, RecordActions } from './use-record-actions.ts';
import { titleOf, type RecordHead } from './record-state.ts';
import { UnsafeChip } from './drafts/draft-notice.tsx';
import styles from './record.module.css';
import { patientOf } from '../../../core/fhir/follow.ts';
import { isNewRecord } from '../../../core/fhir/new-record.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { RecordSummary } from '../../../core/fhir/summary.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useDates } from '../../ui/date-language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { formatDays } from '../../ui/time.ts';
import { SaveTime } from './saved-by.tsx';
import { curlOf } from '../../../core/api/curl.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useSubjectName } from '../../platform/subject-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useCopy } from '../../ui/use-copy.ts';

const messages = text.record;

interface MenuEntry {
  readonly label: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly run: () => void;
  readonly isDisabled?: boolean;
}

interface RecordMenuProps extends Pick<RecordHead, 'type' | 'id'> {
  readonly actions: RecordActions;
  readonly onEditor: (action: string) => void;
}

function curlTo(url: string): string {
  return curlOf({ method: 'GET', url, headers: { Accept: 'application/fhir+json' } });
}

/** Menu of the rare actions on a record. */
const RecordMenu = memo(function RecordMenu({ type, id, actions, onEditor }: RecordMenuProps) {
  const { fhirBase, remote } = useConnection();
  const { auditOf } = useWorkbenchActions();
  const { reload } = actions.disabledReasons;
  const copy = useCopy();
  const run = useRunCommand();
  const url = `${fhirBase}/${type}/${encodeURIComponent(id)}`;
  const groups: readonly (readonly MenuEntry[])[] = [
    [
      {
        label: messages.reload,
        icon: IconRefresh,
        run: () => actions.run('reload'),
        isDisabled: reload !== undefined,
      },
      {
        label: messages.audit,
        icon: IconShieldCheck,
        run: () => auditOf({ type, id }),
        isDisabled: remote !== undefined,
      },
      { label: messages.duplicate, icon: IconCopyPlus, run: () => run('record.duplicate') },
      { label: messages.enteredInError, icon: IconBan, run: () => run('record.enteredInError') },
    ],
    [
      { label: messages.copyId, icon: IconCopy, run: () => copy(id, messages.copiedId, messages.notCopied) },
      {
        label: messages.copyCurl,
        icon: IconTerminal2,
        run: () => copy(curlTo(url), messages.copiedCurl, messages.notCopied),
      },
    ],
    // Fold actions of the editor, by Monaco's ids.
    [
      { label: messages.foldAll, icon: IconArrowsMinimize, run: () => onEditor('editor.foldAll') },
      { label: messages.foldSections, icon: IconListTree, run: () => onEditor('editor.foldLevel2') },
      { label: messages.unfoldAll, icon: IconArrowsMaximize, run: () => onEditor('editor.unfoldAll') },
    ],
  ];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton label={messages.more} variant="default" size={26}>
          <IconDots size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map((group, index) => (
          <Fragment key={index}>
            {index > 0 && <Menu.Divider />}
            {group.map(({ label, icon: Icon, run: runEntry, isDisabled = false }) => (
              <Menu.Item
                key={label}
                leftSection={<Icon size={16} />}
                disabled={isDisabled}
                onClick={runEntry}
              >
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});

/** Number of characters at the end of the id that are never cut. */
const idEnd = 6;

/** Details of the record in one line: status, intent, subject, version, time and name. */
function RecordDetails({ readOnly, ...head }: RecordHead & { readonly readOnly: boolean }) {
  useDates();
  const { base } = head;
  if (isNewRecord(head.id)) {
    return (
      <p className={styles.facts}>
        <span className="mono">{head.type}</span>
        <span>{text.record.unstored}</span>
      </p>
    );
  }
  const name = (
    <span className={`${styles.name} mono`}>
      <TruncatedText name={`${head.type}/${head.id}`} end={idEnd} />
    </span>
  );
  if (!base) {
    return (
      <p className={styles.facts}>
        <span>{text.record.loading}</span>
        {name}
      </p>
    );
  }
  const { status, intent, date, end } = base.summary;
  const period = formatDays(date, end);
  return (
    <p className={styles.facts}>
      {readOnly && (
        <strong className={styles.readOnly}>
          <IconLock size={14} aria-hidden /> {text.record.readOnly}
        </strong>
      )}
      {status !== '' && (
        <span>
          <StatusDot status={status} />
        </span>
      )}
      {intent !== '' && <span>{intent}</span>}
      {base.summary.subject !== '' && <Subject type={head.type} id={head.id} summary={base.summary} />}
      {period !== '' && <span>{period}</span>}
      {base.version !== undefined && <span>{text.record.version(base.version)}</span>}
      <SaveTime {...head} />
      {name}
    </p>
  );
}

interface SubjectProps {
  readonly type: ResourceType;
  readonly id: string;
  readonly summary: RecordSummary;
}

/** Subject of the record, by its name in this or another record or in its own resource. A patient is a link. */
function Subject({ type, id, summary }: SubjectProps) {
  const { openPatient } = useWorkbenchActions();
  const { subject, subjectName } = summary;
  const patient = patientOf(type, summary);
  const name = useSubjectName({ type, id, subject: undefined, subjectName }) ?? subject;
  if (!patient) return <span title={subject}>{name}</span>;
  return (
    <LinkButton title={text.reading.patient(subject)} onClick={() => openPatient(patient)}>
      {name}
    </LinkButton>
  );
}

interface RecordHeaderProps extends RecordHead {
  /** Tabs that select the view of the record. */
  readonly views: ReactNode;
  readonly actions: RecordActions;
  readonly modelPath: string;
  /** True if its server is read-only. */
  readonly readOnly: boolean;
  readonly onEditor: (action: string) => void;
}

/** Title, details and actions of the record. One action is primary. */
export const RecordHeader = memo(function RecordHeader(props: RecordHeaderProps) {
  const { views, actions, modelPath, readOnly, onEditor, ...recordHead } = props;
  const { type, id } = recordHead;
  return (
    <header className={styles.header}>
      <div className={styles.names}>
        <div className={styles.title}>
          <h1 title={titleOf(recordHead)}>{titleOf(recordHead)}</h1>
          <UnsafeChip modelPath={modelPath} />
        </div>
        <RecordDetails {...recordHead} readOnly={readOnly} />
      </div>
      {views}
      <div className={styles.actions}>
        <Action name="format" icon={IconCode} {...actions} />
        <Action name="history" icon={IconHistory} {...actions} />
        <Action name="patch" icon={IconPencilBolt} {...actions} />
        <RecordMenu type={type} id={id} actions={actions} onEditor={onEditor} />
        <Action name="discard" icon={IconArrowBackUp} {...actions} />
        <Action name="review" icon={IconGitCompare} {...actions} primary />
      </div>
    </header>
  );
});

interface ActionProps extends RecordActions {
  readonly name: Exclude<ActionName, 'reload'>;
  readonly icon: ComponentType<{ size: number }>;
  readonly primary?: true;
}

/** Button of an action. Its tooltip shows the keys, or the reason why it is disabled. */
const Action = memo(function Action({ name, icon: Icon, disabledReasons, run, primary }: ActionProps) {
  const id = `record.${name}` as const;
  const disabledReason = disabledReasons[name];
  useStore(userKeys);
  const keys = keysOf(id, isMac);
  const hint = disabledReason ?? [text.record.hints[id], keys && `(${keys})`].filter(Boolean).join(' ');
  return (
    <Tooltip label={hint}>
      <Button
        variant={primary ? 'filled' : 'default'}
        leftSection={<Icon size={16} />}
        {...(disabledReason !== undefined && { 'data-disabled': true })}
        aria-disabled={disabledReason !== undefined}
        onClick={disabledReason === undefined ? () => run(name) : undefined}
      >
        {text.record[name]}
      </Button>
    </Tooltip>
  );
});
