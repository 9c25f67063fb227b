import type { SearchResult } from '../../core/api/answers.ts';
import type { Client } from '../../core/api/client.ts';
import type { CheckedRecord } from '../../core/app/checked-quality.ts';
import type { SearchQuery } from '../../core/app/searches.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { summarise } from '../../core/fhir/summary.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { createStore } from '../ui/store.ts';
import { findingsOf } from './rules.ts';

/** What a check of another server's records has come to. */
export interface CheckState {
  readonly phase: 'none' | 'running' | 'stopped' | 'done' | 'failed';
  /** What was searched for. */
  readonly asked?: SearchQuery;
  readonly records: readonly CheckedRecord[];
  /** How many there are, where the server says so. */
  readonly total?: number;
  /** When the last record was judged: an instant. */
  readonly computed: string;
  readonly error?: unknown;
}

/** Records that are read at once, and that are judged in one check at most. */
const pageSize = 100;
export const mostChecked = 5000;

/**
 * Judges the records that a search of another server finds, page by page, by the page's own rules. One check for each
 * client; what is saved meanwhile is judged anew.
 */
export type RemoteCheck = ReturnType<typeof createCheck>;

function createCheck(client: Client) {
  const { get, set, subscribe } = createStore<CheckState>({ phase: 'none', records: [], computed: '' });
  let control = new AbortController();

  function change(part: Partial<CheckState>) {
    set({ ...get(), ...part, computed: new Date().toISOString() });
  }

  async function judge(type: ResourceType, page: readonly { node: JsonNode; text: string }[]) {
    const judged = await findingsOf(
      type,
      page.map(({ text }) => text),
    );
    return page.map(({ node }, index): CheckedRecord => {
      const { id, title, subject, status, lastUpdated, version } = summarise(node);
      const about = { type, id, title, subject, status, lastUpdated, version: Number(version) || 0 };
      const findings = (judged[index] ?? []).map(({ issue: _, ...finding }) => ({ ...about, ...finding }));
      return { type, id, title, findings };
    });
  }

  async function run(asked: SearchQuery, signal: AbortSignal): Promise<void> {
    let next: string | undefined;
    do {
      const page: SearchResult =
        next === undefined
          ? await client.search(asked.type, [...asked.pairs, ['_count', String(pageSize)]])
          : await client.nextPage(asked.type, next);
      const records = await judge(asked.type, page.records);
      if (signal.aborted) return;
      change({
        records: [...get().records, ...records],
        ...(!page.atLeast && next === undefined && { total: page.total }),
      });
      ({ next } = page);
    } while (next !== undefined && get().records.length < mostChecked);
    change({ phase: 'done' });
  }

  client.onWritten((type, id, text) => {
    if (!get().records.some((one) => one.type === type && one.id === id)) return;
    judge(type, [{ node: scan(text).root, text }]).then(
      ([record]) => {
        const replaced = (one: CheckedRecord) =>
          record && one.type === type && one.id === id ? record : one;
        change({ records: get().records.map(replaced) });
      },
      () => undefined,
    );
  });

  return {
    get,
    subscribe,
    start: ({ type, pairs }: SearchQuery): void => {
      control.abort();
      control = new AbortController();
      const { signal } = control;
      const computed = new Date().toISOString();
      set({ phase: 'running', asked: { type, pairs }, records: [], computed });
      run({ type, pairs }, signal).catch((error: unknown) => {
        if (!signal.aborted) change({ phase: 'failed', error });
      });
    },
    stop: (): void => {
      control.abort();
      change({ phase: 'stopped' });
    },
  };
}

const checks = new WeakMap<Client, RemoteCheck>();

/** The check of a client's server. */
export function checkOf(client: Client): RemoteCheck {
  const found = checks.get(client) ?? createCheck(client);
  checks.set(client, found);
  return found;
}
