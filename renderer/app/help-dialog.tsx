import { Modal } from '@mantine/core';
import { memo, useState } from 'react';
import { commandMenus, commands } from '../../core/app/commands.ts';
import { useCommandHandlers } from '../platform/commands.ts';
import { desktop, isMac } from '../platform/desktop.ts';
import { KeyCaps } from '../ui/key-caps.tsx';
import { useStore } from '../ui/store.ts';
import { userKeys, formatCommandKeys } from '../ui/keys.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';

interface HelpRow {
  readonly label: string;
  readonly keys: string;
}

const listShortcutGroups = () =>
  commandMenus.map((menu) => ({
    name: text.help.menus[menu],
    rows: commands.flatMap((command): readonly HelpRow[] => {
      const keys = command.menu === menu ? formatCommandKeys(command, desktop === undefined) : undefined;
      return keys === undefined ? [] : [{ label: command.label, keys }];
    }),
  }));

/** Lists all shortcuts: the commands by menu, then the keys of tabs, table and editor. */
export const HelpDialog = memo(function HelpDialog() {
  const [isOpen, setIsOpen] = useState(false);
  useCommandHandlers({ 'app.help': () => setIsOpen(true) });
  useStore(userKeys);
  return (
    <Modal
      opened={isOpen}
      onClose={() => setIsOpen(false)}
      title={text.frame.help}
      size={760}
      closeButtonProps={{ 'aria-label': text.help.close }}
    >
      <div className={styles.helpGroups}>
        {[...listShortcutGroups(), { name: text.help.others, rows: text.help.rows }].map(({ name, rows }) => (
          <HelpGroup key={name} name={name} rows={rows} />
        ))}
      </div>
    </Modal>
  );
});

function HelpGroup({ name, rows }: { readonly name: string; readonly rows: readonly HelpRow[] }) {
  if (rows.length === 0) return null;
  return (
    <table className={styles.help}>
      <caption>{name}</caption>
      <tbody>
        {rows.map(({ label, keys }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>
              <KeyCaps keys={keys} mac={isMac} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
