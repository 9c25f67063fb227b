import { ActionIcon } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconFilter, IconLayoutSidebarLeftCollapse, IconX } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { mostValues, usualValues } from '../../../core/app/facets.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { facetNames, facetOf, type Facet } from '../../../core/fhir/facet.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePreference } from '../../platform/preferences.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { useFront } from '../../ui/front.ts';
import { text } from '../../ui/text.ts';
import { DayButtons } from './day-buttons.tsx';
import { FacetGroup } from './facet-group.tsx';
import frame from '../../ui/view.module.css';
import styles from './filters.module.css';
import { chosenOf, toggled, withoutFacet, wordOf, type Choice } from './narrowing.ts';
import { useFacet, useNames, type Narrowed } from './use-facet.ts';

/** Milliseconds that rows lie before their values are counted: who opens one at once is not held up. */
const rest = 250;

/** Width of the view in CSS pixels from which there is room beside the results. */
const roomForBoth = 960;

interface FiltersProps extends Narrowed {
  /** Asks the search anew. */
  readonly onPairs: (pairs: SearchQuery['pairs']) => void;
  /** The results. */
  readonly children: ReactNode;
}

/** The values of a search at the left of its results; another server tells none. */
export function Filters({ children, ...narrowed }: FiltersProps) {
  const { remote } = useConnection();
  const { ref, width } = useElementSize();
  const [kept, keep] = usePreference('filters');
  const [asked, ask] = useState(false);
  // Where there is no room they lie over the results, and only when they are called.
  const over = width > 0 && width < roomForBoth;
  const shown = over ? asked : kept;
  const show = over ? ask : keep;
  const { type, pairs } = narrowed.asked;
  const chosen = facetsOf(type).flatMap((facet) => chosenOf(pairs, facet)).length;
  return (
    <div ref={ref} className={frame.beside}>
      {!remote && (over || !shown) && (
        <div className={styles.rail}>
          <ActionIcon
            aria-label={text.filters.show(chosen)}
            title={text.filters.show(chosen)}
            aria-expanded={shown}
            variant={chosen > 0 ? 'light' : 'subtle'}
            onClick={() => show(!shown)}
          >
            <IconFilter size={16} aria-hidden />
          </ActionIcon>
        </div>
      )}
      {!remote && width > 0 && shown && <Region {...narrowed} over={over} onHide={() => show(false)} />}
      <div className={frame.column}>{children}</div>
    </div>
  );
}

interface RegionProps extends Omit<FiltersProps, 'children'> {
  readonly over: boolean;
  readonly onHide: () => void;
}

function Region({ asked, readAt, onPairs, over, onHide }: RegionProps) {
  const { type, pairs } = asked;
  const { worklistOf } = useWorkbenchActions();
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  const rested = useAfterPaint(readAt, rest);
  const ready = useFront() && rested === readAt;
  const facets = facetsOf(type);
  const change = (next: ReturnType<typeof toggled>) => onPairs(next.map(([name, value]) => [name, value]));
  const chips = facets.flatMap((facet) => chosenOf(pairs, facet).map((choice) => ({ facet, choice })));

  function onToggle(facet: Facet, choice: Choice, label: string) {
    setLabels((former) => ({ ...former, [keyOf(choice)]: label }));
    change(toggled(pairs, facet, choice));
  }

  return (
    <section className={styles.region} aria-label={text.filters.name} data-over={over}>
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
                {...{ facet, choice, asked, readAt }}
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
          {...{ facets, asked, readAt, ready, onToggle }}
          onRule={(rule) => worklistOf({ type, rule })}
        />
      </div>
    </section>
  );
}

interface ChipProps extends Narrowed {
  readonly facet: Facet;
  readonly choice: Choice;
  /** What it was called when it was chosen here. */
  readonly label: string | undefined;
  readonly onRemove: () => void;
}

/** What the search is narrowed to. A search that was asked elsewhere says codes; the values beneath know what they are called. */
function Chip({ facet, choice, label: chosenAs, asked, readAt, onRemove }: ChipProps) {
  const named = useNames(facet, { asked, readAt });
  const label = named(choice) ?? chosenAs ?? wordOf(choice);
  return (
    <button
      type="button"
      className={styles.chip}
      aria-label={text.filters.remove(label)}
      title={`${text.filters.facet(facet.name)}: ${label}`}
      onClick={onRemove}
    >
      <span>{label}</span>
      <IconX size={12} aria-hidden />
    </button>
  );
}

interface FacetsProps extends Narrowed {
  readonly facets: readonly Facet[];
  /** Whether those before them are counted. */
  readonly ready: boolean;
  readonly onToggle: (facet: Facet, choice: Choice, label: string) => void;
  readonly onRule: (rule: string) => void;
}

/** One facet after the other is counted: together they would hold up what else the page asks for. */
function Facets({ facets: [first, ...rest], ...props }: FacetsProps) {
  return (
    first && (
      <OneFacet key={first.name} facet={first} {...props}>
        {(counted) => rest.length > 0 && <Facets facets={rest} {...props} ready={counted} />}
      </OneFacet>
    )
  );
}

interface OneFacetProps extends Omit<FacetsProps, 'facets'> {
  readonly facet: Facet;
  readonly children: (counted: boolean) => ReactNode;
}

function OneFacet({ facet, asked, readAt, ready, onToggle, onRule, children }: OneFacetProps) {
  const [all, setAll] = useState(facet.kind === 'date');
  const query = useFacet(facet, { asked, readAt, ready, count: all ? mostValues : usualValues });
  const named = useNames(facet, { asked, readAt });
  return (
    <>
      <FacetGroup
        facet={facet}
        query={query}
        chosen={chosenOf(asked.pairs, facet)}
        onToggle={(choice, label) => onToggle(facet, choice, label)}
        onRule={onRule}
        nameOf={(choice) => named(choice) ?? wordOf(choice)}
        onMore={all ? undefined : () => setAll(true)}
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
