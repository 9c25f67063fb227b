import { Tabs } from '@mantine/core';
import { text } from '../../ui/text.ts';
import { BackupPart } from './backup-part.tsx';
import { dataPart, dataParts, useDataPart } from './data-part.ts';
import styles from './data.module.css';
import frame from '../../ui/view.module.css';
import { ExportPart } from './export-part.tsx';
import { ImportPart } from './import-part.tsx';
import { TrainingPart } from './training-part.tsx';

/** The Data tab: records in, records out, and records to practise on. */
export function DataView({ front }: { readonly front: boolean }) {
  const words = text.data;
  return (
    <Tabs
      value={useDataPart()}
      onChange={(value) => {
        const part = dataParts.find((one) => one === value);
        if (part) dataPart.show(part);
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
