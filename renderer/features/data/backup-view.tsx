import { BackupPart } from './backup-part.tsx';

/** The Backups part of Trust, to which the backup commands lead. */
export function BackupView() {
  return <BackupPart leads="backups" />;
}
