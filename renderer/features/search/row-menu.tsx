import { Menu } from '@mantine/core';
import {
  IconBraces,
  IconCopy,
  IconFileText,
  IconReplace,
  IconTerminal2,
  IconUser,
  IconUserHeart,
} from '@tabler/icons-react';
import type { Ref } from 'react';
import { patientOf } from '../../../core/fhir/follow.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import type { ResultRow } from './result-rows.ts';
import styles from './search.module.css';
import type { RowActions } from './use-row-actions.ts';

/** Position of the menu in CSS pixels of the window. */
export interface MenuPosition {
  readonly x: number;
  readonly y: number;
}

interface RowMenuProps {
  readonly place: MenuPosition | undefined;
  /** Rows that the actions apply to. */
  readonly rows: readonly ResultRow[];
  readonly actions: RowActions;
  readonly onClose: () => void;
}

/** Context menu with the actions for the current row or the selected rows. */
export function RowMenu({ place, rows, actions, onClose }: RowMenuProps) {
  const count = rows.length;
  const singleRow = count === 1 ? rows[0] : undefined;
  const patient =
    singleRow && isResourceType(singleRow.type) ? patientOf(singleRow.type, singleRow) : undefined;
  return (
    <Menu
      opened={place !== undefined && count > 0}
      onClose={onClose}
      position="bottom-start"
      offset={2}
      returnFocus={false}
    >
      <Menu.Target>
        <MenuPlace x={place?.x} y={place?.y} />
      </Menu.Target>
      <Menu.Dropdown aria-label={text.rowMenu.name}>
        <Menu.Item leftSection={<IconFileText size={14} />} onClick={() => actions.open(rows)}>
          {text.rowMenu.open(count)}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => actions.copyIds(rows)}>
          {text.rowMenu.copyIds(count)}
        </Menu.Item>
        <Menu.Item leftSection={<IconBraces size={14} />} onClick={() => actions.copyReferences(rows)}>
          {text.rowMenu.copyReferences(count)}
        </Menu.Item>
        {singleRow && (
          <>
            <Menu.Item leftSection={<IconTerminal2 size={14} />} onClick={() => actions.copyCurl(singleRow)}>
              {text.rowMenu.copyCurl}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconUserHeart size={14} />}
              disabled={!patient}
              onClick={() => patient && actions.openPatient(patient)}
            >
              {text.rowMenu.openPatient}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconUser size={14} />}
              disabled={singleRow.subject === ''}
              onClick={() => actions.searchPatient(singleRow)}
            >
              {text.rowMenu.searchPatient}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconReplace size={14} />}
              onClick={() => actions.composePatch(singleRow)}
            >
              {text.rowMenu.composePatch}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface MenuPlaceProps {
  readonly x: number | undefined;
  readonly y: number | undefined;
  readonly ref?: Ref<HTMLSpanElement>;
}

/** Anchor of the menu. It is no control, so it ignores the ARIA props of a menu target. */
function MenuPlace({ x, y, ref }: MenuPlaceProps) {
  return <span ref={ref} className={styles.menuPlace} style={{ left: x, top: y }} />;
}
