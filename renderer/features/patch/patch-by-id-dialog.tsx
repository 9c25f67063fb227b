import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  type ResourceType,
  firstType,
  isFhirId,
  isResourceType,
  resourceTypes,
} from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import sheet from '../../ui/sheet.module.css';

interface PatchByIdDialogProps {
  readonly onClose: () => void;
  readonly onCompose: (record: { readonly type: ResourceType; readonly id: string }) => void;
}

/** Asks for type and ID of the record to patch. The ID field also accepts `CarePlan/7f0e...`. */
export function PatchByIdDialog({ onClose, onCompose }: PatchByIdDialogProps) {
  const [type, setType] = useState<ResourceType>(firstType);
  const [id, setId] = useState('');
  const isInvalid = id !== '' && !isFhirId(id);

  function handleInput(input: string) {
    const [typeOrId = '', idPart] = input.trim().split('/');
    if (idPart !== undefined && isResourceType(typeOrId)) setType(typeOrId);
    setId(idPart ?? typeOrId);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={text.patch.byIdTitle}
      size={440}
      yOffset={96}
      classNames={{ header: sheet.head ?? '', body: sheet.formBody ?? '' }}
      closeButtonProps={{ 'aria-label': text.patch.cancel }}
    >
      <form
        className={sheet.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isFhirId(id)) onCompose({ type, id });
        }}
      >
        <NativeSelect
          label={text.patch.byIdType}
          data={[...resourceTypes]}
          value={type}
          onChange={({ currentTarget: { value } }) => isResourceType(value) && setType(value)}
        />
        <TextInput
          label={text.patch.byIdId}
          placeholder={text.patch.byIdHint}
          classNames={{ input: 'mono' }}
          data-autofocus
          spellCheck={false}
          autoComplete="off"
          value={id}
          error={isInvalid ? text.patch.byIdBad : undefined}
          onChange={({ currentTarget }) => handleInput(currentTarget.value)}
        />
        <div className={sheet.formActions}>
          <Button onClick={onClose}>{text.patch.cancel}</Button>
          <Button type="submit" variant="filled" disabled={!isFhirId(id)}>
            {text.patch.byIdOpen}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
