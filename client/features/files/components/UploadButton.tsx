import Upload from 'lucide-react/icons/upload';
import { useRef } from 'react';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';

interface UploadButtonProps {
  label: string;
  onFiles: (files: readonly File[]) => void;
}

/** Opens the browser's file chooser. */
export function UploadButton({ label, onFiles }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Tooltip text={label}>
        <IconButton
          label={label}
          icon={Upload}
          variant="quiet"
          size="small"
          onClick={() => input.current?.click()}
        />
      </Tooltip>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // So that the same file can be chosen again.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
