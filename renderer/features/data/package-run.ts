import { useQueryClient } from '@tanstack/react-query';
import { sendPackage } from '../../platform/transfer.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { createStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { bodyOf, type ChosenPackage } from './package-files.ts';

const words = text.packages;

/** What became of a package. */
interface PackageLine {
  readonly tone: 'good' | 'warning';
  readonly text: string;
}

interface Run {
  /** Names the one that is being sent. */
  readonly adding?: string;
  readonly lines: readonly PackageLine[];
}

/** The adding of packages in this window: it goes on while the Data tab is closed. */
export const packageRun = createStore<Run>({ lines: [] });
let last: Promise<void> = Promise.resolve();

/** Says something of packages in the place of what was said before. */
export function sayOfPackages(line: PackageLine | undefined): void {
  packageRun.set({ lines: line ? [line] : [] });
}

/** How packages are added, one behind the other; what became of them is said, and all is read anew. */
export function useAddPackages(): (chosen: readonly ChosenPackage[]) => Promise<void> {
  const announce = useAnnounce();
  const queries = useQueryClient();
  return async (chosen) => {
    if (chosen.length === 0) sayOfPackages({ tone: 'warning', text: words.noPackage });
    else {
      last = last.then(() => addAll(chosen));
      await last;
    }
    const { lines } = packageRun.get();
    announce(lines.map((line) => line.text).join(' '));
    await queries.invalidateQueries();
  };
}

async function addAll(chosen: readonly ChosenPackage[]): Promise<void> {
  const lines: PackageLine[] = [];
  for (const one of chosen) {
    packageRun.set({ adding: one.name, lines });
    lines.push(await add(one));
  }
  packageRun.set({ lines });
}

async function add(chosen: ChosenPackage): Promise<PackageLine> {
  try {
    const { body, type } = await bodyOf(chosen);
    const { held, isNew } = await sendPackage(body, type);
    const said = isNew ? words.added : words.unchanged;
    return { tone: 'good', text: said(held.name, held.version) };
  } catch (error) {
    return { tone: 'warning', text: words.notAdded(chosen.name, toFailure(error).sentences.join(' ')) };
  }
}
