import { Button, type ButtonProps } from '@mantine/core';
import { IconFolder, type TablerIcon } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { inputFiles, type NamedFile } from './chosen-files.ts';
import styles from './data.module.css';

interface FilePickerProps extends Pick<ButtonProps, 'variant' | 'disabled' | 'children'> {
  /** All files of a folder, or files of these names. */
  readonly choose: 'folder' | { readonly accept: string; readonly multiple?: boolean };
  readonly icon?: TablerIcon | undefined;
  readonly onChosen: (files: readonly NamedFile[]) => void;
}

/** A button that asks for files. */
export function FilePicker({ choose, icon: Icon = IconFolder, onChosen, ...button }: FilePickerProps) {
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
      <Button
        {...button}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

interface FilePickersProps extends Pick<FilePickerProps, 'icon' | 'onChosen'> {
  /** Ends of the names of the files. */
  readonly accept: string;
  readonly words: Readonly<Record<'chooseFiles' | 'chooseFolder', string>>;
  readonly busy: boolean;
  /** Whether nothing is there yet: then it is the place that files are dropped on. */
  readonly empty: boolean;
  /** What else can be done. */
  readonly children: ReactNode;
}

/** Asks for files, or for those of a folder. */
export function FilePickers({ accept, words, busy, empty, children, icon, onChosen }: FilePickersProps) {
  return (
    <div className={empty ? styles.dropZone : styles.row}>
      <FilePicker
        choose={{ accept, multiple: true }}
        icon={icon}
        variant={empty ? 'filled' : 'default'}
        disabled={busy}
        onChosen={onChosen}
      >
        {words.chooseFiles}
      </FilePicker>
      <FilePicker choose="folder" disabled={busy} onChosen={onChosen}>
        {words.chooseFolder}
      </FilePicker>
      {children}
    </div>
  );
}
