import { Button, Progress } from '@mantine/core';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { imports } from './import-run.ts';
import { bytesOf, recordsOf, type ImportState } from './import-state.ts';

/** How far the import is, how fast, and its stop. */
export function ImportProgress({ state: { files, phase, progress } }: { readonly state: ImportState }) {
  const words = text.data.import;
  const all = bytesOf(files);
  const records = recordsOf(progress);
  const stopping = phase.name === 'stopping';
  const label = stopping ? words.stopping : words.running('dryRun' in phase && phase.dryRun);
  return (
    <div className={styles.progress}>
      <p>{label}</p>
      <Progress
        value={all === 0 ? 0 : (progress.bytes / all) * 100}
        transitionDuration={0}
        aria-label={label}
      />
      <div className={styles.row}>
        <span className={styles.figures}>
          {words.progress(records, progress.bytes, all)}
          {progress.milliseconds > 0 && records > 0 && (
            <>, {text.data.rate((records / progress.milliseconds) * 1000)}</>
          )}
        </span>
        <Button onClick={imports.stop}>{stopping ? text.data.stopNow : text.data.stop}</Button>
      </div>
    </div>
  );
}
