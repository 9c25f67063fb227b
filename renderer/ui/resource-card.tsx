import { Button } from '@mantine/core';
import { useState } from 'react';
import { ageOn } from '../../core/fhir/card/age.ts';
import {
  deathWithoutDate,
  resourceCardOf,
  type ResourceCard,
  type ResourceFact,
} from '../../core/fhir/card/resource-card.ts';
import { formatNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import styles from './resource-card.module.css';
import { text } from './text.ts';
import { formatAge } from './text/age.ts';
import { localDay } from './time.ts';
import { useCopy } from './use-copy.ts';

const messages = text.card;

/** A resource other than a record, for display. */
export interface ReadResource {
  readonly card: ResourceCard;
  /** Formatted JSON of the stored text. */
  readonly json: string;
}

/** Parses the text of a resource; undefined if it is not JSON. */
export function readResource(resource: string): ReadResource | undefined {
  try {
    const { root } = scan(resource);
    return { card: resourceCardOf(root), json: formatNode(root) };
  } catch {
    return undefined;
  }
}

interface ResourceFactsProps {
  readonly facts: readonly ResourceFact[];
  /** Arranges the details in lines instead of one below the other. */
  readonly inline?: boolean;
}

/** Details of a resource. A birth date includes the age, or the age at death. */
export function ResourceFacts({ facts, inline = false }: ResourceFactsProps) {
  const died = facts.find(({ kind }) => kind === 'died')?.text;
  return (
    <dl className={inline ? styles.inline : styles.facts}>
      {facts.map(({ kind, text: value }) => (
        <div key={kind}>
          <dt>{messages.facts[kind]}</dt>
          <dd className={kind === 'id' || kind === 'identifier' ? 'mono' : undefined}>
            {formatFact({ kind, text: value }, died)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function formatFact({ kind, text: value }: ResourceFact, died: string | undefined): string {
  if (kind === 'died' && value === deathWithoutDate) return messages.deathWithoutDate;
  if (kind !== 'born' || died === deathWithoutDate) return value;
  const age = ageOn(value, died ?? localDay());
  return age ? `${value} · ${formatAge(age, died !== undefined)}` : value;
}

/** Button that shows the JSON of a resource. */
export function ResourceJson({ json }: { readonly json: string }) {
  const copy = useCopy();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <div className={styles.foot}>
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {messages.json}
        </Button>
        {isOpen && (
          <Button onClick={() => copy(json, messages.copied, messages.notCopied)}>{messages.copy}</Button>
        )}
      </div>
      {isOpen && (
        // A scrolling region must be reachable by keyboard.
        <pre className={styles.json} tabIndex={0} role="group" aria-label={messages.json}>
          {json}
        </pre>
      )}
    </div>
  );
}
