import { text } from '../../ui/text.ts';
import type { Composition } from './patch-rows.ts';
import styles from './patch.module.css';

/** The array as it will be sent, and beside it what it changes or why it cannot be sent. */
export function PatchPreview({ composed }: { readonly composed: Composition }) {
  return (
    <div className={styles.preview}>
      <section>
        <h2>{text.patch.body}</h2>
        <pre tabIndex={0} aria-label={text.patch.body}>
          {composed.body}
        </pre>
      </section>
      <section>
        <h2>{text.patch.effect}</h2>
        {composed.ready ? <Effect composed={composed} /> : <Problems composed={composed} />}
      </section>
    </div>
  );
}

function Effect({ composed }: { readonly composed: Extract<Composition, { ready: true }> }) {
  if (composed.changes.length === 0) return <p className={styles.dim}>{text.patch.noEffect}</p>;
  return (
    <ul className={styles.effect}>
      {composed.changes.map(({ pointer, before, after }) => (
        <li key={pointer}>
          <strong>{pointer}</strong>
          {before !== undefined && <del>{before}</del>}
          {after !== undefined && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  );
}

function Problems({ composed }: { readonly composed: Extract<Composition, { ready: false }> }) {
  if (composed.problems.length === 0) return <p className={styles.dim}>{text.patch.incomplete}</p>;
  return (
    <ul className={styles.problems}>
      {composed.problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}
