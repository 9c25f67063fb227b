import { Tabs } from '@mantine/core';
import { use } from 'react';
import type { CommandId } from '../../../core/app/commands.ts';
import { CommandsContext, useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { createStore, useStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { BackupPart } from './backup-part.tsx';
import styles from './data.module.css';
import frame from '../../ui/view.module.css';
import { ExportPart } from './export-part.tsx';
import { ImportPart } from './import-part.tsx';
import { TrainingPart } from './training-part.tsx';

const dataParts = ['import', 'export', 'backups', 'training'] as const;
type DataPart = (typeof dataParts)[number];

/** The part in front, which stays where the tab is closed and opened again. */
const shownPart = createStore<DataPart>('import');

/** The Data tab: records in, records out, and records to practise on. */
export function DataView({ front }: { readonly front: boolean }) {
  const words = text.data;
  const { openView } = useWorkbenchActions();
  const { runNext } = use(CommandsContext);
  const shown = useStore(shownPart);
  const show = (part: DataPart, then?: CommandId) => () => {
    openView('data');
    shownPart.set(part);
    if (then) runNext(then);
  };
  useCommandHandlers({
    'data.import': show('import'),
    'data.export': show('export'),
    'data.training': show('training'),
    // The part itself handles these, once it has read which backups there are.
    ...(shown !== 'backups' && {
      'backup.now': show('backups', 'backup.now'),
      'backup.restore': show('backups', 'backup.restore'),
    }),
  });
  return (
    <Tabs
      value={shown}
      onChange={(value) => {
        const part = dataParts.find((one) => one === value);
        if (part) shownPart.set(part);
      }}
      className={frame.view}
      keepMounted={false}
    >
      <Tabs.List aria-label={words.name} className={styles.parts}>
        {dataParts.map((part) => (
          <Tabs.Tab key={part} value={part}>
            {words.parts[part]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="import" className={styles.panel}>
        <ImportPart />
      </Tabs.Panel>
      <Tabs.Panel value="export" className={styles.panel} keepMounted>
        <ExportPart />
      </Tabs.Panel>
      <Tabs.Panel value="backups" className={styles.panel}>
        <BackupPart />
      </Tabs.Panel>
      <Tabs.Panel value="training" className={styles.panel}>
        <TrainingPart front={front} />
      </Tabs.Panel>
    </Tabs>
  );
}
