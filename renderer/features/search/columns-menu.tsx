import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';
import type { Columns } from './use-columns.ts';

interface ColumnsMenuProps extends Columns {
  /** IDs of the columns that fit into the grid. */
  readonly fitting: readonly string[];
}

/** Selects the columns of the results. */
export function ColumnsMenu({ allColumns, layout, show, reset, fitting }: ColumnsMenuProps) {
  return (
    <Menu position="top-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button title={text.results.chooseColumns} leftSection={<IconColumns3 size={14} aria-hidden />}>
          {text.results.chooseColumns}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={text.results.chooseColumns} className={styles.columnMenu ?? ''}>
        {allColumns.map(({ id, label }) => (
          <Menu.CheckboxItem
            key={id}
            checked={layout.shown.includes(id)}
            disabled={layout.shown.length === 1 && layout.shown.includes(id)}
            onChange={(checked) => show(id, checked)}
          >
            {label}
            {layout.shown.includes(id) && !fitting.includes(id) && (
              <small className={styles.noRoom}>{text.results.noRoom}</small>
            )}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={reset}>{text.results.resetColumns}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
