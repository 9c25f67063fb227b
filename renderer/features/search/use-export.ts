import { useMemo, useRef, useState } from 'react';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { fileName, saveFile, useSaveCsv } from '../../platform/save-file.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { formats, type Format, type ExportLines } from './export-content.ts';

/** Content of an export, page by page. */
export interface ExportToWrite {
  readonly format: Format;
  readonly type: ResourceType;
  /** Text before the first page, such as column names. */
  readonly head?: string;
  /** Expected number of records, if known. */
  readonly total: number | undefined;
  readonly pages: () => AsyncIterable<ExportLines> | Iterable<ExportLines>;
  /** Returns the number of repeated records so far. Each is written once. */
  readonly countDuplicates: () => number;
}

/** A running or failed export. */
export interface ExportJob {
  readonly content: ExportToWrite;
  readonly done: number;
  /** Reasons of the failure. */
  readonly sentences?: readonly string[];
}

/** Writes an export to a file and saves the complete file. Continues while the search changes. */
export function useExport() {
  const announce = useAnnounce();
  const [job, setJob] = useState<ExportJob>();
  const currentToken = useRef<object>(undefined);
  const saveCsv = useSaveCsv();

  const start = useStable(async (content: ExportToWrite) => {
    const token = {};
    currentToken.current = token;
    const isStopped = () => currentToken.current !== token;
    const { extension, mediaType, head, separator, tail } = formats[content.format];
    const parts: BlobPart[] = [content.head ?? head];
    let done = 0;
    setJob({ content, done });
    try {
      for await (const page of content.pages()) {
        if (isStopped()) return;
        // A Blob may be stored on disk; the texts of a million records don't fit into memory.
        if (page.length > 0) parts.push(new Blob([done > 0 ? separator : '', page.join(separator)]));
        done += page.length;
        setJob({ content, done });
      }
    } catch (error) {
      if (!isStopped()) setJob({ content, done, sentences: toFailure(error).sentences });
      return;
    }
    if (isStopped()) return;
    if (done === 0) {
      setJob({ content, done, sentences: [text.export.none] });
      return;
    }
    const name = fileName(content.type, extension);
    if (content.format === 'csv') saveCsv(parts, name);
    else saveFile(new Blob([...parts, tail], { type: mediaType }), name);
    setJob(undefined);
    const message = text.export.done(content.type, done, name, content.total);
    const duplicateCount = content.countDuplicates();
    announce(duplicateCount === 0 ? message : text.export.repeated(message, duplicateCount));
  });
  const stop = useStable(() => {
    currentToken.current = undefined;
    setJob(undefined);
  });
  return useMemo(() => ({ job, start, stop }), [job, start, stop]);
}

export type Export = ReturnType<typeof useExport>;
