import { Button } from '@mantine/core';
import { IconFile, IconFileExport } from '@tabler/icons-react';
import type { SettingsOutcome, SettingsResult } from '../../../core/app/settings-files.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot, type Tone } from '../../ui/tone-dot.tsx';
import styles from './data.module.css';
import { FilePicker } from './file-picker.tsx';
import { useSettingsExport, useSettingsImport } from './use-settings-files.ts';

const words = text.data.settings;

/** Settings as files: exports them to a folder, and imports them after a preview. */
export function SettingsPart() {
  return (
    <div className={styles.column}>
      <h2>{words.heading}</h2>
      <p>{words.what}</p>
      <SettingsExport />
      <SettingsImport />
    </div>
  );
}

function SettingsExport() {
  const announce = useAnnounce();
  const exportRun = useSettingsExport();
  return (
    <>
      <div className={styles.row}>
        <Button
          variant="filled"
          loading={exportRun.isPending}
          leftSection={<IconFileExport size={16} aria-hidden />}
          onClick={() =>
            exportRun.mutate(undefined, {
              onSuccess: (done) => done && announce(words.exported(done.files, done.name)),
            })
          }
        >
          {words.export}
        </Button>
      </div>
      {exportRun.data && (
        <p className={styles.summary} data-tone="good">
          {words.exported(exportRun.data.files, exportRun.data.name)}
        </p>
      )}
      <RequestFailure title={words.exportFailed} query={exportRun} />
    </>
  );
}

function SettingsImport() {
  const announce = useAnnounce();
  const { outcome, send, choose, takeOver } = useSettingsImport();
  const { isPending } = send;
  const count = outcome?.lines.filter(({ result }) => result === 'new' || result === 'changed').length ?? 0;
  return (
    <section className={styles.section} aria-label={words.importHeading}>
      <h3>{words.importHeading}</h3>
      <p>{words.importWhat}</p>
      <div className={styles.row}>
        <FilePicker choose="folder" disabled={isPending} onChosen={choose}>
          {words.chooseFolder}
        </FilePicker>
        <FilePicker choose={{ accept: '.json' }} icon={IconFile} disabled={isPending} onChosen={choose}>
          {words.chooseFile}
        </FilePicker>
        {outcome?.dryRun === true && count > 0 && (
          <Button
            variant="filled"
            loading={isPending}
            onClick={() => {
              takeOver();
              announce(words.taking(count));
            }}
          >
            {words.takeOver}
          </Button>
        )}
      </div>
      {outcome && (
        <>
          <p className={styles.summary} role="status" data-tone={outcome.dryRun ? undefined : 'good'}>
            {outcome.dryRun ? words.would(count) : words.taken(count)}
          </p>
          <OutcomeLines outcome={outcome} />
        </>
      )}
      <RequestFailure title={words.importFailed} query={send} />
    </section>
  );
}

const tones: Readonly<Record<SettingsResult, Tone>> = {
  new: 'good',
  changed: 'info',
  same: 'neutral',
  refused: 'danger',
};

function OutcomeLines({ outcome: { lines } }: { readonly outcome: SettingsOutcome }) {
  return (
    <div className={styles.defects} tabIndex={0} role="region" aria-label={words.outcome}>
      <table className={styles.table}>
        <TableHead columns={[words.columns.file, words.columns.result, words.columns.about]} />
        <tbody>
          {lines.map(({ path, result, text: description }) => (
            <tr key={path}>
              <td className={styles.long} title={path}>
                {path}
              </td>
              <td>
                <ToneDot tone={tones[result]} label={words.results[result]} />
              </td>
              <td className={styles.about}>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
