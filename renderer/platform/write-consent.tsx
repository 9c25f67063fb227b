import { Button, Group, Modal } from '@mantine/core';
import { createContext, use, useCallback, useState, type ReactNode } from 'react';
import { text } from '../ui/text.ts';
import { useConnection } from './connection.ts';

/** What goes with a write that may be sent: the host that the steward confirmed, where the connection asks for it. */
export interface Consent {
  readonly confirmed?: string;
}

/** Asks before a write where the connection wants that; `act` is the button's word. Undefined where it is not to be sent. */
export type AskConsent = (act: string) => Promise<Consent | undefined>;

const ConsentContext = createContext<AskConsent>(() => Promise.resolve({}));

/** How a write is asked for before it is sent. */
export function useWriteConsent(): AskConsent {
  return use(ConsentContext);
}

/** Keeps Escape from Mantine's dialogs, which would close the sheet behind the question too. */
const ownEscape = { 'data-mantine-stop-propagation': 'true' };

interface Question {
  readonly act: string;
  readonly answer: (consent: Consent | undefined) => void;
}

/** Offers {@link useWriteConsent} to what is within, and shows its question. */
export function WriteConsent({ children }: { readonly children: ReactNode }) {
  const { remote, name } = useConnection();
  const [question, setQuestion] = useState<Question>();
  const host = remote?.mode === 'confirm' ? remote.host : undefined;
  const ask = useCallback<AskConsent>(
    (act) =>
      host === undefined ? Promise.resolve({}) : new Promise((answer) => setQuestion({ act, answer })),
    [host],
  );
  function answer(consent: Consent | undefined) {
    question?.answer(consent);
    setQuestion(undefined);
  }
  return (
    <ConsentContext value={ask}>
      {children}
      {question && host !== undefined && (
        <Modal
          opened
          onClose={() => answer(undefined)}
          title={text.consent.title(question.act, host)}
          withCloseButton={false}
          // Above the sheet that the write is sent from.
          zIndex={400}
        >
          <div
            onKeyDown={(event) => {
              if (event.key === 'Escape') answer(undefined);
            }}
          >
            <p>{text.consent.detail(name)}</p>
            <Group justify="flex-end" mt={16} gap={8}>
              <Button {...ownEscape} onClick={() => answer(undefined)}>
                {text.consent.cancel}
              </Button>
              <Button
                {...ownEscape}
                variant="filled"
                data-autofocus
                onClick={() => answer({ confirmed: host })}
              >
                {text.consent.confirm(question.act, host)}
              </Button>
            </Group>
          </div>
        </Modal>
      )}
    </ConsentContext>
  );
}
