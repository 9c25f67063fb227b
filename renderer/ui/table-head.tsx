import { VisuallyHidden } from '@mantine/core';

interface TableHeadProps {
  /** What each column is called, with a class where it is laid out in another way. */
  readonly columns: readonly (string | readonly [label: string, className: string | undefined])[];
  /** What the column of buttons is called, which is read and not seen. */
  readonly action?: string;
}

/** The head of a table. */
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
