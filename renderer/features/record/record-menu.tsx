import { Menu } from '@mantine/core';
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
import { Fragment, memo, type ComponentType } from 'react';
import { curlOf } from '../../../core/api/curl.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import { useCopy } from '../../ui/use-copy.ts';
import type { RecordActions } from './use-record-actions.ts';
import type { RecordHead } from './record-state.ts';

const messages = text.record;

interface MenuEntry {
  readonly label: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly run: () => void;
  readonly isDisabled?: boolean;
}

interface RecordMenuProps extends Pick<RecordHead, 'type' | 'id'> {
  readonly actions: RecordActions;
  readonly onEditor: (action: string) => void;
}

function curlTo(url: string): string {
  return curlOf({ method: 'GET', url, headers: { Accept: 'application/fhir+json' } });
}

/** Menu of the rare actions on a record. */
export const RecordMenu = memo(function RecordMenu({ type, id, actions, onEditor }: RecordMenuProps) {
  const { fhirBase, remote } = useConnection();
  const { auditOf } = useWorkbenchActions();
  const { reload } = actions.disabledReasons;
  const copy = useCopy();
  const run = useRunCommand();
  const url = `${fhirBase}/${type}/${encodeURIComponent(id)}`;
  const groups: readonly (readonly MenuEntry[])[] = [
    [
      {
        label: messages.reload,
        icon: IconRefresh,
        run: () => actions.run('reload'),
        isDisabled: reload !== undefined,
      },
      {
        label: messages.audit,
        icon: IconShieldCheck,
        run: () => auditOf({ type, id }),
        isDisabled: remote !== undefined,
      },
      { label: messages.duplicate, icon: IconCopyPlus, run: () => run('record.duplicate') },
      { label: messages.enteredInError, icon: IconBan, run: () => run('record.enteredInError') },
    ],
    [
      { label: messages.copyId, icon: IconCopy, run: () => copy(id, messages.copiedId, messages.notCopied) },
      {
        label: messages.copyCurl,
        icon: IconTerminal2,
        run: () => copy(curlTo(url), messages.copiedCurl, messages.notCopied),
      },
    ],
    // Fold actions of the editor, by Monaco's ids.
    [
      { label: messages.foldAll, icon: IconArrowsMinimize, run: () => onEditor('editor.foldAll') },
      { label: messages.foldSections, icon: IconListTree, run: () => onEditor('editor.foldLevel2') },
      { label: messages.unfoldAll, icon: IconArrowsMaximize, run: () => onEditor('editor.unfoldAll') },
    ],
  ];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton label={messages.more} variant="default" size={26}>
          <IconDots size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map((group, index) => (
          <Fragment key={index}>
            {index > 0 && <Menu.Divider />}
            {group.map(({ label, icon: Icon, run: runEntry, isDisabled = false }) => (
              <Menu.Item
                key={label}
                leftSection={<Icon size={16} />}
                disabled={isDisabled}
                onClick={runEntry}
              >
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
