import { Fragment } from 'react';
import type { OtherRecords } from '../../core/app/quality.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { text } from '../ui/text.ts';
import { useWorkbenchActions } from './workbench-actions.ts';

const { issues: messages } = text;

/**
 * Returns the display name of another record. It includes the id, because records of one patient often share
 * a title.
 */
export function nameOfOther({ type, id, title }: NamedRecord): string {
  return title === '' ? `${type}/${id}` : `${title} (${id})`;
}

interface OtherRecordLinksProps {
  readonly records: OtherRecords['others'] | undefined;
  readonly hasMore: true | undefined;
}

/** Links to the other records of a finding. */
export function OtherRecordLinks({ records = [], hasMore }: OtherRecordLinksProps) {
  const { openRecord } = useWorkbenchActions();
  if (records.length === 0) return null;
  return (
    <span>
      {messages.otherRecords}{' '}
      {records.map((record, index) => (
        <Fragment key={record.id}>
          {index > 0 && ', '}
          <LinkButton
            title={messages.openOther(`${record.type}/${record.id}`)}
            onClick={() => openRecord(record)}
          >
            {nameOfOther(record)}
          </LinkButton>
        </Fragment>
      ))}
      {hasMore && ` ${messages.moreOthers}`}
    </span>
  );
}
