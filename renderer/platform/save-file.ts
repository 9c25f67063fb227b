import { byteOrderMark } from '../../core/app/csv.ts';
import { localDay } from '../ui/time.ts';
import { usePreference } from './preferences.ts';

/** Downloads content under this name. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has started after this task, and the browser owns the content.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Returns a function that saves CSV rows as a file, with a byte order mark if the user chose Excel. */
export function useSaveCsv(): (rows: readonly BlobPart[], name: string) => void {
  const [isForExcel] = usePreference('csvForExcel');
  return (rows, name) =>
    saveFile(new Blob([...(isForExcel ? [byteOrderMark] : []), ...rows], { type: 'text/csv' }), name);
}

/** `chartkeeper-CarePlan-2026-11-21.ndjson` */
export function fileName(subject: string, extension: string): string {
  return `chartkeeper-${subject}-${localDay()}.${extension}`;
}
