import { Button, Group } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { fhirPath, pathOf } from '../../../core/api/contract.ts';
import { curlOf } from '../../../core/api/curl.ts';
import { allows } from '../../../core/app/scopes.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { useCopy } from '../../ui/use-copy.ts';
import styles from './access.module.css';
import { OnceField } from './once-field.tsx';

const { minted: words } = text.access;

interface MintedTokenProps {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly onClose: () => void;
}

/** A new token, this once, and how it is used. */
export function MintedToken({ token, scopes, onClose }: MintedTokenProps) {
  const copy = useCopy();
  const example = exampleOf(scopes, location.origin);
  return (
    <div className={styles.form}>
      <p className={styles.once}>{words.once}</p>
      <OnceField label={words.token} value={token} words={words} />
      <div>
        <h3>{words.example}</h3>
        <p className={styles.dim}>{words.exampleHint}</p>
        <pre className={`${styles.example} mono`}>{example}</pre>
      </div>
      <Group justify="space-between" gap="sm">
        <Button
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => copy(example, words.copiedExample, words.notCopied)}
        >
          {words.copyExample}
        </Button>
        <Button onClick={onClose}>{words.close}</Button>
      </Group>
    </div>
  );
}

/** A search of a type that the scopes let search, else the server's own description. */
function exampleOf(scopes: readonly string[], origin: string): string {
  const type = resourceTypes.find((one) => allows(scopes, one, 's'));
  const path = type ? `${pathOf(type)}?subject=17` : `${fhirPath}/metadata`;
  return curlOf({ method: 'GET', url: origin + path, headers: { Accept: 'application/fhir+json' } });
}
