import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconBan,
  IconCopy,
  IconCopyPlus,
  IconDots,
  IconListTree,
  IconRefresh,
  IconShieldCheck,
  IconTerminal2,
} from '@tabler/icons-react';
import { memo } from 'react';
import { curlOf } from '../../../core/api/curl.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import type { RecordAct } from './record-actions.ts';
import type { RecordHead } from './record-state.ts';

/** Foldings that the editor offers, by Monaco's own names. */
const folds = [
  { action: 'editor.foldAll', label: text.record.foldAll, icon: IconArrowsMinimize },
  { action: 'editor.foldLevel2', label: text.record.foldSections, icon: IconListTree },
  { action: 'editor.unfoldAll', label: text.record.unfoldAll, icon: IconArrowsMaximize },
] as const;

interface RecordMenuProps extends Pick<RecordHead, 'type' | 'id'> {
  readonly reload: RecordAct;
  readonly onEditor: (action: string) => void;
}

/** What is done with a record now and then. */
export const RecordMenu = memo(function RecordMenu({ type, id, reload, onEditor }: RecordMenuProps) {
  const { fhirBase, remote } = useConnection();
  const { auditOf } = useWorkbenchActions();
  const announce = useAnnounce();
  const run = useRunCommand();
  function copy(value: string, done: string) {
    navigator.clipboard.writeText(value).then(
      () => announce(done),
      () => announce(text.record.notCopied),
    );
  }
  const curl = () =>
    curlOf({
      method: 'GET',
      url: `${fhirBase}/${type}/${encodeURIComponent(id)}`,
      headers: { Accept: 'application/fhir+json' },
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={text.record.more}>
          <ActionIcon variant="default" size={26} aria-label={text.record.more}>
            <IconDots size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconRefresh size={16} />}
          disabled={reload.refusal !== undefined}
          onClick={reload.run}
        >
          {text.record.reload}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconShieldCheck size={16} />}
          disabled={remote !== undefined}
          onClick={() => auditOf({ type, id })}
        >
          {text.record.audit}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopyPlus size={16} />} onClick={() => run('record.duplicate')}>
          {text.record.duplicate}
        </Menu.Item>
        <Menu.Item leftSection={<IconBan size={16} />} onClick={() => run('record.enteredInError')}>
          {text.record.enteredInError}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => copy(id, text.record.copiedId)}>
          {text.record.copyId}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTerminal2 size={16} />}
          onClick={() => copy(curl(), text.record.copiedCurl)}
        >
          {text.record.copyCurl}
        </Menu.Item>
        <Menu.Divider />
        {folds.map(({ action, label, icon: Icon }) => (
          <Menu.Item key={action} leftSection={<Icon size={16} />} onClick={() => onEditor(action)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
