import { formatQuery } from '../../../core/api/query.ts';
import { FindingGroups } from '../../../core/app/measures.ts';
import { filterPairs, type GroupName, type Grouping, type QualityFilter } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useNameOf } from '../../platform/subject-names.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { text } from '../../ui/text.ts';
import table from '../../ui/table.module.css';
import frame from '../../ui/view.module.css';
import { formatShare } from './percentages.ts';

const messages = text.quality.groups;

interface GroupListProps {
  readonly filter: QualityFilter;
  readonly groupBy: Grouping;
  readonly onSelect: (group: GroupName) => void;
}

/** Groups of a filter with the most findings. Selecting a group narrows the list to it. */
export function GroupList({ filter, groupBy, onSelect }: GroupListProps) {
  const groupCounts = useGroups(filter, groupBy, false);
  // Group totals are counted over the whole store, so the list does not wait for them.
  const groupTotals = useGroups(filter, groupBy, true, groupCounts.isSuccess);
  const query = groupTotals.isSuccess ? groupTotals : groupCounts;
  return (
    <div className={frame.panel}>
      <QueryContent query={query} failureTitle={text.quality.failed}>
        {({ groups }) => (
          <table className={table.table} aria-label={messages.by[groupBy]}>
            <thead>
              <tr>
                <th scope="col">{messages.by[groupBy]}</th>
                <th scope="col" className={table.end}>
                  {messages.records}
                </th>
                <th scope="col" className={table.end}>
                  {text.quality.findings}
                </th>
                {isShared(groups) && (
                  <th scope="col" className={table.end} title={messages.restHelp}>
                    {messages.rest}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {groups.map(({ key, records, findings, all: totalRecords }) => (
                <tr key={key}>
                  <th scope="row">
                    <LinkButton onClick={() => onSelect({ grouping: groupBy, key })}>
                      <GroupKey groupBy={groupBy} value={key} />
                    </LinkButton>
                  </th>
                  <td className={table.end}>
                    {formatCount(records)}
                    {totalRecords !== undefined && (
                      <small className="dim"> {messages.of(formatCount(totalRecords))}</small>
                    )}
                  </td>
                  <td className={table.end}>{formatCount(findings)}</td>
                  {totalRecords !== undefined && (
                    <td className={table.end}>{formatShare(totalRecords - records, totalRecords)}</td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </QueryContent>
    </div>
  );
}

function useGroups(filter: QualityFilter, groupBy: Grouping, includeTotals: boolean, enabled = true) {
  const { name } = useConnection();
  const query = formatQuery([...filterPairs(filter), ['by', groupBy], ['all', String(includeTotals)]]);
  const queryKey = ['quality', name, 'groups', filter, groupBy, includeTotals];
  return useAppQuery(`/quality/groups?${query}`, FindingGroups, { queryKey, enabled });
}

/** Returns true if the groups also contain records without findings. */
function isShared(groups: FindingGroups['groups']): boolean {
  return groups.some(({ all: totalRecords }) => totalRecords !== undefined);
}

/** Label of a group. A patient is shown by name if it is known. */
export function GroupKey({ groupBy, value }: { readonly groupBy: Grouping; readonly value: string }) {
  const name = useNameOf(groupBy === 'patient' ? value : '');
  if (value === '') return messages.none[groupBy];
  return name === undefined ? (
    value
  ) : (
    <>
      {name} <small className="dim">{value}</small>
    </>
  );
}
