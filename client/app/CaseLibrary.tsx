import { lazy, Suspense, useMemo, useState } from 'react';
import type { Asked } from '../features/ai/components/use-conversation.ts';
import type { Place } from '../features/ai/rules.ts';
import { contentUrl, type Library } from '@matterdesk/contract/files.ts';
import { CaseFiles } from '../features/files/components/CaseFiles.tsx';
import type { Shown } from '../features/files/components/Preview.tsx';
import { useAppSelector } from './store.ts';

const loadChat = () => import('../features/ai/components/ChatPopup.tsx');
const ChatPopup = lazy(async () => ({ default: (await loadChat()).ChatPopup }));
const loadPreview = () => import('../features/files/components/Preview.tsx');
const Preview = lazy(async () => ({ default: (await loadPreview()).Preview }));

interface CaseLibraryProps {
  caseId: string;
  /** The chat that is open: see `useAsked`. */
  asked: Asked | null;
  onAsk: (asked: Asked | null) => void;
}

/** The documents of a case, with the chat and the preview that open over its page. */
export function CaseLibrary({ caseId, asked, onAsk }: CaseLibraryProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const isTrained = useIsTrained(asked);
  const library = useAppSelector(({ files }) => (files.caseId === caseId ? files.library : null));
  const places = useMemo(() => placesOf(library), [library]);
  return (
    <>
      <CaseFiles
        caseId={caseId}
        onAsk={(at) => onAsk({ caseId, ...at })}
        onShow={(at) => setShown({ caseId, ...at })}
      />
      <Suspense>
        {shown && (
          <Preview
            shown={shown}
            onShow={(at) => setShown({ caseId, ...at })}
            onClose={() => setShown(null)}
          />
        )}
      </Suspense>
      <Suspense>
        {asked && (
          <ChatPopup
            key={JSON.stringify(asked)}
            asked={asked}
            isTrained={isTrained}
            places={places}
            onClose={() => onAsk(null)}
            onCitation={({ folder, file_name: name, page, start, end, sentence }) =>
              setShown({ caseId, folder, name, page, passage: { start, end }, sentence })
            }
          />
        )}
      </Suspense>
    </>
  );
}

/** Of a whole case the server says whether anything in it is trained. */
function useIsTrained(asked: Asked | null): boolean {
  const url =
    asked?.folder === undefined || asked.name === undefined
      ? null
      : contentUrl(asked.caseId, asked.folder, asked.name);
  return useAppSelector(({ files }) => {
    if (url === null) return true;
    // Before the library has come nothing is known against it.
    return files.library === null || files.library.training[url] === 'trained';
  });
}

/** The folders that hold trained files, with their names. */
function placesOf(library: Library | null): Place[] {
  if (!library) return [];
  const { files, training, details } = library;
  return Object.entries(files).flatMap(([folder, urls]) => {
    const trained = urls.filter((url) => training[url] === 'trained');
    const names = trained.flatMap((url) => details[url]?.name ?? []);
    return names.length > 0 ? [{ folder, names }] : [];
  });
}
