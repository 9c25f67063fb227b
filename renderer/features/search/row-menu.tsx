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

/** Where the menu was asked for, in CSS pixels of the window. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

interface RowMenuProps {
  readonly place: MenuPlace | undefined;
  /** The rows that it acts on. */
  readonly rows: readonly ResultRow[];
  readonly actions: RowActions;
  readonly onClose: () => void;
}

/** What can be done with the row at hand, or with all that are chosen. */
export function RowMenu({ place, rows, actions, onClose }: RowMenuProps) {
  const count = rows.length;
  const alone = count === 1 ? rows[0] : undefined;
  const patient = alone && isResourceType(alone.type) ? patientOf(alone.type, alone) : undefined;
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
        {alone && (
          <>
            <Menu.Item leftSection={<IconTerminal2 size={14} />} onClick={() => actions.copyCurl(alone)}>
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
              disabled={alone.subject === ''}
              onClick={() => actions.searchPatient(alone)}
            >
              {text.rowMenu.searchPatient}
            </Menu.Item>
            <Menu.Item leftSection={<IconReplace size={14} />} onClick={() => actions.composePatch(alone)}>
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

/** Where the menu opens: a place and no control, so that it leaves aside what a control would say of its menu. */
function MenuPlace({ x, y, ref }: MenuPlaceProps) {
  return <span ref={ref} className={styles.menuPlace} style={{ left: x, top: y }} />;
}
