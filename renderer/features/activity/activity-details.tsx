import { Button } from '@mantine/core';
import { IconCopy, IconExternalLink, IconReload } from '@tabler/icons-react';
import {
  isJobEntry,
  type ActivityEntry,
  type JobEntry,
  type RequestEntry,
} from '../../../core/app/activity.ts';
import { useConnection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { DetailItem, LogDetails } from '../../ui/log/log-details.tsx';
import { formatStatus, toneOf, versionChange } from '../../ui/log/log-facts.ts';
import styles from '../../ui/log/log.module.css';
import { text } from '../../ui/text.ts';
import { exactTime } from '../../ui/time.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { countName, curlOfEntry, parametersOf, recordOf, replayOf } from './entry-facts.ts';

const { details: words } = text.activity;

interface ActivityDetailsProps {
  readonly entry: ActivityEntry;
  readonly onHide: () => void;
}

/** Details of one entry with its actions. */
export function ActivityDetails({ entry, onHide }: ActivityDetailsProps) {
  return (
    <LogDetails name={words.name} title={text.activity.kinds[entry.kind]} onHide={onHide}>
      {isJobEntry(entry) ? <JobDetails entry={entry} /> : <RequestDetails entry={entry} />}
    </LogDetails>
  );
}

function JobDetails({ entry }: { readonly entry: JobEntry }) {
  return (
    <dl>
      <DetailItem name={words.time} value={exactTime(entry.time)} />
      <DetailItem name={words.note} value={entry.note} />
      <DetailItem name={words.connection} value={entry.connection} />
      {Object.entries(entry.counts).map(([code, count]) => (
        <DetailItem key={code} name={countName(code)} value={formatCount(count)} />
      ))}
    </dl>
  );
}

function RequestDetails({ entry }: { readonly entry: RequestEntry }) {
  const { record } = entry;
  const version = versionChange(record?.before, record?.after);
  return (
    <>
      <RequestActions entry={entry} />
      <dl>
        <dt>{words.status}</dt>
        <dd>
          <ToneDot tone={toneOf(entry.status)} label={formatStatus(entry.status)} />
        </dd>
        <DetailItem name={words.time} value={exactTime(entry.time)} />
        <DetailItem name={words.method} value={entry.method} mono />
        <DetailItem name={words.path} value={entry.path} mono />
        <DetailItem name={words.took} value={text.activity.ms(entry.ms)} />
        <DetailItem name={words.sent} value={formatBytes(entry.requestBytes)} />
        <DetailItem name={words.received} value={formatBytes(entry.answerBytes)} />
        {record && <DetailItem name={words.record} value={`${record.type}/${record.id}`} mono />}
        {version !== '' && <DetailItem name={words.version} value={version} mono />}
        <DetailItem name={words.connection} value={entry.connection} />
        <DetailItem name={words.requestId} value={entry.requestId} mono />
      </dl>
      <Parameters path={entry.path} />
      <p className={styles.hint}>{words.notKept}</p>
    </>
  );
}

function Parameters({ path }: { readonly path: string }) {
  const parameters = parametersOf(path);
  if (parameters.length === 0) return null;
  return (
    <>
      <h3>{words.parameters}</h3>
      <dl>
        {parameters.map(([name, value], index) => (
          <DetailItem key={`${index} ${name}`} name={name} value={value} mono />
        ))}
      </dl>
    </>
  );
}

function RequestActions({ entry }: { readonly entry: RequestEntry }) {
  const workbench = useWorkbenchActions();
  const copy = useCopy();
  const { name, fhirBase } = useConnection();
  const isCurrentConnection = entry.connection === name;
  const replay = replayOf(entry);
  const record = recordOf(entry);

  return (
    <div className={styles.actions}>
      {isCurrentConnection && replay.kind === 'search' && (
        <Button
          variant="filled"
          leftSection={<IconReload size={14} aria-hidden />}
          onClick={() => workbench.search(replay.pairs, replay.type)}
        >
          {text.activity.replay}
        </Button>
      )}
      {isCurrentConnection && record && (
        <Button
          leftSection={<IconExternalLink size={14} aria-hidden />}
          onClick={() => workbench.openRecord({ ...record, title: record.id })}
        >
          {text.activity.open}
        </Button>
      )}
      {isCurrentConnection && (
        <Button
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() =>
            copy(curlOfEntry(entry, location.origin, fhirBase), text.activity.copied, text.activity.notCopied)
          }
        >
          {text.activity.curl}
        </Button>
      )}
      {!isCurrentConnection && <p className={styles.hint}>{text.activity.elsewhere(entry.connection)}</p>}
      {isCurrentConnection && replay.kind === 'none' && (replay.reason !== 'other' || !record) && (
        <p className={styles.hint}>{text.activity.notReplayed[replay.reason]}</p>
      )}
    </div>
  );
}
