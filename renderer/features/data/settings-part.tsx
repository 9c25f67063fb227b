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

/** Settings as files: out into a folder that can lie in git, and in again after a look at what would change. */
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
  const out = useSettingsExport();
  return (
    <>
      <div className={styles.row}>
        <Button
          variant="filled"
          loading={out.isPending}
          leftSection={<IconFileExport size={16} aria-hidden />}
          onClick={() =>
            out.mutate(undefined, {
              onSuccess: (done) => done && announce(words.exported(done.files, done.name)),
            })
          }
        >
          {words.export}
        </Button>
      </div>
      {out.data && (
        <p className={styles.summary} data-tone="good">
          {words.exported(out.data.files, out.data.name)}
        </p>
      )}
      <RequestFailure title={words.exportFailed} of={out} />
    </>
  );
}

function SettingsImport() {
  const announce = useAnnounce();
  const { outcome, send, choose, takeOver } = useSettingsImport();
  const { isPending: pending } = send;
  const count = outcome?.lines.filter(({ result }) => result === 'new' || result === 'changed').length ?? 0;
  return (
    <section className={styles.section} aria-label={words.importHeading}>
      <h3>{words.importHeading}</h3>
      <p>{words.importWhat}</p>
      <div className={styles.row}>
        <FilePicker choose="folder" disabled={pending} onChosen={choose}>
          {words.chooseFolder}
        </FilePicker>
        <FilePicker choose={{ accept: '.json' }} icon={IconFile} disabled={pending} onChosen={choose}>
          {words.chooseFile}
        </FilePicker>
        {outcome?.dryRun === true && count > 0 && (
          <Button
            variant="filled"
            loading={pending}
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
      <RequestFailure title={words.importFailed} of={send} />
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
          {lines.map(({ path, result, text: about }) => (
            <tr key={path}>
              <td className={styles.long} title={path}>
                {path}
              </td>
              <td>
                <ToneDot tone={tones[result]} label={words.results[result]} />
              </td>
              <td className={styles.about}>{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
