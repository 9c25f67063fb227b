import { VisuallyHidden } from '@mantine/core';

interface TableHeadProps {
  /** Labels of the columns, with an optional class. */
  readonly columns: readonly (string | readonly [label: string, className: string | undefined])[];
  /** Accessible label of the column of buttons. */
  readonly action?: string;
}

/** Header row of a table. */
export function TableHead({ columns, action }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [label, className] = typeof column === 'string' ? [column] : column;
          return (
            <th key={label} scope="col" className={className}>
              {label}
            </th>
          );
        })}
        {action !== undefined && (
          <th scope="col">
            <VisuallyHidden>{action}</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  );
}
