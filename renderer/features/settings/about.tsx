import { text } from '../../ui/text.ts';
import styles from './settings.module.css';

const words = text.settings;

interface AboutProps {
  /** Absent where another server is worked on. */
  readonly version: string | undefined;
  readonly folder: string | undefined;
}

/** What the program is, and where the data lies. */
export function About({ version, folder }: AboutProps) {
  return (
    <dl className={styles.facts}>
      {version !== undefined && (
        <>
          <dt>{words.version}</dt>
          <dd className="mono">{version}</dd>
        </>
      )}
      <dt>{words.standard}</dt>
      <dd>{words.fhir}</dd>
      {folder !== undefined && (
        <>
          <dt>{words.folder}</dt>
          <dd className="mono">{folder}</dd>
        </>
      )}
      <dt>{words.network}</dt>
      <dd>{words.networkDetail}</dd>
      <dt>{words.licence}</dt>
      <dd>{words.mit}</dd>
    </dl>
  );
}
