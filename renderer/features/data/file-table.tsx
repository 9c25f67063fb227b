import { formatBytes } from '../../ui/format.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import type { ChosenFile } from './chosen-files.ts';
import styles from './data.module.css';

/** The files that an import takes, in its order. */
export function FileTable({ files }: { readonly files: readonly ChosenFile[] }) {
  const { columns, kinds, files: label } = text.data.import;
  return (
    <div className={styles.files} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table}>
        <TableHead columns={[columns.name, columns.kind, [columns.size, styles.number]]} />
        <tbody>
          {files.map(({ name, kind, file }) => (
            <tr key={name}>
              <td className={styles.long} title={name}>
                {name}
              </td>
              <td>{kinds[kind]}</td>
              <td className={styles.number}>{formatBytes(file.size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
