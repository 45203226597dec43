// Letters of a matter, with the matter's people and folders.

import { useNavigate } from 'react-router';
import { lazyNamed } from '../../core/chunks.ts';
import { fileOfLink } from '../../core/file-link.ts';
import type { HandedDraft } from '../../core/handed-draft.ts';
import { paths } from '../../core/paths.ts';
import { store, useAppDispatch } from '../../core/store.ts';
import { succeeds } from '../../core/use-attempt.ts';
import { useResource } from '../../core/use-resource.ts';
import { toast } from '../../ui/toast-store.ts';
import { recheckAccess } from '../cases/api.ts';
import { ContactDropdown } from '../contacts/components/ContactDropdown.tsx';
import { partiesOf } from '../contacts/slice.ts';
import { caseLibrary } from '../files/api.ts';
import { CaseFolderField } from '../files/components/FolderField.tsx';
import { libraryOf } from '../files/slice.ts';
import type { FolderFieldProps, MadeDocuments } from './components/NewDocumentDialog.tsx';
import { madeInWords, type Matter } from './rules.ts';

const NewDocumentDialog = lazyNamed(
  () => import('./components/NewDocumentDialog.tsx'),
  'NewDocumentDialog',
);

/** The folder of letters unless another is chosen. */
const FOLDER = 'Documents';

interface NewDocumentPageProps {
  matter: Matter;
  /** Id of the template that is chosen first; any other text is ignored. */
  template: string;
  onClose: () => void;
}

/** The dialog 'New document' of a matter, and what follows it. */
export function NewDocumentPage({ matter, template, onClose }: NewDocumentPageProps) {
  const { data: parties } = useResource(partiesOf, matter.id);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { id } = matter;
  const refreshCase = async () => {
    void dispatch(recheckAccess(id));
    void dispatch(partiesOf.refresh(id));
    await dispatch(caseLibrary.refresh(id));
  };
  const undo = async (urls: string[]) => {
    const { undoDocuments } = await import('./api.ts');
    if (await succeeds(dispatch(undoDocuments(id, urls))))
      toast.success('Documents moved to the trash');
    await refreshCase();
  };
  const email = (urls: string[]) => {
    const details = libraryOf(store.getState().files, id)?.details ?? {};
    const attachments = urls.flatMap((url) => {
      const detail = details[url];
      return detail ? [{ url, name: detail.name, size: detail.size }] : [];
    });
    const draft: HandedDraft = { to: '', subject: matter.caseName, text: '', attachments };
    void navigate(paths.emailTo(''), { state: draft });
  };
  const report = async ({ documents, folder }: MadeDocuments) => {
    await refreshCase();
    const urls = documents.flatMap(({ url, pdfUrl }) =>
      [url, pdfUrl].filter((one) => one !== null),
    );
    const file = fileOfLink(urls[0] ?? '');
    if (!file) return;
    toast.plain(
      madeInWords(documents, folder),
      {
        label: 'Open',
        run: () => void navigate(paths.fileOf(file.caseId, file.folder, file.name)),
      },
      { label: 'Email', run: () => email(urls) },
      { label: 'Undo', run: () => void undo(urls) },
    );
  };
  return (
    <NewDocumentDialog
      matter={matter}
      first={template}
      parties={parties ?? []}
      contactField={ContactDropdown}
      folderField={FolderChoice}
      onMade={(made) => void report(made)}
      onClose={onClose}
    />
  );
}

function FolderChoice(props: FolderFieldProps) {
  return (
    <div className="w-52">
      <CaseFolderField aria-label="Folder" first={FOLDER} {...props} />
    </div>
  );
}
