import { Button, type ButtonProps } from '@mantine/core';
import { useRef } from 'react';
import { inputFiles, type NamedFile } from './chosen-files.ts';

interface FilePickerProps extends Pick<ButtonProps, 'variant' | 'disabled' | 'leftSection' | 'children'> {
  /** All files of a folder, or files of these names. */
  readonly choose: 'folder' | { readonly accept: string; readonly multiple?: boolean };
  readonly onChosen: (files: readonly NamedFile[]) => void;
}

/** A button that asks for files. */
export function FilePicker({ choose, onChosen, ...button }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={(element) => {
          input.current = element;
          if (element) element.webkitdirectory = choose === 'folder';
        }}
        type="file"
        hidden
        {...(choose === 'folder' ? { multiple: true } : choose)}
        onChange={({ currentTarget }) => {
          onChosen(inputFiles(currentTarget.files));
          // The same choice again is a choice too.
          currentTarget.value = '';
        }}
      />
      <Button {...button} onClick={() => input.current?.click()} />
    </>
  );
}
