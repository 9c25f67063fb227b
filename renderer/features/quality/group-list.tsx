import { formatQuery } from '../../../core/api/query.ts';
import { FindingGroups } from '../../../core/app/measures.ts';
import { filterPairs, type GroupName, type Grouping, type QualityFilter } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { useNameOf } from '../../platform/subject-names.ts';
import { Answered } from '../../ui/answered.tsx';
import { formatCount } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { text } from '../../ui/text.ts';
import table from '../../ui/table.module.css';
import frame from '../../ui/view.module.css';
import { formatShare } from './shares.ts';

const words = text.quality.groups;

interface GroupListProps {
  readonly filter: QualityFilter;
  readonly by: Grouping;
  readonly onChoose: (group: GroupName) => void;
}

/** The groups of a filter with most findings; one that is chosen narrows the list to it. */
export function GroupList({ filter, by, onChoose }: GroupListProps) {
  const found = useGroups(filter, by, false);
  // How many records a group has in all is counted over the whole store: the list does not wait for it.
  const sized = useGroups(filter, by, true, found.isSuccess);
  const query = sized.isSuccess ? sized : found;
  return (
    <div className={frame.panel}>
      <Answered query={query} failed={text.quality.failed}>
        {({ groups }) => (
          <table className={table.table} aria-label={words.by[by]}>
            <thead>
              <tr>
                <th scope="col">{words.by[by]}</th>
                <th scope="col" className={table.end}>
                  {words.records}
                </th>
                <th scope="col" className={table.end}>
                  {text.quality.findings}
                </th>
                {isShared(groups) && (
                  <th scope="col" className={table.end} title={words.restHelp}>
                    {words.rest}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {groups.map(({ key, records, findings, all }) => (
                <tr key={key}>
                  <th scope="row">
                    <LinkButton onClick={() => onChoose({ by, key })}>
                      <GroupKey by={by} value={key} />
                    </LinkButton>
                  </th>
                  <td className={table.end}>
                    {formatCount(records)}
                    {all !== undefined && <small className="dim"> {words.of(formatCount(all))}</small>}
                  </td>
                  <td className={table.end}>{formatCount(findings)}</td>
                  {all !== undefined && <td className={table.end}>{formatShare(all - records, all)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Answered>
    </div>
  );
}

function useGroups(filter: QualityFilter, by: Grouping, all: boolean, enabled = true) {
  const { name } = useConnection();
  const asked = formatQuery([...filterPairs(filter), ['by', by], ['all', String(all)]]);
  const queryKey = ['quality', name, 'groups', filter, by, all];
  return useAnswer(`/quality/groups?${asked}`, FindingGroups, { queryKey, enabled });
}

/** Whether the groups have records of which nothing was found too. */
function isShared(groups: FindingGroups['groups']): boolean {
  return groups.some(({ all }) => all !== undefined);
}

/** What a group is called: a patient by name where one is known. */
export function GroupKey({ by, value }: { readonly by: Grouping; readonly value: string }) {
  const name = useNameOf(by === 'patient' ? value : '');
  if (value === '') return words.none[by];
  return name === undefined ? (
    value
  ) : (
    <>
      {name} <small className="dim">{value}</small>
    </>
  );
}
