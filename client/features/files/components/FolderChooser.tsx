import FolderUp from 'lucide-react/icons/folder-up';
import { useRef } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { chosen, type Dropped } from '../rules.dropped.ts';

// Missing from React's types, but supported by every browser.
const DIRECTORIES = { webkitdirectory: '' };

/** Chooses a whole directory, as an alternative to dragging. */
export function FolderChooser({ onChosen }: { onChosen: (dropped: Dropped) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="small" variant="quiet" icon={FolderUp} onClick={() => input.current?.click()}>
        Upload folder
      </Button>
      <input
        {...DIRECTORIES}
        ref={input}
        type="file"
        hidden
        aria-label="Folder to upload"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // So that the same directory can be chosen again.
          event.target.value = '';
          if (files.length > 0) onChosen(chosen(files));
        }}
      />
    </>
  );
}
