import { IconFileImport } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRunCommand } from '../../platform/commands.ts';
import { useLogJob } from '../../platform/note-job.ts';
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
 * Window-wide part of the Data view. Lists files that are dropped anywhere for an import and announces the end of an
 * import. While files are dragged over the window, an overlay explains the drop.
 */
export function DropOverlay() {
  useImportEnd();
  const isDragging = useDropped(useDropHandler());
  if (!isDragging) return null;
  return (
    <div className={styles.shade} aria-hidden>
      <p>
        <IconFileImport size={16} /> {text.data.import.drop}
      </p>
    </div>
  );
}

/** Announces the start and the result of an import, and logs its result. */
function useImportEnd(): void {
  const announce = useAnnounce();
  const note = useLogJob();
  const queries = useQueryClient();
  const { phase } = useStore(imports);
  const wasBusy = useRef(false);
  useEffect(() => {
    const busy = phase.name === 'running' || phase.name === 'stopping';
    const message = outcomeWords(imports.get());
    if (wasBusy.current && !busy && message !== '') {
      announce(message);
      const { progress } = imports.get();
      if (!('dryRun' in phase && phase.dryRun)) {
        void queries.invalidateQueries();
        note({ kind: 'import', note: message, counts: { ...progress.counts } });
      }
    }
    // The messages of the previous import no longer apply.
    if (busy && !wasBusy.current) announce(text.data.import.running(phase.dryRun));
    wasBusy.current = busy;
  }, [announce, note, queries, phase]);
}

/** Handles dropped files: adds packages and lists other files for an import. */
function useDropHandler(): (data: DataTransfer) => Promise<void> {
  const announce = useAnnounce();
  const runCommand = useRunCommand();
  const addPackages = useAddPackages();
  return async (data) => {
    const files = await droppedFiles(data).catch(() => undefined);
    if (!files) {
      announce(text.data.import.readFailed);
      return;
    }
    const { packages, otherFiles } = packagesAmong(files);
    if (packages.length > 0) {
      runCommand('data.packages');
      await addPackages(packages);
      if (otherFiles.length === 0) return;
    }
    const words = offerFiles(otherFiles);
    if (words === undefined) return;
    runCommand('data.import');
    announce(words);
  };
}

/** Passes on files that are dropped on the window. Returns true while files are dragged over it. */
function useDropped(onDropped: (data: DataTransfer) => Promise<void>): boolean {
  const [isDragging, setDragging] = useState(false);
  const handleDrop = useEffectEvent(onDropped);
  useEffect(() => {
    // Text dragged within the page is not for the import.
    const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const onOver = (event: DragEvent) => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const onDrop = (event: DragEvent) => {
      setDragging(false);
      if (!event.dataTransfer || !bringsFiles(event)) return;
      // Otherwise the browser would leave the page and open the file.
      event.preventDefault();
      void handleDrop(event.dataTransfer);
    };
    const controller = new AbortController();
    window.addEventListener('dragover', onOver, controller);
    window.addEventListener('dragleave', onLeave, controller);
    window.addEventListener('drop', onDrop, controller);
    return () => controller.abort();
  }, []);
  return isDragging;
}
