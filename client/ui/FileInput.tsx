import type { ComponentProps } from 'react';

interface FileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'hidden' | 'onChange'> {
  onFiles: (files: File[]) => void;
}

/** Opens the system's choice of files when it is clicked by a button. */
export function FileInput({ onFiles, ...rest }: FileInputProps) {
  return (
    <input
      {...rest}
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
