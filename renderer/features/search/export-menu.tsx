import { Button, Menu, Progress } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { createDuplicateFilter } from '../../../core/app/duplicate-filter.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { queryOf, type Criteria } from './criteria.ts';
import {
  formatCsvHeader,
  formatCsvRows,
  createRecordFilter,
  pagesOf,
  recordsOf,
  recordsOfRows,
  serializeRecords,
  type Format,
  type ExportLines,
} from './export-content.ts';
import { exportedColumns } from './result-columns.tsx';
import { rowKey, type ResultRow } from './result-rows.ts';
import styles from './search.module.css';
import { useAskedColumns, type Columns } from './use-columns.ts';
import type { Export, ExportToWrite } from './use-export.ts';
import { readPage } from './use-results.ts';
import type { Search } from './use-search.ts';

export interface ExportMenuProps {
  readonly search: Search;
  readonly submittedCriteria: Criteria;
  readonly columns: Columns;
  /** Rows in their visible order. */
  readonly rows: readonly ResultRow[];
  /** Keys of the selected rows. If there are any, only these are exported. */
  readonly selectedKeys: ReadonlySet<string>;
  readonly exporting: Export;
}

const choices = ['csv', 'ndjson', 'bundle'] as const satisfies readonly Format[];

/** Exports all matches or the selected rows to a file. */
export function ExportMenu(props: ExportMenuProps) {
  const { search, submittedCriteria, exporting, selectedKeys } = props;
  const buildExport = useContent(props);
  const { type } = submittedCriteria;
  const { job, start } = exporting;
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button
          title={text.export.name}
          leftSection={<IconDownload size={14} aria-hidden />}
          disabled={job !== undefined && !job.sentences}
        >
          {text.export.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={text.export.name}>
        <Menu.Label>
          {selectedKeys.size > 0
            ? text.export.selected(selectedKeys.size)
            : text.export.all(type, search.total, search.atLeast)}
        </Menu.Label>
        {choices.map((format) => (
          <Menu.Item key={format} onClick={() => void start(buildExport(format))}>
            {text.export.formats[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function useContent({ search, submittedCriteria, columns, rows, selectedKeys }: ExportMenuProps) {
  const { client, fhirBase, remote } = useConnection();
  const query = queryOf(submittedCriteria);
  const { type } = query;
  const requestedColumns = useAskedColumns(type);
  const exportColumns = exportedColumns(type, columns.visibleColumns);

  return (format: Format): ExportToWrite => {
    const selected = rows.filter((row) => selectedKeys.has(rowKey(row)));
    const hasSelection = selected.length > 0;
    const total = hasSelection ? selected.length : search.atLeast ? undefined : search.total;
    // Reset for each attempt, so that records of a failed attempt do not count as duplicates.
    let countDuplicates = () => 0;
    async function* readRows(): AsyncGenerator<ExportLines> {
      const list = createDuplicateFilter<ResultRow>(({ id }) => id);
      ({ countDuplicates } = list);
      const pages = pagesOf((next) =>
        readPage(client, query, { next, hasIssueCounts: !remote, columns: requestedColumns }),
      );
      for await (const page of pages) yield formatCsvRows(exportColumns, list.dropDuplicates(page.rows));
    }
    async function* records(): AsyncGenerator<ExportLines> {
      const list = createRecordFilter();
      ({ countDuplicates } = list);
      const recordPages = hasSelection
        ? recordsOfRows(client, type, selected)
        : recordsOf(client, query, list);
      for await (const page of recordPages)
        yield serializeRecords(format === 'bundle' ? 'bundle' : 'ndjson', page, fhirBase);
    }
    const common = { format, type, total, countDuplicates: () => countDuplicates() };
    if (format !== 'csv') return { ...common, pages: records };
    return {
      ...common,
      head: formatCsvHeader(exportColumns),
      pages: hasSelection ? () => [formatCsvRows(exportColumns, selected)] : readRows,
    };
  };
}

/** Progress of an export with a button to stop it, or the reason why it failed. */
export function ExportProgress({ exporting }: { readonly exporting: Export }) {
  const announce = useAnnounce();
  const { job, start, stop } = exporting;
  if (!job) return null;
  const { content: exportToWrite, done, sentences } = job;
  const { total } = exportToWrite;
  if (sentences) {
    return (
      <span className={styles.footProblem} role="alert">
        {[text.export.failed(done), ...sentences].join(' ')}
        <Button onClick={() => void start(exportToWrite)}>{text.failure.retry}</Button>
        <Button onClick={stop}>{text.export.dismiss}</Button>
      </span>
    );
  }
  return (
    <>
      <span>{text.export.progress(done, total)}</span>
      {total !== undefined && total > 0 && (
        <Progress
          className={styles.progress}
          value={(done / total) * 100}
          aria-label={text.export.progressName}
        />
      )}
      <Button
        onClick={() => {
          stop();
          announce(text.export.stopped(done));
        }}
      >
        {text.export.stop}
      </Button>
    </>
  );
}
