import { writerOf } from '../../../core/app/authorship.ts';
import { Skeleton, Button } from '@mantine/core';
import type { RecordsOverview } from '../../../core/app/overview.ts';
import type { ServerExportState } from '../../../core/app/server-exports.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useDates } from '../../ui/date-language.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { formatCount, formatPercent } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { clockTime } from '../../ui/time.ts';
import { Card, CardItem } from './card.tsx';
import styles from './overview.module.css';
import { useRecordsOverview, useUnfinished, useQualityShares } from './use-records-overview.ts';
import { countSent } from '../../../core/app/bulk.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useSwitchConnection } from '../../platform/connection.ts';
import { useNameOf } from '../../platform/subject-names.ts';
import { useConnections } from '../../platform/use-connections.ts';
import { categories } from '../../../core/app/quality.ts';
import { lineOf, useMeasures } from '../../platform/measures.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { MessageNodes } from '../../ui/message-nodes.tsx';

const messages = text.overview;

/** Overview: records, quality, recent changes and unfinished work. */
export function OverviewView() {
  useDates();
  const query = useRecordsOverview();
  return (
    <section className={styles.overview} aria-label={messages.name}>
      {!query.data && <RequestFailure title={messages.failed} query={query} />}
      {query.isPending && <Skeleton height={160} aria-hidden />}
      <div className={styles.cards}>
        {query.data && <RecordsCard statuses={query.data.statuses} />}
        <QualityCard />
        <div className={styles.aside}>
          {query.data && <ChangedCard changed={query.data.changed} />}
          <UnfinishedCard />
          <ConnectionsCard />
        </div>
        {query.data && <PatientsCard patients={query.data.patients} />}
      </div>
    </section>
  );
}

function RecordsCard({ statuses }: Pick<RecordsOverview, 'statuses'>) {
  const { search } = useWorkbenchActions();
  return (
    <Card title={messages.records}>
      {resourceTypes.map((type) => {
        const counts = Object.entries(statuses[type]).toSorted((a, b) => b[1] - a[1]);
        const total = counts.reduce((sum, [, count]) => sum + count, 0);
        return (
          <div key={type} className={styles.type}>
            <button type="button" onClick={() => search([], type)}>
              <span>{text.types.plural(type)}</span>
              <strong>{formatCount(total)}</strong>
            </button>
            <div className={styles.bar} aria-hidden>
              {counts.map(([status, count]) => (
                <i key={status} data-status={status} style={{ flexGrow: count }} />
              ))}
            </div>
            <ul className={styles.chips}>
              {counts.map(([status, count]) => (
                <li key={status}>
                  <button
                    type="button"
                    aria-label={messages.showStatus(type, status || messages.noStatus, count)}
                    onClick={() => search(status === '' ? [] : [['status', status]], type)}
                  >
                    <StatusDot status={status || messages.noStatus} /> {formatCount(count)}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </Card>
  );
}

function ChangedCard({
  changed: { records, versions, more: hasMore, changes },
}: Pick<RecordsOverview, 'changed'>) {
  const { openRecord, openView } = useWorkbenchActions();
  const { title, several, by: formatOperation, none: noneText } = messages.changed;
  return (
    <Card title={title} note={records > 0 && messages.changed.counts(records, versions, hasMore)}>
      {changes.length === 0 && <p>{noneText}</p>}
      <ul className={styles.lines}>
        {changes.map(({ operation, records: recordCount, lastUpdated, record, ...writer }) => (
          <CardItem
            key={`${record.id} ${lastUpdated}`}
            title={recordCount > 1 ? several(recordCount) : record.title || `${record.type}/${record.id}`}
            detail={formatOperation[operation](writerOf(writer))}
            trailing={clockTime(lastUpdated)}
            onOpen={() => (recordCount > 1 ? openView('audit') : openRecord(record))}
          />
        ))}
      </ul>
    </Card>
  );
}

/** Final letters of an ID that are always visible. */
const idEnd = 6;

/** A patient by name, which another record or the patient's own resource may state, and by ID. */
function PatientButton({ id, name: ownName }: Pick<RecordsOverview['patients'][number], 'id' | 'name'>) {
  const { openPatient } = useWorkbenchActions();
  const knownName = useNameOf(ownName === '' ? id : '');
  const name = knownName ?? ownName;
  return (
    <button type="button" onClick={() => openPatient({ id, name })}>
      {name !== '' && <strong>{name}</strong>}
      <span className="mono">
        <TruncatedText name={id} end={idEnd} />
      </span>
    </button>
  );
}

function PatientsCard({ patients }: Pick<RecordsOverview, 'patients'>) {
  const { title, columns, none: noneText } = messages.patients;
  if (patients.length === 0) return <Card title={title}>{noneText}</Card>;
  return (
    <Card title={title} isWide>
      <table className={styles.patients}>
        <TableHead columns={[columns.patient, ...resourceTypes.map(text.types.plural), columns.changed]} />
        <tbody>
          {patients.map(({ id, name, records, lastUpdated }) => (
            <tr key={id}>
              <td>
                <PatientButton id={id} name={name} />
              </td>
              {resourceTypes.map((type) => (
                <td key={type}>{formatCount(records[type])}</td>
              ))}
              <td>
                <RelativeTime instant={lastUpdated} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const { unfinished, connections } = text.overview;

const serverExportStates: Readonly<Partial<Record<ServerExportState, string>>> =
  text.serverExports.unfinished;

/** Drafts, stopped bulk runs, exports of other servers and rejected imports. Each opens where it was left. */
function UnfinishedCard() {
  useDates();
  const { drafts, runs, serverExports, rejectedImports, isPending, failedQuery } = useUnfinished();
  const runCommand = useRunCommand();
  const { openRecord, openBulkRun } = useWorkbenchActions();
  return (
    <Card title={unfinished.title}>
      {failedQuery ? (
        <RequestFailure title={unfinished.failed} query={failedQuery} />
      ) : (
        drafts.length + runs.length + serverExports.length + rejectedImports.length === 0 &&
        (isPending ? <Skeleton height={16} aria-hidden /> : <p>{unfinished.none}</p>)
      )}
      <ul className={styles.lines}>
        {drafts.map(({ id, type, recordId, title, saved: savedTime }) => (
          <CardItem
            key={id}
            title={title || `${type}/${recordId}`}
            detail={unfinished.draft}
            trailing={clockTime(savedTime)}
            onOpen={() => openRecord({ type, id: recordId, title })}
          />
        ))}
        {runs.map(({ id, label, counts, updated }) => {
          const { sent: sentCount, of: sendCount } = countSent(counts);
          return (
            <CardItem
              key={id}
              title={label}
              detail={unfinished.run(sentCount, sendCount)}
              trailing={clockTime(updated)}
              onOpen={() => openBulkRun(id)}
            />
          );
        })}
        {serverExports.map(({ id, state, started, ...serverExport }) => (
          <CardItem
            key={id}
            title={text.serverExports.nameOf(serverExport)}
            detail={serverExportStates[state]}
            trailing={clockTime(started)}
            onOpen={() => runCommand('data.import')}
          />
        ))}
        {rejectedImports.map(({ seq, note, counts, time }) => (
          <CardItem
            key={seq}
            title={unfinished.refused(counts.refused ?? 0)}
            detail={note}
            trailing={clockTime(time)}
            onOpen={() => runCommand('data.import')}
          />
        ))}
      </ul>
    </Card>
  );
}

/** Other servers. A click switches to one of them. */
function ConnectionsCard() {
  const query = useConnections();
  const { data } = query;
  const switchTo = useSwitchConnection();
  const otherConnections = data?.connections ?? [];
  return (
    <Card title={connections.title}>
      {query.isPending && <Skeleton height={16} aria-hidden />}
      {!data && <RequestFailure title={connections.failed} query={query} />}
      {data && otherConnections.length === 0 && <p>{connections.none}</p>}
      <ul className={styles.lines}>
        {otherConnections.map((connection) => (
          <CardItem
            key={connection.id}
            title={connection.name}
            detail={connection.host}
            trailing={connections.states[connection.access]}
            onOpen={() => void switchTo(connection)}
          />
        ))}
      </ul>
    </Card>
  );
}

const qualityMessages = text.overview.quality;
const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Share of records without issues, and the number of issues by category. */
function QualityCard() {
  const query = useQualityShares();
  const { data: measures } = useMeasures(30);
  const line = measures ? lineOf(measures, 'all') : [];
  const { openView } = useWorkbenchActions();
  if (!query.data) {
    return (
      <Card title={qualityMessages.title}>
        {query.isError ? (
          <RequestFailure title={qualityMessages.failed} query={query} />
        ) : (
          <Skeleton height={96} aria-hidden />
        )}
      </Card>
    );
  }
  const { records, flagged: flaggedByType, open = flaggedByType, groups } = query.data;
  const [recordCount, flaggedCount] = [sum(records), sum(open)];
  // Rounded down, so that it is never 100% while a record has an issue.
  const share =
    recordCount === 0 ? 1 : Math.floor(((recordCount - flaggedCount) / recordCount) * 1000) / 1000;
  return (
    <Card title={qualityMessages.title} note={qualityMessages.flagged(flaggedCount)}>
      <p>
        <MessageNodes
          message={qualityMessages.share}
          nodes={{ share: <b className={styles.share}>{formatPercent(share)}</b> }}
        />
      </p>
      {line.length > 1 && (
        <Sparkline
          label={qualityMessages.trend}
          days={line.map(({ day, share: value }) => ({ day, value }))}
          headings={[text.quality.trend.day, qualityMessages.withoutIssues]}
          format={text.quality.trend.percent}
          width={240}
          height={32}
        />
      )}
      <dl className={styles.categories}>
        {categories.map((category) => (
          <div key={category}>
            <dt>{text.quality.categories[category]}</dt>
            <dd>
              {qualityMessages.findings(
                groups
                  .filter((group) => group.category === category)
                  .reduce((total, { findings }) => total + findings, 0),
              )}
            </dd>
          </div>
        ))}
      </dl>
      {sum(flaggedByType) > 0 && <Button onClick={() => openView('quality')}>{qualityMessages.open}</Button>}
    </Card>
  );
}
