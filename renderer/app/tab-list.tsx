import { Menu } from '@mantine/core';
import { IconChevronDown, IconPointFilled } from '@tabler/icons-react';
import { memo } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import type { TabFace } from './tab-faces.ts';
import { useTabWords } from './tab-words.ts';

interface TabListProps {
  readonly tabs: readonly TabFace[];
  /** Key of the tab in front. */
  readonly active: string;
  readonly onActivate: (key: string) => void;
}

/** Every open tab in a list, for when there are more than the strip can show. */
export const TabList = memo(function TabList({ tabs, active, onActivate }: TabListProps) {
  if (tabs.length <= 1) return null;
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <IconButton label={text.tabs.list} className={styles.tabList ?? ''}>
          <IconChevronDown size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.tabMenu ?? ''}>
        {tabs.map((tab) => (
          <TabEntry key={tab.key} tab={tab} active={active} onActivate={onActivate} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});

interface TabEntryProps extends Pick<TabListProps, 'active' | 'onActivate'> {
  readonly tab: TabFace;
}

function TabEntry({ tab, active, onActivate }: TabEntryProps) {
  const { key, unsaved } = tab;
  const { name } = useTabWords(tab);
  return (
    <Menu.Item
      aria-current={active === key ? 'page' : undefined}
      rightSection={unsaved && <IconPointFilled size={14} aria-label={text.tabs.unsaved} />}
      onClick={() => onActivate(key)}
    >
      {name}
    </Menu.Item>
  );
}
