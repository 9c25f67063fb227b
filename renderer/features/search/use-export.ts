import { useMemo, useRef, useState } from 'react';
import { fileName, saveFile, useSaveCsv } from '../../platform/save-file.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { formats, type Format, type Written } from './export-content.ts';

/** What is to be written, page by page. */
export interface ExportToWrite {
  readonly format: Format;
  readonly type: string;
  /** Before the first page, such as the names of columns. */
  readonly head?: string;
  /** How many records there will be, where it is known. */
  readonly total: number | undefined;
  readonly pages: () => AsyncIterable<Written> | Iterable<Written>;
  /** How many records the server has listed again by now; each is written once. */
  readonly repeated: () => number;
}

/** An export under way, or one that failed. */
export interface ExportJob {
  readonly asked: ExportToWrite;
  readonly done: number;
  /** Why it failed. */
  readonly sentences?: readonly string[];
}

/** Writes an export into a file, which is handed over once it is whole. It goes on while the search changes. */
export function useExport() {
  const announce = useAnnounce();
  const [job, setJob] = useState<ExportJob>();
  const running = useRef<object>(undefined);
  const saveCsv = useSaveCsv();

  const start = useStable(async (asked: ExportToWrite) => {
    const own = {};
    running.current = own;
    const stopped = () => running.current !== own;
    const { extension, media, head, between, tail } = formats[asked.format];
    const parts: BlobPart[] = [asked.head ?? head];
    let done = 0;
    setJob({ asked, done });
    try {
      for await (const page of asked.pages()) {
        if (stopped()) return;
        // A Blob may be kept on disk; the texts of a million records may not be kept in memory.
        if (page.length > 0) parts.push(new Blob([done > 0 ? between : '', page.join(between)]));
        done += page.length;
        setJob({ asked, done });
      }
    } catch (error) {
      if (!stopped()) setJob({ asked, done, sentences: toFailure(error).sentences });
      return;
    }
    if (stopped()) return;
    if (done === 0) {
      setJob({ asked, done, sentences: [text.export.none] });
      return;
    }
    const name = fileName(asked.type, extension);
    if (asked.format === 'csv') saveCsv(parts, name);
    else saveFile(new Blob([...parts, tail], { type: media }), name);
    setJob(undefined);
    announce(text.export.done(asked.type, done, name, asked.total, asked.repeated()));
  });
  const stop = useStable(() => {
    running.current = undefined;
    setJob(undefined);
  });
  return useMemo(() => ({ job, start, stop }), [job, start, stop]);
}

export type Export = ReturnType<typeof useExport>;
