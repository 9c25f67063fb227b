import { Modal } from '@mantine/core';
import { commands } from '../../core/app/commands.ts';
import { desktop, isMac } from '../platform/desktop.ts';
import { KeyCaps } from '../ui/key-caps.tsx';
import { text } from '../ui/text.ts';
import styles from './app.module.css';

interface HelpDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Every shortcut: those of the commands table, then those of the tabs, the table and the editor. */
export function HelpDialog({ opened, onClose }: HelpDialogProps) {
  const rows = commands.flatMap(({ id, label, keys }) => {
    if (keys === undefined) return [];
    // A browser keeps this key for itself.
    return [{ label, keys: id === 'tab.close' && !desktop ? 'Delete' : keys }];
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={text.frame.help}
      size={480}
      closeButtonProps={{ 'aria-label': text.help.close }}
    >
      <table className={styles.help}>
        <tbody>
          {[...rows, ...text.help.rows].map(({ label, keys }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                <KeyCaps keys={keys} mac={isMac} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Modal>
  );
}
