import { Button, Checkbox, Group, Modal, NativeSelect, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { fhirPath, pathOf } from '../../../core/api/contract.ts';
import { curlOf } from '../../../core/api/curl.ts';
import { allows } from '../../../core/app/scopes.ts';
import { tokenLimits, type TokenMinted, type TokenRequest } from '../../../core/app/tokens.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { desktop } from '../../platform/desktop.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useCopy } from '../../ui/use-copy.ts';
import { OnceField } from './once-field.tsx';
import { initialChoice, scopesOf } from './scope-choice.ts';
import { ScopeTable } from './scope-table.tsx';
import { useMintToken } from './use-access.ts';
import styles from './access.module.css';

const { form: words, minted: made } = text.access;

const lifetimes = Object.entries(words.choices)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => Number(a.value || Infinity) - Number(b.value || Infinity));

const thirtyDays = '2592000';

interface MintFormProps {
  readonly onMinted: (minted: TokenMinted, request: TokenRequest) => void;
  readonly onCancel: () => void;
}

/** Asks for what a new token is called, what it may do and how long. */
function MintForm({ onMinted, onCancel }: MintFormProps) {
  const [name, setName] = useState('');
  const [choice, setChoice] = useState(initialChoice);
  const [lifetime, setLifetime] = useState(thirtyDays);
  const mint = useMintToken(onMinted);
  const scopes = scopesOf(choice);
  const ready = name.trim() !== '' && scopes.length > 0;

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const expiresIn = lifetime === '' ? {} : { expiresIn: Number(lifetime) };
        if (ready) mint.mutate({ name: name.trim(), scopes, ...expiresIn });
      }}
    >
      <TextInput
        label={words.name}
        description={words.nameHint}
        classNames={{ description: styles.description }}
        value={name}
        maxLength={tokenLimits.name}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <fieldset>
        <legend>{words.scopes}</legend>
        <ScopeTable choice={choice} onChange={setChoice} />
        <Checkbox
          size="xs"
          label={words.everything}
          checked={choice.everything}
          onChange={({ currentTarget }) => setChoice({ ...choice, everything: currentTarget.checked })}
        />
        <p className={styles.spelled}>
          <span>{words.spelled}</span>
          {scopes.length === 0 ? words.noScope : <code className="mono">{scopes.join(' ')}</code>}
        </p>
      </fieldset>
      <NativeSelect
        label={words.expires}
        {...(desktop === undefined && { description: words.endsWithSignIn })}
        classNames={{ description: styles.description }}
        className={styles.lifetime}
        data={lifetimes}
        value={lifetime}
        onChange={({ currentTarget }) => setLifetime(currentTarget.value)}
      />
      <RequestFailure title={words.failed} of={mint} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button type="submit" variant="filled" disabled={!ready} loading={mint.isPending}>
          {words.submit}
        </Button>
      </Group>
    </form>
  );
}

interface MintedTokenProps {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly onClose: () => void;
}

/** A new token, this once, and how it is used. */
function MintedToken({ token, scopes, onClose }: MintedTokenProps) {
  const copy = useCopy();
  const example = exampleOf(scopes, location.origin);
  return (
    <div className={styles.form}>
      <p className={styles.once}>{made.once}</p>
      <OnceField label={made.token} value={token} words={made} />
      <div>
        <h3>{made.example}</h3>
        <p className="dim">{made.exampleHint}</p>
        <pre className={`${styles.example} mono`}>{example}</pre>
      </div>
      <Group justify="space-between" gap="sm">
        <Button
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => copy(example, made.copiedExample, made.notCopied)}
        >
          {made.copyExample}
        </Button>
        <Button onClick={onClose}>{made.close}</Button>
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

interface Minted {
  readonly token: string;
  readonly request: TokenRequest;
}

/** The form, then the token that it made. Mounted while it is open: closing it forgets the token. */
export function MintDialog({ onClose }: { readonly onClose: () => void }) {
  const [minted, setMinted] = useState<Minted>();
  const announce = useAnnounce();
  function onMinted({ token }: TokenMinted, request: TokenRequest) {
    setMinted({ token, request });
    announce(made.made(request.name));
  }
  return (
    <Modal
      key={minted ? 'minted' : 'form'}
      opened
      onClose={onClose}
      title={minted ? made.title(minted.request.name) : words.title}
      size={560}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      centered
    >
      {minted ? (
        <MintedToken token={minted.token} scopes={minted.request.scopes} onClose={onClose} />
      ) : (
        <MintForm onMinted={onMinted} onCancel={onClose} />
      )}
    </Modal>
  );
}
