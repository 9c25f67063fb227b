import { Fragment } from 'react';
import type { OtherRecords } from '../../core/app/quality.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { text } from '../ui/text.ts';
import { useWorkbenchActions } from './workbench-actions.ts';

const { issues: words } = text;

/** Returns what another record is called: records of one patient often share a title, so its id stands behind it. */
export function nameOfOther({ type, id, title }: NamedRecord): string {
  return title === '' ? `${type}/${id}` : `${title} (${id})`;
}

interface OtherRecordLinksProps {
  readonly others: OtherRecords['others'] | undefined;
  readonly moreOthers: true | undefined;
}

/** The other records that a finding is about; each opens. */
export function OtherRecordLinks({ others = [], moreOthers }: OtherRecordLinksProps) {
  const { openRecord } = useWorkbenchActions();
  if (others.length === 0) return null;
  return (
    <span>
      {words.otherRecords}{' '}
      {others.map((other, at) => (
        <Fragment key={other.id}>
          {at > 0 && ', '}
          <LinkButton title={words.openOther(`${other.type}/${other.id}`)} onClick={() => openRecord(other)}>
            {nameOfOther(other)}
          </LinkButton>
        </Fragment>
      ))}
      {moreOthers && ` ${words.moreOthers}`}
    </span>
  );
}
