import { IconArrowLeft, IconArrowRight, IconTerminal2 } from '@tabler/icons-react';
import { curlOf } from '../../../core/api/curl.ts';
import { formatQuery } from '../../../core/api/query.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { useConnection } from '../../platform/connection.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import { queryOf } from './criteria.ts';
import { SaveSearch } from './save-search.tsx';
import styles from './search.module.css';
import { useCopy } from '../../ui/use-copy.ts';
import type { Search } from './use-search.ts';

/** Steps through the searches of this window. */
export function SearchStart({ search }: { readonly search: Search }) {
  const { past, future } = search.state;
  return (
    <span className={styles.tools}>
      <IconButton
        label={text.search.back}
        hint={`${text.search.back} (Alt+←)`}
        disabled={past.length === 0}
        onClick={() => search.step(-1)}
      >
        <IconArrowLeft size={16} />
      </IconButton>
      <IconButton
        label={text.search.forward}
        hint={`${text.search.forward} (Alt+→)`}
        disabled={future.length === 0}
        onClick={() => search.step(1)}
      >
        <IconArrowRight size={16} />
      </IconButton>
    </span>
  );
}

/** Further actions for the search of the form. */
export function SearchEnd({ search }: { readonly search: Search }) {
  const copy = useCopy();
  const { fhirBase } = useConnection();
  const query = queryOf(search.state.form);
  return (
    <span className={styles.tools}>
      <SaveSearch search={query} />
      <IconButton
        label={text.rowMenu.copyCurl}
        onClick={() => copy(searchCurl(query, fhirBase), text.rowMenu.searchCopied)}
      >
        <IconTerminal2 size={16} />
      </IconButton>
    </span>
  );
}

function searchCurl({ type, pairs }: SearchQuery, fhirBase: string): string {
  const query = formatQuery(pairs);
  return curlOf({
    method: 'GET',
    url: `${fhirBase}/${type}` + (query === '' ? '' : `?${query}`),
    headers: { Accept: 'application/json' },
  });
}
