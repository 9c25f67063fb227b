import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconChevronDown, IconPointFilled } from '@tabler/icons-react';
import { isUnsaved } from '../features/record/record-state.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { labelOf } from './tab-labels.ts';
import { searchKey, type Tab, type TabsState } from './tabs-state.ts';

interface TabListProps {
  readonly tabs: TabsState;
  readonly onActivate: (key: string) => void;
}

/** Every open tab in a list, for when there are more than the strip can show. */
export function TabList({ tabs, onActivate }: TabListProps) {
  if (tabs.tabs.length === 0) return null;
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Tooltip label={text.tabs.list}>
          <ActionIcon className={styles.tabList ?? ''} aria-label={text.tabs.list}>
            <IconChevronDown size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown className={styles.tabMenu ?? ''}>
        <Menu.Item
          aria-current={tabs.active === searchKey ? 'page' : undefined}
          onClick={() => onActivate(searchKey)}
        >
          {text.views.search}
        </Menu.Item>
        {tabs.tabs.map((tab) => (
          <Menu.Item
            key={tab.key}
            aria-current={tabs.active === tab.key ? 'page' : undefined}
            rightSection={<Mark tab={tab} />}
            onClick={() => onActivate(tab.key)}
          >
            {labelOf(tab)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Mark({ tab }: { readonly tab: Tab }) {
  if (tab.kind !== 'record' || !isUnsaved(tab.record)) return null;
  return <IconPointFilled size={14} aria-label={text.tabs.unsaved} />;
}
