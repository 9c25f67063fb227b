/** Parts that the lists of batches, of their lines and of differences share. */
import { Button } from '@mantine/core';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';

interface MoreButtonProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

/** Loads the next page of a list, if there is one. */
export function MoreButton({ query }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className={styles.row}>
      <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {text.batches.more}
      </Button>
    </div>
  );
}

/** Opens a record by its type and id (`CarePlan/17`). Only text for another resource. */
export function RecordLink({ name = '' }: { readonly name: string | undefined }) {
  const { openRecord } = useWorkbenchActions();
  const [type = '', id = ''] = name.split('/');
  if (!isResourceType(type)) return name;
  return <LinkButton onClick={() => openRecord({ type, id, title: '' })}>{name}</LinkButton>;
}
