import { isMac } from '../platform/desktop.ts';
import { KeyCaps } from '../ui/key-caps.tsx';
import type { LauncherEntry } from './launcher-entries.ts';
import styles from './launcher.module.css';

interface LauncherOptionProps {
  readonly id: string;
  readonly entry: LauncherEntry;
  readonly selected: boolean;
  readonly onRun: () => void;
}

/** One line of the palette: what it is, what it belongs to, and its keys; or why it cannot be chosen now. */
export function LauncherOption({ id, entry, selected, onRun }: LauncherOptionProps) {
  const { label, keys, icon: Icon, refusal } = entry;
  const detail = refusal ?? entry.detail;
  return (
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-disabled={refusal !== undefined}
      className={styles.option}
      title={[label, detail].filter(Boolean).join(' · ')}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      {Icon && <Icon size={16} aria-hidden />}
      <span className={styles.label}>{label}</span>
      {detail !== undefined && <small className={styles.detail}>{detail}</small>}
      {keys !== undefined && (
        <span className={styles.keys} aria-hidden>
          <KeyCaps keys={keys} mac={isMac} />
        </span>
      )}
    </div>
  );
}
