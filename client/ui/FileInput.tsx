import type { ComponentProps } from 'react';

// Missing from React's types, but supported by every browser.
const DIRECTORIES = { webkitdirectory: '' };

interface FileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'hidden' | 'onChange'> {
  /** Chooses a whole directory. */
  directory?: boolean;
  onFiles: (files: File[]) => void;
}

/** Opens the system's choice of files when it is clicked by a button. */
export function FileInput({ onFiles, directory = false, ...rest }: FileInputProps) {
  return (
    <input
      {...rest}
      {...(directory && DIRECTORIES)}
      type="file"
      hidden
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        // So that the same file can be chosen again.
        target.value = '';
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
