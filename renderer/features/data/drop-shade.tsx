import { IconFileImport } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRunCommand } from '../../platform/commands.ts';
import { useNoteJob } from '../../platform/note-job.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { useStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { droppedFiles } from './chosen-files.ts';
import styles from './data.module.css';
import { imports, offerFiles } from './import-run.ts';
import { outcomeWords } from './import-state.ts';
import { packagesAmong } from './package-files.ts';
import { useAddPackages } from './package-run.ts';

/**
 * The window-wide part of the Data view: files dropped anywhere are listed for an import, and the end of an import is
 * said in the status bar. While files hang over the window, it says what a drop does.
 */
export function DropShade() {
  useImportEnd();
  const over = useDropped(useTaking());
  if (!over) return null;
  return (
    <div className={styles.shade} aria-hidden>
      <p>
        <IconFileImport size={16} /> {text.data.import.drop}
      </p>
    </div>
  );
}

/** Says what became of an import, and when one begins. */
function useImportEnd(): void {
  const announce = useAnnounce();
  const note = useNoteJob();
  const queries = useQueryClient();
  const { phase } = useStore(imports);
  const wasBusy = useRef(false);
  useEffect(() => {
    const busy = phase.name === 'running' || phase.name === 'stopping';
    const words = outcomeWords(imports.get());
    if (wasBusy.current && !busy && words !== '') {
      announce(words);
      const { progress } = imports.get();
      if (!('dryRun' in phase && phase.dryRun)) {
        void queries.invalidateQueries();
        note({ kind: 'import', note: words, counts: { ...progress.counts } });
      }
    }
    // The words of the run before are old news.
    if (busy && !wasBusy.current) announce(text.data.import.running(phase.dryRun));
    wasBusy.current = busy;
  }, [announce, note, queries, phase]);
}

/** Takes what is dropped: packages are added, the others are listed for an import. */
function useTaking(): (data: DataTransfer) => Promise<void> {
  const announce = useAnnounce();
  const runCommand = useRunCommand();
  const addPackages = useAddPackages();
  return async (data) => {
    const files = await droppedFiles(data).catch(() => undefined);
    if (!files) {
      announce(text.data.import.unread);
      return;
    }
    const { packages, others } = packagesAmong(files);
    if (packages.length > 0) {
      runCommand('data.packages');
      await addPackages(packages);
      if (others.length === 0) return;
    }
    const words = offerFiles(others);
    if (words === undefined) return;
    runCommand('data.import');
    announce(words);
  };
}

/** Hands on the files that are dropped on the window; whether some hang over it. */
function useDropped(onDropped: (data: DataTransfer) => Promise<void>): boolean {
  const [over, setOver] = useState(false);
  const take = useEffectEvent(onDropped);
  useEffect(() => {
    // Text that is dragged within the page is not for the import.
    const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const onOver = (event: DragEvent) => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer || !bringsFiles(event)) return;
      // Without this the browser would leave the page and show the file.
      event.preventDefault();
      void take(event.dataTransfer);
    };
    const listening = new AbortController();
    window.addEventListener('dragover', onOver, listening);
    window.addEventListener('dragleave', onLeave, listening);
    window.addEventListener('drop', onDrop, listening);
    return () => listening.abort();
  }, []);
  return over;
}
