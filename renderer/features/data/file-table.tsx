import { text } from '../../ui/text.ts';
import type { ChosenFile } from './chosen-files.ts';
import styles from './data.module.css';

/** The files that an import takes, in its order. */
export function FileTable({ files }: { readonly files: readonly ChosenFile[] }) {
  const { columns, kinds, files: label } = text.data.import;
  return (
    <div className={styles.files} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{columns.name}</th>
            <th>{columns.kind}</th>
            <th className={styles.number}>{columns.size}</th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ name, kind, file }) => (
            <tr key={name}>
              <td className={styles.long} title={name}>
                {name}
              </td>
              <td>{kinds[kind]}</td>
              <td className={styles.number}>{text.data.size(file.size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
