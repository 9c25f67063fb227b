import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { createStore, useStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { BackupPart } from './backup-part.tsx';
import frame from '../../ui/view.module.css';
import { CompanionPart } from './companion-part.tsx';
import { ExportPart } from './export-part.tsx';
import { ImportPart } from './import-part.tsx';
import { PackagePart } from './package-part.tsx';
import { SettingsPart } from './settings-part.tsx';
import { TrainingPart } from './training-part.tsx';

const dataParts = ['import', 'export', 'companions', 'packages', 'backups', 'settings', 'training'] as const;
type DataPart = (typeof dataParts)[number];

/** The part in front, which stays where the tab is closed and opened again. */
const shownPart = createStore<DataPart>('import');

/** The Data tab: records in, records out, and records to practise on. */
export function DataView({ front }: { readonly front: boolean }) {
  const words = text.data;
  const { openView } = useWorkbenchActions();
  const shown = useStore(shownPart);
  const show = (part: DataPart) => () => {
    openView('data');
    shownPart.set(part);
  };
  useCommandHandlers({
    'data.import': show('import'),
    'data.export': show('export'),
    'data.packages': show('packages'),
    'data.training': show('training'),
  });
  const panels: Readonly<Record<DataPart, ReactNode>> = {
    import: <ImportPart />,
    export: <ExportPart />,
    companions: <CompanionPart />,
    packages: <PackagePart />,
    backups: <BackupPart />,
    settings: <SettingsPart />,
    training: <TrainingPart front={front} />,
  };
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
      <Tabs.List aria-label={words.name} className={frame.parts}>
        {dataParts.map((part) => (
          <Tabs.Tab key={part} value={part}>
            {words.parts[part]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {dataParts.map((part) => (
        // An export goes on, and its form stays, while another part is in front.
        <Tabs.Panel key={part} value={part} className={frame.panel} keepMounted={part === 'export'}>
          {panels[part]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
