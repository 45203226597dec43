import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { paths } from '../../../core/paths.ts';
import type { PreviewTarget } from '../rules.preview.ts';

/** Kept beside the address: what a citation marks, and that closing means going back. */
type HistoryState = {
  isFromCase?: boolean;
  place?: Pick<PreviewTarget, 'page' | 'passage' | 'sentence' | 'version' | 'quotation'>;
};

/** The previewed file of a case, opened and closed through the address. */
export function usePreview(caseId: string) {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const beside = useLocation().state as HistoryState | null;
  const folder = params.get('folder');
  const name = params.get('file');
  const place = beside?.place;
  const isFromCase = beside?.isFromCase === true;
  const shown = useMemo<PreviewTarget | null>(
    () => (folder === null || name === null ? null : { caseId, folder, name, ...place }),
    [caseId, folder, name, place],
  );
  const isOpen = shown !== null;
  const show = useCallback(
    ({ folder, name, ...place }: Omit<PreviewTarget, 'caseId'>) => {
      // Back closes the preview, however many files it showed.
      const state: HistoryState = { isFromCase: !isOpen || isFromCase, place };
      void navigate(paths.fileOf(caseId, folder, name), { replace: isOpen, state });
    },
    [caseId, navigate, isOpen, isFromCase],
  );
  const close = () => {
    if (isFromCase) return void navigate(-1);
    setParams(
      (now) => {
        now.delete('folder');
        now.delete('file');
        // The file alone named the tab.
        if (!now.has('tab')) now.set('tab', 'files');
        return now;
      },
      { replace: true },
    );
  };
  return { shown, show, close };
}
