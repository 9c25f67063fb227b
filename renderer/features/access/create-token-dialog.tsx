import { Button, Checkbox, Group, Modal, NativeSelect, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { fhirPath, pathOf } from '../../../core/api/contract.ts';
import { curlOf } from '../../../core/api/curl.ts';
import { allows, permissions } from '../../../core/app/scopes.ts';
import { tokenLimits, type CreatedToken, type TokenRequest } from '../../../core/app/tokens.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { desktop } from '../../platform/desktop.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useCopy } from '../../ui/use-copy.ts';
import { OnceField } from './one-time-secret-field.tsx';
import { initialChoice, scopesOf, toggled, type ScopeChoice } from './scope-choice.ts';
import { useCreateToken } from './use-access.ts';
import styles from './access.module.css';

const { form: words, minted: createdWords } = text.access;

const lifetimes = Object.entries(words.choices)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => Number(a.value || Infinity) - Number(b.value || Infinity));

const thirtyDays = '2592000';

interface TokenFormProps {
  readonly onMinted: (minted: CreatedToken, request: TokenRequest) => void;
  readonly onCancel: () => void;
}

/** Form for name, scopes and lifetime of a new token. */
function TokenForm({ onMinted, onCancel }: TokenFormProps) {
  const [name, setName] = useState('');
  const [choice, setChoice] = useState(initialChoice);
  const [lifetime, setLifetime] = useState(thirtyDays);
  const createToken = useCreateToken(onMinted);
  const scopes = scopesOf(choice);
  const isComplete = name.trim() !== '' && scopes.length > 0;

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const expiresIn = lifetime === '' ? {} : { expiresIn: Number(lifetime) };
        if (isComplete) createToken.mutate({ name: name.trim(), scopes, ...expiresIn });
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
      <RequestFailure title={words.failed} query={createToken} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button type="submit" variant="filled" disabled={!isComplete} loading={createToken.isPending}>
          {words.submit}
        </Button>
      </Group>
    </form>
  );
}

interface CreatedTokenViewProps {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly onClose: () => void;
}

/** The new token, shown once, with an example of its use. */
function CreatedTokenView({ token, scopes, onClose }: CreatedTokenViewProps) {
  const copy = useCopy();
  const example = exampleOf(scopes, location.origin);
  return (
    <div className={styles.form}>
      <p className={styles.once}>{createdWords.once}</p>
      <OnceField label={createdWords.token} value={token} words={createdWords} />
      <div>
        <h3>{createdWords.example}</h3>
        <p className="dim">{createdWords.exampleHint}</p>
        <pre className={`${styles.example} mono`}>{example}</pre>
      </div>
      <Group justify="space-between" gap="sm">
        <Button
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => copy(example, createdWords.copiedExample, createdWords.notCopied)}
        >
          {createdWords.copyExample}
        </Button>
        <Button onClick={onClose}>{createdWords.close}</Button>
      </Group>
    </div>
  );
}

/** Returns a search of a type that the scopes allow, otherwise a request for the CapabilityStatement. */
function exampleOf(scopes: readonly string[], origin: string): string {
  const type = resourceTypes.find((candidate) => allows(scopes, candidate, 's'));
  const path = type ? `${pathOf(type)}?subject=17` : `${fhirPath}/metadata`;
  return curlOf({ method: 'GET', url: origin + path, headers: { Accept: 'application/fhir+json' } });
}

interface CreatedTokenState {
  readonly token: string;
  readonly request: TokenRequest;
}

/** The form, then the created token. Closing the dialog drops the token. */
export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const [createdToken, setCreatedToken] = useState<CreatedTokenState>();
  const announce = useAnnounce();
  function handleCreated({ token }: CreatedToken, request: TokenRequest) {
    setCreatedToken({ token, request });
    announce(createdWords.made(request.name));
  }
  return (
    <Modal
      key={createdToken ? 'minted' : 'form'}
      opened
      onClose={onClose}
      title={createdToken ? createdWords.title(createdToken.request.name) : words.title}
      size={560}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      centered
    >
      {createdToken ? (
        <CreatedTokenView token={createdToken.token} scopes={createdToken.request.scopes} onClose={onClose} />
      ) : (
        <TokenForm onMinted={handleCreated} onCancel={onClose} />
      )}
    </Modal>
  );
}

const { form: scopeWords } = text.access;

interface ScopeTableProps {
  readonly choice: ScopeChoice;
  readonly onChange: (choice: ScopeChoice) => void;
}

/** Table of scopes with a row for each type and a checkbox for each letter. */
function ScopeTable({ choice, onChange }: ScopeTableProps) {
  return (
    <table className={styles.scopes}>
      <thead>
        <tr>
          <th scope="col">{scopeWords.type}</th>
          {permissions.map((letter) => (
            <th key={letter} scope="col">
              {scopeWords.letters[letter]} <code className="mono">{letter}</code>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {resourceTypes.map((type) => (
          <tr key={type}>
            <th scope="row">{type}</th>
            {permissions.map((letter) => (
              <td key={letter}>
                <Checkbox
                  size="xs"
                  aria-label={scopeWords.letterOf[letter](type)}
                  disabled={choice.everything}
                  checked={choice.everything || choice.letters[type].includes(letter)}
                  onChange={() => onChange(toggled(choice, type, letter))}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
