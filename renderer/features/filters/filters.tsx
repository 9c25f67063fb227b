import { ActionIcon } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconFilter, IconLayoutSidebarLeftCollapse, IconX } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { maxValues, defaultFacetCount } from '../../../core/app/facets.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { facetNames, facetOf, type Facet } from '../../../core/fhir/facet.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePreference } from '../../platform/preferences.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { useIsActive } from '../../ui/active-context.ts';
import { text } from '../../ui/text.ts';
import { FacetGroup } from './facet-group.tsx';
import frame from '../../ui/view.module.css';
import styles from './filters.module.css';
import { listSelectedValues, toggled, withoutFacet, wordOf, type Choice } from './narrowing.ts';
import { useFacet, useNames, type FacetContext } from './use-facet.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { moveByArrows } from './arrows.ts';
import { hasChoice, dayGroups, withDay } from './days.ts';

/** Delay in milliseconds before values are counted, so that opening a row at once is not slowed down. */
const countDelayMs = 250;

/** Minimum width of the view in CSS pixels for panel and results side by side. */
const roomForBoth = 960;

interface FiltersProps extends FacetContext {
  /** Starts a search with these pairs. */
  readonly onPairs: (pairs: SearchQuery['pairs']) => void;
  /** Results of the search. */
  readonly children: ReactNode;
}

/** Filter panel to the left of the results. Other servers return no facets. */
export function Filters({ children, ...facetContext }: FiltersProps) {
  const { remote } = useConnection();
  const { ref, width } = useElementSize();
  const [isPinned, setPinned] = usePreference('filters');
  const [isRequested, setRequested] = useState(false);
  // Without space for both, the panel covers the results and opens only on request.
  const isOverlay = width > 0 && width < roomForBoth;
  const isVisible = isOverlay ? isRequested : isPinned;
  const show = isOverlay ? setRequested : setPinned;
  const { type, pairs } = facetContext.searchQuery;
  const selectedCount = facetsOf(type).flatMap((facet) => listSelectedValues(pairs, facet)).length;
  return (
    <div ref={ref} className={frame.beside}>
      {!remote && (isOverlay || !isVisible) && (
        <div className={styles.rail}>
          <ActionIcon
            aria-label={text.filters.show(selectedCount)}
            title={text.filters.show(selectedCount)}
            aria-expanded={isVisible}
            variant={selectedCount > 0 ? 'light' : 'subtle'}
            onClick={() => show(!isVisible)}
          >
            <IconFilter size={16} aria-hidden />
          </ActionIcon>
        </div>
      )}
      {!remote && width > 0 && isVisible && (
        <Region {...facetContext} isOverlay={isOverlay} onHide={() => show(false)} />
      )}
      <div className={frame.column}>{children}</div>
    </div>
  );
}

interface RegionProps extends Omit<FiltersProps, 'children'> {
  readonly isOverlay: boolean;
  readonly onHide: () => void;
}

function Region({ searchQuery, readAt, onPairs, isOverlay, onHide }: RegionProps) {
  const { type, pairs } = searchQuery;
  const { worklistOf } = useWorkbenchActions();
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  const settledReadAt = useAfterPaint(readAt, countDelayMs);
  const isReady = useIsActive() && settledReadAt === readAt;
  const facets = facetsOf(type);
  const change = (next: ReturnType<typeof toggled>) => onPairs(next.map(([name, value]) => [name, value]));
  const chips = facets.flatMap((facet) =>
    listSelectedValues(pairs, facet).map((choice) => ({ facet, choice })),
  );

  function onToggle(facet: Facet, choice: Choice, label: string) {
    setLabels((previousLabels) => ({ ...previousLabels, [keyOf(choice)]: label }));
    change(toggled(pairs, facet, choice));
  }

  return (
    <section className={styles.region} aria-label={text.filters.name} data-over={isOverlay}>
      <header className={frame.paneHead}>
        <h2>{text.filters.name}</h2>
        <ActionIcon size={22} aria-label={text.filters.hide} title={text.filters.hide} onClick={onHide}>
          <IconLayoutSidebarLeftCollapse size={14} aria-hidden />
        </ActionIcon>
      </header>
      <div className={styles.body}>
        {chips.length > 0 && (
          <div role="group" aria-label={text.filters.chosen} className={styles.chips}>
            {chips.map(({ facet, choice }) => (
              <Chip
                key={keyOf(choice)}
                facet={facet}
                choice={choice}
                searchQuery={searchQuery}
                readAt={readAt}
                label={labels[keyOf(choice)]}
                onRemove={() => change(toggled(pairs, facet, choice))}
              />
            ))}
            {chips.length > 1 && (
              <button
                type="button"
                className={styles.more}
                onClick={() => change(facets.reduce(withoutFacet, pairs))}
              >
                {text.filters.clear}
              </button>
            )}
          </div>
        )}
        <DayButtons type={type} pairs={pairs} onPairs={change} />
        <Facets
          facets={facets}
          searchQuery={searchQuery}
          readAt={readAt}
          ready={isReady}
          onToggle={onToggle}
          onRule={(rule) => worklistOf({ type, rule })}
        />
      </div>
    </section>
  );
}

interface ChipProps extends FacetContext {
  readonly facet: Facet;
  readonly choice: Choice;
  /** Label of the choice when it was selected here. */
  readonly label: string | undefined;
  readonly onRemove: () => void;
}

/** Chip of a filter. A search from elsewhere contains only codes; the facet values provide their labels. */
function Chip({ facet, choice, label: selectedLabel, searchQuery, readAt, onRemove }: ChipProps) {
  const getName = useNames(facet, { searchQuery, readAt });
  const label = getName(choice) ?? selectedLabel ?? wordOf(choice);
  return (
    <button
      type="button"
      className={styles.chip}
      aria-label={text.filters.remove(label)}
      title={`${text.types.filter(searchQuery.type, facet.name)}: ${label}`}
      onClick={onRemove}
    >
      <span>{label}</span>
      <IconX size={12} aria-hidden />
    </button>
  );
}

interface FacetsProps extends FacetContext {
  readonly facets: readonly Facet[];
  /** True if the facets before this one are counted. */
  readonly ready: boolean;
  readonly onToggle: (facet: Facet, choice: Choice, label: string) => void;
  readonly onRule: (rule: string) => void;
}

/** Counts one facet after the other: counting all at once would delay other requests of the page. */
function Facets({ facets: [firstFacet, ...otherFacets], ...props }: FacetsProps) {
  return (
    firstFacet && (
      <OneFacet key={firstFacet.name} facet={firstFacet} {...props}>
        {(isCounted) =>
          otherFacets.length > 0 && <Facets facets={otherFacets} {...props} ready={isCounted} />
        }
      </OneFacet>
    )
  );
}

interface OneFacetProps extends Omit<FacetsProps, 'facets'> {
  readonly facet: Facet;
  readonly children: (isCounted: boolean) => ReactNode;
}

function OneFacet({ facet, searchQuery, readAt, ready, onToggle, onRule, children }: OneFacetProps) {
  const [showsAll, setShowsAll] = useState(facet.kind === 'date');
  const query = useFacet(facet, {
    searchQuery,
    readAt,
    ready,
    count: showsAll ? maxValues : defaultFacetCount,
  });
  const getName = useNames(facet, { searchQuery, readAt });
  return (
    <>
      <FacetGroup
        facet={facet}
        name={text.types.filter(searchQuery.type, facet.name)}
        query={query}
        selected={listSelectedValues(searchQuery.pairs, facet)}
        onToggle={(choice, label) => onToggle(facet, choice, label)}
        onRule={onRule}
        nameOf={(choice) => getName(choice) ?? wordOf(choice)}
        onMore={showsAll ? undefined : () => setShowsAll(true)}
      />
      {children(ready && !query.isPending && !query.isPlaceholderData)}
    </>
  );
}

function facetsOf(type: SearchQuery['type']): readonly Facet[] {
  return facetNames(type).flatMap((name) => facetOf(type, name) ?? []);
}

function keyOf(choice: Choice): string {
  return JSON.stringify(choice);
}

interface DayButtonsProps {
  readonly type: ResourceType;
  readonly pairs: readonly Pair[];
  readonly onPairs: (pairs: readonly Pair[]) => void;
}

/** Day filters without counts, so that users need no date comparisons. */
function DayButtons({ type, pairs, onPairs }: DayButtonsProps) {
  return dayGroups(type).map((group) => (
    <section key={group.name} className={styles.facet}>
      <h3 aria-hidden>{group.name}</h3>
      <div role="group" aria-label={group.name} className={styles.days} onKeyDown={moveByArrows}>
        {group.choices.map((choice) => (
          <button
            key={choice.label}
            type="button"
            className={styles.day}
            aria-pressed={hasChoice(pairs, choice)}
            title={choice.pair.join(' ')}
            onClick={() => onPairs(withDay(pairs, group, choice))}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </section>
  ));
}
