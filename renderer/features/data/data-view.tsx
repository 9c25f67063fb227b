import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { createStore, useStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { BackupSection } from './backup-part.tsx';
import { BatchesSection } from './batches-part.tsx';
import frame from '../../ui/view.module.css';
import { SupportingResourceSection } from './supporting-resource-section.tsx';
import { ExportSection } from './export-part.tsx';
import { ImportSection } from './import-part.tsx';
import { PackageSection } from './package-part.tsx';
import { SettingsPart } from './settings-part.tsx';
import { TrainingPart } from './training-part.tsx';

const dataParts = [
  'import',
  'batches',
  'export',
  'companions',
  'packages',
  'backups',
  'settings',
  'training',
] as const;
type DataPart = (typeof dataParts)[number];

/** Visible part of the tab. Survives closing the tab. */
const visiblePartStore = createStore<DataPart>('import');

/** Data tab: import, batches, export, packages, backups, settings and training records. */
export function DataView({ isActive }: { readonly isActive: boolean }) {
  const messages = text.data;
  const { openView } = useWorkbenchActions();
  const visiblePart = useStore(visiblePartStore);
  const createHandler = (part: DataPart) => () => {
    openView('data');
    visiblePartStore.set(part);
  };
  useCommandHandlers({
    'data.import': createHandler('import'),
    'data.export': createHandler('export'),
    'data.packages': createHandler('packages'),
    'data.training': createHandler('training'),
  });
  const panels: Readonly<Record<DataPart, ReactNode>> = {
    import: <ImportSection />,
    batches: <BatchesSection onImport={() => visiblePartStore.set('import')} />,
    export: <ExportSection />,
    companions: <SupportingResourceSection />,
    packages: <PackageSection />,
    backups: <BackupSection />,
    settings: <SettingsPart />,
    training: <TrainingPart isActive={isActive} />,
  };
  return (
    <Tabs
      value={visiblePart}
      onChange={(value) => {
        const part = dataParts.find((candidate) => candidate === value);
        if (part) visiblePartStore.set(part);
      }}
      className={frame.view}
      keepMounted={false}
    >
      <Tabs.List aria-label={messages.name} className={frame.parts}>
        {dataParts.map((part) => (
          <Tabs.Tab key={part} value={part}>
            {messages.tabs[part]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {dataParts.map((part) => (
        // The export part stays mounted, so that a running export and its form survive a switch.
        <Tabs.Panel key={part} value={part} className={frame.panel} keepMounted={part === 'export'}>
          {panels[part]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
