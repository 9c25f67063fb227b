import { useQueryClient } from '@tanstack/react-query';
import { sendPackage } from '../../platform/transfer.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { createStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { bodyOf, type ChosenPackage } from './package-files.ts';

const messages = text.packages;

/** Result of adding one package. */
interface PackageLine {
  readonly tone: 'good' | 'warning';
  readonly text: string;
}

interface Run {
  /** Name of the package that is being sent. */
  readonly adding?: string;
  readonly lines: readonly PackageLine[];
}

/** State of adding packages in this window. Adding continues while the Data tab is closed. */
export const packageRun = createStore<Run>({ lines: [] });
let queue: Promise<void> = Promise.resolve();

/** Replaces the message about packages. */
export function sayOfPackages(line: PackageLine | undefined): void {
  packageRun.set({ lines: line ? [line] : [] });
}

/** Returns a function that adds packages one at a time, announces the results and reloads all queries. */
export function useAddPackages(): (packages: readonly ChosenPackage[]) => Promise<void> {
  const announce = useAnnounce();
  const queries = useQueryClient();
  return async (packages) => {
    if (packages.length === 0) sayOfPackages({ tone: 'warning', text: messages.noPackage });
    else {
      queue = queue.then(() => addAll(packages));
      await queue;
    }
    const { lines } = packageRun.get();
    announce(lines.map((line) => line.text).join(' '));
    await queries.invalidateQueries();
  };
}

async function addAll(packages: readonly ChosenPackage[]): Promise<void> {
  const lines: PackageLine[] = [];
  for (const selectedPackage of packages) {
    packageRun.set({ adding: selectedPackage.name, lines });
    lines.push(await add(selectedPackage));
  }
  packageRun.set({ lines });
}

async function add(selectedPackage: ChosenPackage): Promise<PackageLine> {
  try {
    const { body, type } = await bodyOf(selectedPackage);
    const { installedPackage, isNew } = await sendPackage(body, type);
    const formatMessage = isNew ? messages.added : messages.unchanged;
    return { tone: 'good', text: formatMessage(installedPackage.name, installedPackage.version) };
  } catch (error) {
    return {
      tone: 'warning',
      text: messages.notAdded(selectedPackage.name, toFailure(error).sentences.join(' ')),
    };
  }
}
