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
import { FactPair, LogDetails } from '../../ui/log/log-details.tsx';
import { statusWords, toneOf, versionChange } from '../../ui/log/log-facts.ts';
import styles from '../../ui/log/log.module.css';
import { text } from '../../ui/text.ts';
import { exactTime } from '../../ui/time.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { curlOfEntry, parametersOf, recordOf, replayOf } from './entry-facts.ts';

const { details: words } = text.activity;

interface ActivityDetailsProps {
  readonly entry: ActivityEntry;
  readonly onHide: () => void;
}

/** All facts of one entry, and what can be done with it. */
export function ActivityDetails({ entry, onHide }: ActivityDetailsProps) {
  return (
    <LogDetails name={words.name} title={text.activity.kinds[entry.kind]} onHide={onHide}>
      {isJobEntry(entry) ? <JobFacts entry={entry} /> : <RequestFacts entry={entry} />}
    </LogDetails>
  );
}

function JobFacts({ entry }: { readonly entry: JobEntry }) {
  return (
    <dl>
      <FactPair name={words.time} value={exactTime(entry.time)} />
      <FactPair name={words.note} value={entry.note} />
      <FactPair name={words.connection} value={entry.connection} />
      {Object.entries(entry.counts).map(([name, count]) => (
        <FactPair key={name} name={name} value={formatCount(count)} />
      ))}
    </dl>
  );
}

function RequestFacts({ entry }: { readonly entry: RequestEntry }) {
  const { record } = entry;
  const version = versionChange(record?.before, record?.after);
  return (
    <>
      <RequestActions entry={entry} />
      <dl>
        <dt>{words.status}</dt>
        <dd>
          <ToneDot tone={toneOf(entry.status)} label={statusWords(entry.status)} />
        </dd>
        <FactPair name={words.time} value={exactTime(entry.time)} />
        <FactPair name={words.method} value={entry.method} mono />
        <FactPair name={words.path} value={entry.path} mono />
        <FactPair name={words.took} value={text.activity.ms(entry.ms)} />
        <FactPair name={words.sent} value={formatBytes(entry.requestBytes)} />
        <FactPair name={words.received} value={formatBytes(entry.answerBytes)} />
        {record && <FactPair name={words.record} value={`${record.type}/${record.id}`} mono />}
        {version !== '' && <FactPair name={words.version} value={version} mono />}
        <FactPair name={words.connection} value={entry.connection} />
        <FactPair name={words.requestId} value={entry.requestId} mono />
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
          <FactPair key={`${index} ${name}`} name={name} value={value} mono />
        ))}
      </dl>
    </>
  );
}

function RequestActions({ entry }: { readonly entry: RequestEntry }) {
  const workbench = useWorkbenchActions();
  const copy = useCopy();
  const { name, fhirBase } = useConnection();
  const here = entry.connection === name;
  const replay = replayOf(entry);
  const record = recordOf(entry);

  return (
    <div className={styles.actions}>
      {here && replay.kind === 'search' && (
        <Button
          variant="filled"
          leftSection={<IconReload size={14} aria-hidden />}
          onClick={() => workbench.search(replay.pairs, replay.type)}
        >
          {text.activity.replay}
        </Button>
      )}
      {here && record && (
        <Button
          leftSection={<IconExternalLink size={14} aria-hidden />}
          onClick={() => workbench.openRecord({ ...record, title: record.id })}
        >
          {text.activity.open}
        </Button>
      )}
      {here && (
        <Button
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() =>
            copy(curlOfEntry(entry, location.origin, fhirBase), text.activity.copied, text.activity.notCopied)
          }
        >
          {text.activity.curl}
        </Button>
      )}
      {!here && <p className={styles.hint}>{text.activity.elsewhere(entry.connection)}</p>}
      {here && replay.kind === 'none' && (replay.reason !== 'other' || !record) && (
        <p className={styles.hint}>{text.activity.notReplayed[replay.reason]}</p>
      )}
    </div>
  );
}
