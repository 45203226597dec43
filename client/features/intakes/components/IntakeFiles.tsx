import type { Intake, IntakeFile } from '@matterdesk/contract/intakes.ts';
import Paperclip from 'lucide-react/icons/paperclip';
import { type ChangeEvent, useRef } from 'react';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { sizeInWords } from '../../../ui/size-in-words.ts';
import { addFile } from '../api.ts';
import { PanelPart } from './PanelPart.tsx';

/** What came with the inquiry, opened in a tab of its own. */
export function IntakeFiles({ intake, files }: { intake: Intake; files: readonly IntakeFile[] }) {
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, attempt } = useAttempt();
  const handleChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(target.files ?? [])];
    target.value = '';
    void attempt(null, async () => {
      for (const file of chosen) await addFile(intake.id, file);
    });
  };
  if (intake.erasedAt !== undefined) return null;
  return (
    <PanelPart
      title="Files"
      aside={
        <>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label="Choose files"
            onChange={handleChange}
          />
          <Button size="small" busy={isBusy} onClick={() => input.current?.click()}>
            Add files
          </Button>
        </>
      }
    >
      {files.length === 0 ? (
        <p className="text-ink-2">No files</p>
      ) : (
        <ul className="space-y-1.5">
          {files.map(({ url, name, size }) => (
            <li key={url} className="flex items-center gap-1.5">
              <Paperclip className="flex-none text-ink-3" />
              <a href={url} target="_blank" rel="noreferrer" className="link min-w-0 truncate">
                {name}
              </a>
              <span className="flex-none text-note text-ink-3">{sizeInWords(size)}</span>
            </li>
          ))}
        </ul>
      )}
    </PanelPart>
  );
}
