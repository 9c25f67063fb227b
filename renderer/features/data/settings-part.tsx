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

const messages = text.data.settings;

/** Settings as files: exports them to a folder, and imports them after a preview. */
export function SettingsPart() {
  return (
    <div className={styles.column}>
      <h2>{messages.heading}</h2>
      <p>{messages.what}</p>
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
              onSuccess: (done) => done && announce(messages.exported(done.files, done.name)),
            })
          }
        >
          {messages.export}
        </Button>
      </div>
      {exportRun.data && (
        <p className={styles.summary} data-tone="good">
          {messages.exported(exportRun.data.files, exportRun.data.name)}
        </p>
      )}
      <RequestFailure title={messages.exportFailed} query={exportRun} />
    </>
  );
}

function SettingsImport() {
  const announce = useAnnounce();
  const { outcome, send, choose, takeOver } = useSettingsImport();
  const { isPending } = send;
  const count = outcome?.lines.filter(({ result }) => result === 'new' || result === 'changed').length ?? 0;
  return (
    <section className={styles.section} aria-label={messages.importHeading}>
      <h3>{messages.importHeading}</h3>
      <p>{messages.importWhat}</p>
      <div className={styles.row}>
        <FilePicker choose="folder" disabled={isPending} onChosen={choose}>
          {messages.chooseFolder}
        </FilePicker>
        <FilePicker choose={{ accept: '.json' }} icon={IconFile} disabled={isPending} onChosen={choose}>
          {messages.chooseFile}
        </FilePicker>
        {outcome?.dryRun === true && count > 0 && (
          <Button
            variant="filled"
            loading={isPending}
            onClick={() => {
              takeOver();
              announce(messages.taking(count));
            }}
          >
            {messages.takeOver}
          </Button>
        )}
      </div>
      {outcome && (
        <>
          <p className={styles.summary} role="status" data-tone={outcome.dryRun ? undefined : 'good'}>
            {outcome.dryRun ? messages.would(count) : messages.taken(count)}
          </p>
          <OutcomeLines outcome={outcome} />
        </>
      )}
      <RequestFailure title={messages.importFailed} query={send} />
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
    <div className={styles.defects} tabIndex={0} role="region" aria-label={messages.outcome}>
      <table className={styles.table}>
        <TableHead columns={[messages.columns.file, messages.columns.result, messages.columns.about]} />
        <tbody>
          {lines.map(({ path, result, text: description }) => (
            <tr key={path}>
              <td className={styles.long} title={path}>
                {path}
              </td>
              <td>
                <ToneDot tone={tones[result]} label={messages.results[result]} />
              </td>
              <td className={styles.about}>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
