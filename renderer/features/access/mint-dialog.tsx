import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { TokenMinted, TokenRequest } from '../../../core/app/tokens.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { MintForm } from './mint-form.tsx';
import { MintedToken } from './minted-token.tsx';

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
    announce(text.access.minted.made(request.name));
  }
  return (
    <Modal
      key={minted ? 'minted' : 'form'}
      opened
      onClose={onClose}
      title={minted ? text.access.minted.title(minted.request.name) : text.access.form.title}
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
